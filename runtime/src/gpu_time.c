/* Measures runs and steps by events of the device, with and without a graph, and returns the name of a device. */
#include "cameo/gpu_time.h"

#include "gpu_session.h"

#include <stdlib.h>

/* What is measured. */
struct timing {
  uint64_t written_bytes; /* of device memory that the runs do not use, which is written before the measured work */
  device_address written; /* that memory; 0: none */
  int32_t uses_graph;
  uint32_t count; /* runs */
  float *milliseconds;
};

struct timer {
  void *begin, *end;        /* events */
  void *graph, *executable; /* null if no graph is used */
};

static cameo_status capture(cameo_gpu_session *session, struct timer *timer) {
  const gpu_driver *driver = session->gpu->driver;
  enum { THREAD_LOCAL = 1 };
  if (cameo_gpu_waits(session->gpu->model))
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT,
                          "a run of this model waits for computed values or for the host, and cannot be captured");
  cuda_result result = driver->cuStreamBeginCapture_v2(session->stream, THREAD_LOCAL);
  if (result != 0)
    return cameo_gpu_fail_driver(driver, "capturing a run", result);
  cameo_status status = cameo_gpu_enqueue_steps(session, session->stream);
  result = driver->cuStreamEndCapture(session->stream, &timer->graph);
  if (status != CAMEO_OK)
    return status;
  if (result == 0)
    result = driver->cuGraphInstantiateWithFlags(&timer->executable, timer->graph, 0);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "capturing a run", result);
}

static cameo_status time_run(cameo_gpu_session *session, const struct timing *timing, const struct timer *timer,
                             float *milliseconds) {
  const gpu_driver *driver = session->gpu->driver;
  cuda_result result =
      timing->written ? driver->cuMemsetD8Async(timing->written, 0, timing->written_bytes, session->stream) : 0;
  if (result == 0)
    result = driver->cuEventRecord(timer->begin, session->stream);
  cameo_status status = CAMEO_OK;
  if (result == 0 && timer->executable)
    result = driver->cuGraphLaunch(timer->executable, session->stream);
  else if (result == 0)
    status = cameo_gpu_enqueue_steps(session, session->stream);
  if (status != CAMEO_OK)
    return status;
  if (result == 0)
    result = driver->cuEventRecord(timer->end, session->stream);
  if (result == 0)
    result = driver->cuStreamSynchronize(session->stream);
  if (result == 0)
    result = driver->cuEventElapsedTime(milliseconds, timer->begin, timer->end);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "timing a run", result);
}

static cameo_status time_runs(cameo_gpu_session *session, const struct timing *timing) {
  const gpu_driver *driver = session->gpu->driver;
  struct timer timer = {0};
  cuda_result result = driver->cuEventCreate(&timer.begin, 0);
  if (result == 0)
    result = driver->cuEventCreate(&timer.end, 0);
  cameo_status status = result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "timing a run", result);
  if (status == CAMEO_OK && timing->uses_graph)
    status = capture(session, &timer);
  for (uint32_t i = 0; i < timing->count && status == CAMEO_OK; ++i)
    status = time_run(session, timing, &timer, &timing->milliseconds[i]);
  if (timer.executable)
    driver->cuGraphExecDestroy(timer.executable);
  if (timer.graph)
    driver->cuGraphDestroy(timer.graph);
  if (timer.begin)
    driver->cuEventDestroy_v2(timer.begin);
  if (timer.end)
    driver->cuEventDestroy_v2(timer.end);
  return status;
}

/* Measures between the copies of the inputs and those of the outputs. */
static cameo_status measure(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                            const int64_t *symbols, struct timing timing,
                            cameo_status (*time)(cameo_gpu_session *session, const struct timing *timing)) {
  if (timing.count == 0 || !timing.milliseconds)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected at least one run, and a pointer for the times");
  cameo_status status = cameo_gpu_begin_run(session, inputs, outputs, symbols);
  if (status != CAMEO_OK)
    return status;
  const gpu_driver *driver = session->gpu->driver;
  cuda_result result = timing.written_bytes > 0 ? driver->cuMemAlloc_v2(&timing.written, timing.written_bytes) : 0;
  status = result == 0 ? cameo_gpu_copy_inputs(session, inputs) : cameo_gpu_fail_driver(driver, "timing a run", result);
  if (status == CAMEO_OK)
    status = time(session, &timing);
  if (status == CAMEO_OK)
    status = cameo_gpu_copy_outputs(session, outputs);
  if (timing.written)
    driver->cuMemFree_v2(timing.written);
  cameo_gpu_leave(session->gpu);
  return status;
}

