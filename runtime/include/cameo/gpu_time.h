/* Measures the time of runs on a GPU by the clock of the device, for tools such as cameo bench. */
#ifndef CAMEO_GPU_TIME_H
#define CAMEO_GPU_TIME_H

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `count` times with tensors in host memory, as cameo_gpu_run does, but copies the inputs once before the first
 * run and the outputs once after the last. Each run is between two events of the device, and `milliseconds[i]` is the
 * time between the events of run i. With `uses_graph`, the run is captured into a graph, which is launched each time;
 * CAMEO_INVALID_ARGUMENT if a run waits for data-dependent values. */
cameo_status cameo_gpu_time_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols, int32_t uses_graph, uint32_t count, float *milliseconds);

/* The same without a graph and with cold caches: before each run, and not included in its time, `written_bytes` of
 * device memory that the runs do not use are written, so that the caches hold no data of the runs. */
cameo_status cameo_gpu_time_cold_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                      const int64_t *symbols, uint64_t written_bytes, uint32_t count,
                                      float *milliseconds);

/* Runs once and measures each step: `milliseconds[i]` is the time between events around step i of the model, in the
 * last iteration if the step is in a loop, and 0 if the step is not executed. Before the run `written_bytes` of device
 * memory are written, several times if there are many steps. So the device stays busy until the steps are enqueued, and
 * its caches hold no data of the run. */
cameo_status cameo_gpu_time_steps(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                  const int64_t *symbols, uint64_t written_bytes, float *milliseconds);

/* Stores the name of device number `device` as the driver reports it, truncated to `bytes` including its terminating
 * zero. Fails like cameo_gpu_load if there is no driver or no such device. */
cameo_status cameo_gpu_device_name(int32_t device, char *name, uint32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
