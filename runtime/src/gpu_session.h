/* A session, and the parts of a run. */
#ifndef CAMEO_GPU_SESSION_H
#define CAMEO_GPU_SESSION_H

#include "gpu_driver.h"

/* Of a tensor of the host on the device. */
struct staged {
  device_address address; /* 0 before there is any */
  uint64_t bytes;
};

struct cameo_gpu_session {
  cameo_gpu *gpu;
  void *stream;
  device_address workspace, empty; /* the latter in place of every tensor without elements */
  uint64_t workspace_bytes;
  struct staged *staged;   /* of inputs, and behind them of outputs */
  device_address *tensors; /* of one run, in that order */
  uint64_t *tensor_bytes;
  int64_t *numbers;          /* of one run */
  device_address *addresses; /* of the buffers of one launch */
  void **arguments;          /* where these are */
};

/* Takes the sizes and addresses of a run. Behind it the thread is in the context of the device, if that is CAMEO_OK. */
cameo_status cameo_gpu_begin_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols);

/* In that context: makes memory for tensors of the host, which the run takes in place of the addresses that it was
 * given, and copies the inputs. */
cameo_status cameo_gpu_copy_inputs(cameo_gpu_session *session, const void *const *inputs);
cameo_status cameo_gpu_enqueue_step(cameo_gpu_session *session, uint32_t number, void *stream);
cameo_status cameo_gpu_enqueue_steps(cameo_gpu_session *session, void *stream);
/* Waits, too. */
cameo_status cameo_gpu_copy_outputs(cameo_gpu_session *session, void *const *outputs);

#endif
