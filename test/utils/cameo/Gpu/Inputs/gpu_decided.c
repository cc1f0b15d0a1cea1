/* Runs of one session that data decides, on tensors of the host and of the device, and what is refused. */
#include "decided.h"

#include <cameo/gpu_time.h>
#include <stdio.h>

static void print(const char *name, const float *values, const int64_t *shape, int rank) {
  int64_t count = 1;
  printf("%s", name);
  for (int i = 0; i < rank; ++i) {
    printf("%s%lld", i ? "x" : " ", (long long)shape[i]);
    count *= shape[i];
  }
  for (int64_t i = 0; i < count; ++i)
    printf(" %g", (double)values[i]);
  printf("\n");
}

int main(void) {
  static float x[DECIDED_INPUT_X_ELEMENTS] = {1, 0, 2, 0, 0, 3}, kept[DECIDED_OUTPUT_KEPT_ELEMENTS],
               branch[DECIDED_OUTPUT_BRANCH_ELEMENTS], states[DECIDED_OUTPUT_STATES_ELEMENTS],
               last[DECIDED_OUTPUT_LAST_ELEMENTS];
  int64_t kept_shape[1], branch_shape[1], states_shape[2], n = 2;
  _Bool c = 1;
  float milliseconds[1];
  decided_inputs in = {.x = x, .c = (const void *)&c, .n = &n};
  decided_outputs out = {.kept = kept,
                         .branch = branch,
                         .states = states,
                         .last = last,
                         .kept_shape = kept_shape,
                         .branch_shape = branch_shape,
                         .states_shape = states_shape};
  cameo_gpu *gpu;
  cameo_gpu_session *session = NULL;
  int is_done = cameo_gpu_load(&decided_gpu, 0, NULL, &gpu) == CAMEO_OK &&
                cameo_gpu_session_create(gpu, NULL, &session) == CAMEO_OK;
  for (int run = 0; run < 2 && is_done; ++run) {
    is_done = decided_run(session, &in, &out) == CAMEO_OK;
    print("kept", kept, kept_shape, 1);
    print("branch", branch, branch_shape, 1);
    print("states", states, states_shape, 2);
    c = 0, n = 0, x[1] = 4, out.states_shape = NULL;
  }
  const void *inputs[] = {in.x, in.c, in.n};
  void *outputs[] = {kept, branch, states, last, NULL, NULL, NULL};
  if (is_done && cameo_gpu_time_runs(session, inputs, outputs, NULL, /*uses_graph=*/1, 1, milliseconds) != CAMEO_OK)
    printf("%s\n", cameo_gpu_error());
  n = 1000; /* of which five are taken */
  is_done =
      is_done && cameo_gpu_time_runs(session, inputs, outputs, NULL, /*uses_graph=*/0, 1, milliseconds) == CAMEO_OK;
  printf("%s\n", is_done ? "done" : cameo_gpu_error());
  cameo_gpu_session_destroy(session);
  cameo_gpu_unload(gpu);
  return 0;
}
