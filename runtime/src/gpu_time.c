/* Measures runs and steps by events of the device, with and without a graph, and returns the name of a device. */
#include "cameo/gpu_time.h"

#include "gpu_session.h"

#include <stdlib.h>

struct timer {
  void *begin, *end;        /* events */
  void *graph, *executable; /* null if no graph is used */
  device_address written;   /* memory that the runs do not use; 0: none */
  uint64_t written_bytes;
};

static cameo_status capture(cameo_gpu_session *session, struct timer *timer) {
  const gpu_driver *driver = session->gpu->driver;
  enum { THREAD_LOCAL = 1 };
  if (cameo_gpu_waits(session->gpu->model))
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT,
                          "a run of this model waits for computed values or for strings, and cannot be captured");
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

static cameo_status time_run(cameo_gpu_session *session, const struct timer *timer, float *milliseconds) {
  const gpu_driver *driver = session->gpu->driver;
  cuda_result result =
      timer->written ? driver->cuMemsetD8Async(timer->written, 0, timer->written_bytes, session->stream) : 0;
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

static cameo_status time_runs(cameo_gpu_session *session, struct timer *timer, int32_t uses_graph, uint32_t count,
                              float *milliseconds) {
  const gpu_driver *driver = session->gpu->driver;
  cuda_result result = driver->cuEventCreate(&timer->begin, 0);
  if (result == 0)
    result = driver->cuEventCreate(&timer->end, 0);
  if (result != 0)
    return cameo_gpu_fail_driver(driver, "timing a run", result);
  cameo_status status = uses_graph ? capture(session, timer) : CAMEO_OK;
  for (uint32_t i = 0; i < count && status == CAMEO_OK; ++i)
    status = time_run(session, timer, &milliseconds[i]);
  return status;
}

static cameo_status time_all(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                             const int64_t *symbols, int32_t uses_graph, uint64_t written_bytes, uint32_t count,
                             float *milliseconds) {
  if (count == 0 || !milliseconds)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected at least one run, and a pointer for the times");
  cameo_status status = cameo_gpu_begin_run(session, inputs, outputs, symbols);
  if (status != CAMEO_OK)
    return status;
  const gpu_driver *driver = session->gpu->driver;
  struct timer timer = {.written_bytes = written_bytes};
  cuda_result result = written_bytes > 0 ? driver->cuMemAlloc_v2(&timer.written, written_bytes) : 0;
  status = result == 0 ? cameo_gpu_copy_inputs(session, inputs) : cameo_gpu_fail_driver(driver, "timing a run", result);
  if (status == CAMEO_OK)
    status = time_runs(session, &timer, uses_graph, count, milliseconds);
  if (status == CAMEO_OK)
    status = cameo_gpu_copy_outputs(session, outputs);
  if (timer.written)
    driver->cuMemFree_v2(timer.written);
  if (timer.executable)
    driver->cuGraphExecDestroy(timer.executable);
  if (timer.graph)
    driver->cuGraphDestroy(timer.graph);
  if (timer.begin)
    driver->cuEventDestroy_v2(timer.begin);
  if (timer.end)
    driver->cuEventDestroy_v2(timer.end);
  cameo_gpu_leave(session->gpu);
  return status;
}

cameo_status cameo_gpu_time_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols, int32_t uses_graph, uint32_t count, float *milliseconds) {
  return time_all(session, inputs, outputs, symbols, uses_graph, 0, count, milliseconds);
}

cameo_status cameo_gpu_time_cold_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                      const int64_t *symbols, uint64_t written_bytes, uint32_t count,
                                      float *milliseconds) {
  return time_all(session, inputs, outputs, symbols, /*uses_graph=*/0, written_bytes, count, milliseconds);
}

/* `events` holds two events for each step, around its last execution. */
static cameo_status time_steps(cameo_gpu_session *session, void **events, device_address written,
                               uint64_t written_bytes, float *milliseconds) {
  const gpu_driver *driver = session->gpu->driver;
  uint32_t count = session->gpu->model->step_count;
  cuda_result result = 0;
  for (uint32_t i = 0; i < 2 * count && result == 0; ++i)
    result = driver->cuEventCreate(&events[i], 0);
  /* Enqueueing a step takes a few microseconds. */
  enum { STEPS_PER_WRITE = 8 };
  for (uint32_t i = 0; written && i <= count / STEPS_PER_WRITE && result == 0; ++i)
    result = driver->cuMemsetD8Async(written, 0, written_bytes, session->stream);
  /* Negative until the step is executed. */
  for (uint32_t i = 0; i < count; ++i)
    milliseconds[i] = -1;
  cameo_status status = CAMEO_OK;
  cameo_gpu_begin_steps(session);
  for (uint32_t i = 0, next = 0; i < count && result == 0 && status == CAMEO_OK; i = next) {
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

cameo_status cameo_gpu_time_steps(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                  const int64_t *symbols, uint64_t written_bytes, float *milliseconds) {
  if (!milliseconds)
    return cameo_gpu_fail(CAMEO_INVALID_ARGUMENT, "expected a pointer for the times of the steps, got NULL");
  cameo_status status = cameo_gpu_begin_run(session, inputs, outputs, symbols);
  if (status != CAMEO_OK)
    return status;
  const gpu_driver *driver = session->gpu->driver;
  uint32_t count = session->gpu->model->step_count;
  void **events = calloc(2 * (size_t)count + 1, sizeof *events);
  device_address written = 0;
  cuda_result result = written_bytes > 0 ? driver->cuMemAlloc_v2(&written, written_bytes) : 0;
  if (!events)
    status = cameo_gpu_fail(CAMEO_OUT_OF_MEMORY, "out of memory");
  else
    status =
        result == 0 ? cameo_gpu_copy_inputs(session, inputs) : cameo_gpu_fail_driver(driver, "timing a run", result);
  if (status == CAMEO_OK)
    status = time_steps(session, events, written, written_bytes, milliseconds);
  if (status == CAMEO_OK)
    status = cameo_gpu_copy_outputs(session, outputs);
  for (uint32_t i = 0; events && i < 2 * count; ++i)
    if (events[i])
      driver->cuEventDestroy_v2(events[i]);
  free(events);
  if (written)
    driver->cuMemFree_v2(written);
  cameo_gpu_leave(session->gpu);
  return status;
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
