/* A session, and the functions that make up a run. */
#ifndef CAMEO_GPU_SESSION_H
#define CAMEO_GPU_SESSION_H

#include "gpu_driver.h"

/* Device memory for a tensor that the caller passes in host memory. */
struct staged {
  device_address address; /* 0 before it is allocated */
  uint64_t bytes;
};

struct cameo_gpu_session {
  cameo_gpu *gpu;
  void *stream;
  device_address workspace, empty; /* `empty` is the address of every tensor without elements */
  uint64_t workspace_bytes;
  device_address counters; /* 0 if there are none */
  struct staged *staged;   /* of inputs, then of outputs */
  device_address *tensors; /* addresses of the current run, in the same order */
  uint64_t *tensor_bytes;
  int64_t *numbers;          /* of one run */
  int64_t *found;            /* sizes that its steps have bound, -1 before */
  int64_t *iterations;       /* current iteration of the loop that begins at each step */
  const int64_t *symbols;    /* of one run */
  device_address *addresses; /* addresses of the buffers of one launch */
  void **arguments;          /* pointers to these addresses; for a host kernel, the addresses of its buffers */
  char *call_memory;         /* host memory for the buffers of one host kernel; null before the first call */
  uint64_t call_memory_bytes;
  cameo_text_area *text_area; /* of one run; null if the model creates no strings */
  int is_behind_launch;       /* the last thing that the run has put into its stream is a launch of this model */
};

/* Sets the sizes and addresses of a run. On success, the context of the device is current on this thread. */
cameo_status cameo_gpu_begin_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                                 const int64_t *symbols);

/* Allocates device memory for tensors in host memory, uses it in place of the addresses that were passed, and copies
 * the inputs. The context of the device must be current. */
cameo_status cameo_gpu_copy_inputs(cameo_gpu_session *session, const void *const *inputs);

/* Call before the steps: clears the text area. The next launch waits until the stream has done everything before. */
void cameo_gpu_begin_steps(cameo_gpu_session *session);
/* Executes step `number`, and stores the number of the next step in `*next`. */
cameo_status cameo_gpu_enqueue_step(cameo_gpu_session *session, uint32_t number, void *stream, uint32_t *next);
/* Enqueues all steps of a run, from cameo_gpu_begin_steps on. */
cameo_status cameo_gpu_enqueue_steps(cameo_gpu_session *session, void *stream);
/* Returns whether a step waits for the stream. */
int cameo_gpu_waits(const cameo_gpu_model *model);
/* Call after the steps: computes the sizes of outputs with data-dependent dimensions, and stores these dimensions where
 * the caller wants them. */
void cameo_gpu_take_shapes(cameo_gpu_session *session, void *const *outputs);
/* Copies the outputs to the host and waits. */
cameo_status cameo_gpu_copy_outputs(cameo_gpu_session *session, void *const *outputs);

#endif
