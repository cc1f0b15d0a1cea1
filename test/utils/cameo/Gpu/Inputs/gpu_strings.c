/* Runs of a model with strings, on tensors of the host and of the device, and what is refused. The emulator's memory of
 * the device is that of the process, so tensors "on the device" are allocated by its functions. */
#include "string_ops.h"

#include <cameo/gpu_time.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *kept[STRING_OPS_OUTPUT_KEPT_ELEMENTS], *labelled[STRING_OPS_OUTPUT_LABELLED_ELEMENTS];
static uint8_t known[STRING_OPS_OUTPUT_KNOWN_ELEMENTS];

static void print(const char *before, int64_t count) {
  printf("%skept", before);
  for (int64_t i = 0; i < count; ++i)
    printf(" %s", kept[i]);
  printf(", labelled %s %s, known", labelled[0], labelled[5]);
  for (int i = 0; i < 4; ++i)
    printf(" %d", known[i]);
  printf("\n");
}

static int (*allocate)(uint64_t *address, size_t bytes);
static int (*copy_in)(uint64_t to, const void *from, size_t bytes);

/* Returns `bytes` bytes of the device's memory, with the bytes at `from` unless it is null. */
static void *on_device(const void *from, size_t bytes) {
  uint64_t address = 0;
  if (allocate(&address, bytes) != 0 || (from && copy_in(address, from, bytes) != 0))
    exit(2);
  return (void *)(uintptr_t)address;
}

int main(void) {
  const char *words[STRING_OPS_INPUT_WORDS_ELEMENTS] = {"The", "Cat", "a", "dog"};
  static const float numbers[STRING_OPS_INPUT_NUMBERS_ELEMENTS] = {0.5f, -2};
  static char memory[256];
  int64_t kept_shape[1];
  cameo_text_area area = {memory, 8, 0};
  string_ops_inputs in = {.words = words, .numbers = numbers};
  string_ops_outputs out = {.kept = kept, .labelled = labelled, .known = known, .kept_shape = kept_shape};
  cameo_gpu *gpu;
  cameo_gpu_session *session = NULL;
  if (cameo_gpu_load(&string_ops_gpu, 0, NULL, &gpu) != CAMEO_OK ||
      cameo_gpu_session_create(gpu, NULL, &session) != CAMEO_OK)
    return 1;
  if (string_ops_run(session, &in, &out) == CAMEO_INVALID_ARGUMENT)
    printf("%s\n", cameo_gpu_error());
  out.text_area = &area;
  cameo_status status = string_ops_run(session, &in, &out);
  printf("status %d: %s\n", status, cameo_gpu_error());
  area.capacity = sizeof memory;
  if (string_ops_run(session, &in, &out) == CAMEO_OK)
    print("", kept_shape[0]);

  /* All threads of the program share the primary context of the device, which is current on none of them by itself. */
  void *driver = dlopen(getenv("CAMEO_CUDA_DRIVER"), RTLD_NOW);
  int (*push)(void *) = (int (*)(void *))dlsym(driver, "cuCtxPushCurrent_v2");
  int (*retain)(void **, int) = (int (*)(void **, int))dlsym(driver, "cuDevicePrimaryCtxRetain");
  int (*copy_out)(void *, uint64_t, size_t, void *) =
      (int (*)(void *, uint64_t, size_t, void *))dlsym(driver, "cuMemcpyDtoHAsync_v2");
  int (*wait)(void *) = (int (*)(void *))dlsym(driver, "cuStreamSynchronize");
  allocate = (int (*)(uint64_t *, size_t))dlsym(driver, "cuMemAlloc_v2");
  copy_in = (int (*)(uint64_t, const void *, size_t))dlsym(driver, "cuMemcpyHtoD_v2");
  void *context = NULL;
  if (retain(&context, 0) != 0 || push(context) != 0)
    return 2;
  string_ops_inputs there = {.words = on_device(words, sizeof words), .numbers = on_device(numbers, sizeof numbers)};
  string_ops_outputs results = {.kept = on_device(NULL, sizeof kept),
                                .labelled = on_device(NULL, sizeof labelled),
                                .known = on_device(NULL, sizeof known),
                                .kept_shape = kept_shape,
                                .text_area = &area};
  memset(kept, 0, sizeof kept);
  status = string_ops_enqueue(session, &there, &results, NULL);
  if (status == CAMEO_OK && copy_out(kept, (uintptr_t)results.kept, (size_t)kept_shape[0] * sizeof *kept, NULL) == 0 &&
      copy_out(labelled, (uintptr_t)results.labelled, sizeof labelled, NULL) == 0 &&
      copy_out(known, (uintptr_t)results.known, sizeof known, NULL) == 0 && wait(NULL) == 0)
    print("enqueued: ", kept_shape[0]);
  else
    printf("%s\n", cameo_gpu_error());

  const void *inputs[] = {words, numbers};
  void *outputs[] = {kept, labelled, known, kept_shape, &area};
  float milliseconds[1];
  if (cameo_gpu_time_runs(session, inputs, outputs, NULL, /*uses_graph=*/1, 1, milliseconds) != CAMEO_OK)
    printf("%s\n", cameo_gpu_error());
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  return 0;
}
