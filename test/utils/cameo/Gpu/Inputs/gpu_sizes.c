/* A session for sizes of the run, in turns with other sizes, and sizes that it does not take. */
#include "batch.h"
#include "gpu_program.h"

#include <string.h>

enum { MOST = 3000, SAMPLE = 8 * 3, CLASSES = 4 };

int main(void) {
  static float x[MOST * SAMPLE], all[MOST * CLASSES], some[MOST * CLASSES];
  for (int i = 0; i < MOST * SAMPLE; ++i)
    x[i] = (float)(i % 17) / 16;
  batch_inputs in = {.x = x};
  batch_outputs out = {.y = all};
  cameo_gpu *gpu;
  cameo_gpu_session *session;
  expect(cameo_gpu_load(&batch_gpu, 0, NULL, &gpu) == CAMEO_OK, "load");
  expect(cameo_gpu_session_create(gpu, NULL, &session) == CAMEO_INVALID_ARGUMENT && !session, "no sizes");
  printf("%s\n", cameo_gpu_error());
  batch_dims dims = {.batch = -1};
  expect(batch_session_create(gpu, &dims, &session) == CAMEO_INVALID_ARGUMENT, "negative");
  printf("%s\n", cameo_gpu_error());
  dims.batch = MOST - 1;
  expect(batch_session_create(gpu, &dims, &session) == CAMEO_OK, "create");
  expect(batch_run(session, &in, &out, NULL) == CAMEO_INVALID_ARGUMENT, "no sizes of a run");
  dims.batch = 3 * MOST;
  expect(batch_run(session, &in, &out, &dims) == CAMEO_INVALID_ARGUMENT, "too large");
  printf("%s\n", cameo_gpu_error());
  dims.batch = MOST - 1;
  expect(batch_run(session, &in, &out, &dims) == CAMEO_OK, "run");
  /* Fewer samples, more again: each sample has the result that it had. */
  const int64_t sizes[] = {1, 0, 130, MOST - 1, 129};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    dims.batch = sizes[i];
    out.y = some;
    memset(some, 0, sizeof some);
    expect(batch_run(session, &in, &out, &dims) == CAMEO_OK, "another size");
    expect(memcmp(all, some, batch_output_y_bytes(&dims)) == 0, "equal results");
    expect(some[dims.batch * CLASSES] == 0, "nothing behind the end");
  }
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  printf("same\n");
  return 0;
}
