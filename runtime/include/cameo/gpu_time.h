/* How long runs on a GPU take, by its own clock: for tools such as cameo bench. */
#ifndef CAMEO_GPU_TIME_H
#define CAMEO_GPU_TIME_H

#include "gpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs `count` times with tensors in the memory of the host, as cameo_gpu_run does, but copies once: before the first
 * run and behind the last. Each run is between two events of the device, and `milliseconds[i]` is the time between
 * those of run i. `uses_graph`: the run is captured into a graph, which is launched each time; CAMEO_INVALID_ARGUMENT
 * where a run waits for what data decides. */
cameo_status cameo_gpu_time_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols, int32_t uses_graph, uint32_t count, float *milliseconds);

/* The same without a graph; before each run, outside of its time, as many bytes of the device's memory are written, in
 * which the runs have nothing: so they find in its caches what is left there behind other work. */
cameo_status cameo_gpu_time_cold_runs(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                      const int64_t *symbols, uint64_t written_bytes, uint32_t count,
                                      float *milliseconds);

/* Runs once, and measures each step: `milliseconds[i]` is the time between events around step i of the model's, around
 * the last round of what is done again and again, and 0 where it is not done. Before
 * the run `written_bytes` of the device's memory are written, several times where there are many steps: so the device
 * is busy until steps are enqueued, and finds nothing of a run in its caches. */
cameo_status cameo_gpu_time_steps(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                  const int64_t *symbols, uint64_t written_bytes, float *milliseconds);

/* The name of device number `device`, in the driver's words, cut off to `bytes` with its end. Fails as cameo_gpu_load
 * does where there is no driver or no such device. */
cameo_status cameo_gpu_device_name(int32_t device, char *name, uint32_t bytes);

#ifdef __cplusplus
}
#endif
#endif
