/* Measures the time of each task through cameo_context.profile. The caller provides the memory, so profiling allocates
 * nothing. */
#define _POSIX_C_SOURCE 200809L
#include "cameo/runtime.h"

#include <string.h>
#include <time.h>

uint64_t cameo_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void record(void *user, uint32_t task_index, int32_t begin) {
  cameo_profile *profile = user;
  uint64_t now = cameo_now();
  if (begin) {
    profile->started = now;
    return;
  }
  /* The context may belong to a model with more tasks than the array has entries. */
  if (task_index >= profile->task_count)
    return;
  profile->tasks[task_index].nanoseconds += now - profile->started;
  profile->tasks[task_index].count += 1;
}

void cameo_profile_start(cameo_profile *profile, cameo_task_profile *tasks, uint32_t task_count,
                         cameo_context *context) {
  if (task_count > 0)
    memset(tasks, 0, task_count * sizeof *tasks);
  *profile = (cameo_profile){.tasks = tasks, .task_count = task_count};
  context->profile = record;
  context->profile_user = profile;
}
