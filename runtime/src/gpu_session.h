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
  device_address counters; /* 0 where there are none */
  struct staged *staged;   /* of inputs, and behind them of outputs */
  device_address *tensors; /* of one run, in that order */
  uint64_t *tensor_bytes;
  int64_t *numbers;          /* of one run */
  int64_t *found;            /* sizes that its steps have found, -1 before */
  int64_t *rounds;           /* of the loop at each step */
  const int64_t *symbols;    /* of one run */
  device_address *addresses; /* of the buffers of one launch */
  void **arguments;          /* where these are */
};

/* Takes the sizes and addresses of a run. Behind it the thread is in the context of the device, if that is CAMEO_OK. */
cameo_status cameo_gpu_begin_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols);

/* In that context: makes memory for tensors of the host, which the run takes in place of the addresses that it was
 * given, and copies the inputs. */
cameo_status cameo_gpu_copy_inputs(cameo_gpu_session *session, const void *const *inputs);

/* Does step `number`, and says which one is next. */
cameo_status cameo_gpu_enqueue_step(cameo_gpu_session *session, uint32_t number, void *stream, uint32_t *next);
/* All of a run. */
cameo_status cameo_gpu_enqueue_steps(cameo_gpu_session *session, void *stream);
/* Whether some step waits for what data decides. */
int cameo_gpu_waits(const cameo_gpu_model *model);
/* Behind the steps: the bytes of outputs that data decides, and their dimensions to where the caller wants them. */
void cameo_gpu_take_shapes(cameo_gpu_session *session, void *const *outputs);
/* Waits, too. */
cameo_status cameo_gpu_copy_outputs(cameo_gpu_session *session, void *const *outputs);

#endif
