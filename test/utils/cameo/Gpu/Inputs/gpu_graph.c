/* A captured run gives what a run gives, also behind runs of other sizes. */
#include "batch.h"

#include <cameo/gpu_time.h>
#include <stdio.h>
#include <string.h>

enum { BATCH = 9, SAMPLE = 8 * 3, CLASSES = 4, RUNS = 3 };

int main(void) {
  static float x[BATCH * SAMPLE], expected[BATCH * CLASSES], captured[BATCH * CLASSES];
  float milliseconds[RUNS];
  for (int i = 0; i < BATCH * SAMPLE; ++i)
    x[i] = (float)(i % 17) / 16;
  const void *in[] = {x};
  void *out[] = {expected};
  const int64_t batch = BATCH, one = 1;
  cameo_gpu *gpu;
  cameo_gpu_session *session = NULL;
  int is_done = cameo_gpu_load(&batch_gpu, 0, NULL, &gpu) == CAMEO_OK &&
                cameo_gpu_session_create(gpu, &batch, &session) == CAMEO_OK &&
                cameo_gpu_run(session, in, out, &batch) == CAMEO_OK;
  out[0] = captured;
  is_done = is_done && cameo_gpu_run(session, in, out, &one) == CAMEO_OK &&
            cameo_gpu_time_runs(session, in, out, &batch, 1, RUNS, milliseconds) == CAMEO_OK;
  int is_refused = cameo_gpu_time_runs(session, in, out, &batch, 1, 0, milliseconds) == CAMEO_INVALID_ARGUMENT;
  printf("%s\n", !is_done                                      ? cameo_gpu_error()
                 : memcmp(expected, captured, sizeof expected) ? "other results"
                 : !is_refused                                 ? "no refusal"
                                                               : "same");
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  return 0;
}
