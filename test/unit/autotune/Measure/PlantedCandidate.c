/* What a broken compiler might make: y = 2 * x for float x[4], with a fault that PLANTED chooses. */
#include "cameo/abi.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define SOUND 0
#define CRASHES 1
#define HANGS 2
#define EATS_MEMORY 3
#define REFUSES 4
#define IS_WRONG 5
#define OPENS_SOCKET 6
#define FORKS 7
#define WRITES_FILE 8

static const int64_t shape[] = {4};
static const cameo_tensor_description inputs[] = {{"x", shape, 16, 1, CAMEO_FLOAT32}};
static const cameo_tensor_description outputs[] = {{"y", shape, 16, 1, CAMEO_FLOAT32}};

static uint64_t workspace_size(const int64_t *symbols) {
  (void)symbols;
  return 0;
}

static void misbehave(void) {
#if PLANTED == CRASHES
  abort();
#elif PLANTED == HANGS
  for (volatile int forever = 1; forever;)
    ;
#elif PLANTED == EATS_MEMORY
  /* Until there is none, and the null pointer is written through. */
  for (;;) {
    volatile char *memory = malloc(16 << 20);
    for (int at = 0; at < 16 << 20; at += 4096)
      memory[at] = 1;
  }
#elif PLANTED == OPENS_SOCKET
  if (socket(AF_INET, SOCK_STREAM, 0) < 0)
    abort();
#elif PLANTED == FORKS
  for (;;)
    fork();
#elif PLANTED == WRITES_FILE
  if (open("/tmp/cameo-planted-file", O_WRONLY | O_CREAT, 0600) < 0)
    abort();
#endif
}

static cameo_status run(const void *const *in, void *const *out, const int64_t *symbols, void *workspace,
                        const cameo_context *context) {
  (void)symbols;
  (void)workspace;
  (void)context;
  misbehave();
  for (int i = 0; i < 4; ++i)
    ((float *)out[0])[i] = (PLANTED == IS_WRONG ? 3 : 2) * ((const float *)in[0])[i];
  return PLANTED == REFUSES ? CAMEO_INVALID_ARGUMENT : CAMEO_OK;
}

__attribute__((visibility("default"))) const cameo_model_description candidate_description = {
    .abi_version = CAMEO_ABI_VERSION,
    .struct_bytes = sizeof(cameo_model_description),
    .name = "planted",
    .target = "host/generic",
    .inputs = inputs,
    .outputs = outputs,
    .input_count = 1,
    .output_count = 1,
    .workspace_size = workspace_size,
    .run = run,
};
