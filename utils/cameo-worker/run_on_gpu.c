/* Runs a candidate on the first device of the driver. A CUDA context does not survive a fork, and a fault destroys it,
 * so each child creates its own. */
#define _GNU_SOURCE
#include "candidate_state.h"
#include "machine.h"

#include "cameo/gpu_time.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs in a child process: after the driver was opened in the worker, its children could not use it any more. */
const char *name_of_gpu(void) {
  static char name[128];
  int ends[2];
  if (pipe(ends) != 0)
    return name;
  pid_t child = fork();
  if (child == 0) {
    if (cameo_gpu_device_name(/*device=*/0, name, sizeof(name)) != CAMEO_OK) {
      fprintf(stderr, "cameo-worker: %s\n", cameo_gpu_error());
      _exit(1);
    }
    _exit(write(ends[1], name, strlen(name)) < 0);
  }
  close(ends[1]);
  ssize_t count = child < 0 ? 0 : read(ends[0], name, sizeof(name) - 1);
  close(ends[0]);
  if (child > 0)
    waitpid(child, NULL, 0);
  name[count > 0 ? count : 0] = 0;
  /* Replaces characters that JSON would have to escape. */
  for (char *each = name; *each; ++each)
    if (*each < ' ' || *each > '~' || *each == '"' || *each == '\\')
      *each = ' ';
  return name;
}

static bool give_up_on_gpu(candidate *self) { return give_up(self, CANDIDATE_REFUSED, cameo_gpu_error()); }

bool start_on_gpu(candidate *self) {
  if (cameo_gpu_load(self->gpu_model, /*device=*/0, self->context.weights, &self->gpu) != CAMEO_OK ||
      cameo_gpu_session_create(self->gpu, NULL, &self->gpu_session) != CAMEO_OK)
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
  if (cameo_gpu_time_cold_runs(self->gpu_session, self->inputs, self->outputs, NULL, self->source->rotation_bytes,
                               count, milliseconds) != CAMEO_OK) {
    give_up_on_gpu(self);
    return -1;
  }
  for (uint32_t i = 0; i < count; ++i)
    seconds += (double)milliseconds[i] * 1e-3;
  /* The clock may not have advanced. */
  return (seconds > tick ? seconds : tick) / count;
}