cameo_status cameo_gpu_time_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols, int32_t uses_graph, uint32_t count, float *milliseconds) {
  struct timing timing = {.uses_graph = uses_graph, .count = count, .milliseconds = milliseconds};
  return measure(session, inputs, outputs, symbols, timing, time_runs);
}

cameo_status cameo_gpu_time_cold_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                      const int64_t *symbols, uint64_t written_bytes, uint32_t count,
                                      float *milliseconds) {
  struct timing timing = {.written_bytes = written_bytes, .count = count, .milliseconds = milliseconds};
  return measure(session, inputs, outputs, symbols, timing, time_runs);
}

/* `events` holds two events for each step, around its last execution. */
static cameo_status time_steps_between(cameo_gpu_session *session, const struct timing *timing, void **events) {
  const gpu_driver *driver = session->gpu->driver;
  uint32_t count = session->gpu->model->step_count;
  float *milliseconds = timing->milliseconds;
  cuda_result result = 0;
  for (uint32_t i = 0; i < 2 * count && result == 0; ++i)
    result = driver->cuEventCreate(&events[i], 0);
  /* Enqueueing a step takes a few microseconds. */
  enum { STEPS_PER_WRITE = 8 };
  for (uint32_t i = 0; timing->written && i <= count / STEPS_PER_WRITE && result == 0; ++i)
    result = driver->cuMemsetD8Async(timing->written, 0, timing->written_bytes, session->stream);
  /* Negative until the step is executed. */
  for (uint32_t i = 0; i < count; ++i)
    milliseconds[i] = -1;
  cameo_status status = CAMEO_OK;
  cameo_gpu_begin_steps(session);
  for (uint32_t i = 0, next = 0; i < count && result == 0 && status == CAMEO_OK; i = next) {
    session->is_behind_launch = 0; /* each launch is timed by itself */
    result = driver->cuEventRecord(events[2 * i], session->stream);
    if (result == 0)
      status = cameo_gpu_enqueue_step(session, i, session->stream, &next);
    if (result == 0 && status == CAMEO_OK)
      result = driver->cuEventRecord(events[2 * i + 1], session->stream);
    milliseconds[i] = 0;
  }
  if (status != CAMEO_OK)
    return status;
  if (result == 0)
    result = driver->cuStreamSynchronize(session->stream);
  for (uint32_t i = 0; i < count && result == 0; ++i)
    if (milliseconds[i] < 0)
      milliseconds[i] = 0;
    else
      result = driver->cuEventElapsedTime(&milliseconds[i], events[2 * i], events[2 * i + 1]);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "timing a run", result);
}

static cameo_status time_steps(cameo_gpu_session *session, const struct timing *timing) {
  uint32_t count = session->gpu->model->step_count;
  void **events = calloc(2 * (size_t)count + 1, sizeof *events);
  if (!events)
    return cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  cameo_status status = time_steps_between(session, timing, events);
  for (uint32_t i = 0; i < 2 * count; ++i)
    if (events[i])
      session->gpu->driver->cuEventDestroy_v2(events[i]);
  free(events);
  return status;
}

cameo_status cameo_gpu_time_steps(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                  const int64_t *symbols, uint64_t written_bytes, float *milliseconds) {
  struct timing timing = {.written_bytes = written_bytes, .count = 1, .milliseconds = milliseconds};
  return measure(session, inputs, outputs, symbols, timing, time_steps);
}

cameo_status cameo_gpu_device_name(int32_t device, char *name, uint32_t bytes) {
  const gpu_driver *driver = cameo_gpu_driver();
  if (!driver)
    return CAMEO_NO_GPU;
  int found;
  cuda_result result = driver->cuDeviceGet(&found, device);
  if (result == 0)
    result = driver->cuDeviceGetName(name, (int)bytes, found);
  return result == 0 ? CAMEO_OK : cameo_gpu_fail_driver(driver, "finding the device", result);
}
