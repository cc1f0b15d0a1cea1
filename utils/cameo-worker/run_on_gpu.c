/* A candidate on the first device of the driver. Contexts do not outlive a fork, and a fault ends one for good: each child has its own. */
#include "candidate_state.h"

#include "cameo/gpu_time.h"

static bool give_up_on_gpu(candidate *self) { return give_up(self, CANDIDATE_REFUSED, cameo_gpu_error()); }

bool start_on_gpu(candidate *self) {
  if (cameo_gpu_load(self->gpu_model, /*device=*/0, self->context.weights, &self->gpu) != CAMEO_OK || cameo_gpu_session_create(self->gpu, NULL, &self->gpu_session) != CAMEO_OK)
    return give_up_on_gpu(self);
  return true;
}

bool run_on_gpu(candidate *self) {
  return cameo_gpu_run(self->gpu_session, self->inputs, self->outputs, NULL) == CAMEO_OK || give_up_on_gpu(self);
}

double measure_on_gpu(candidate *self, uint64_t number) {
  enum { most = 256 };
  const double tick = 1e-9;
  float milliseconds[most];
  uint32_t count = number < most ? (uint32_t)number : most;
  double seconds = 0;
  if (cameo_gpu_time_cold_runs(self->gpu_session, self->inputs, self->outputs, NULL, self->source->rotation_bytes, count, milliseconds) != CAMEO_OK) {
    give_up_on_gpu(self);
    return -1;
  }
  for (uint32_t i = 0; i < count; ++i)
    seconds += (double)milliseconds[i] * 1e-3;
  /* A clock may not have moved. */
  return (seconds > tick ? seconds : tick) / count;
}
