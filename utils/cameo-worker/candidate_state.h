/* The state of a loaded candidate, in its process. */
#ifndef CAMEO_WORKER_CANDIDATE_STATE_H
#define CAMEO_WORKER_CANDIDATE_STATE_H

#include "candidate.h"

#include "cameo/gpu.h"
#include "cameo/runtime.h"

typedef struct candidate {
  const candidate_source *source;
  const cameo_package_item *item;
  const cameo_model_description *model;
  const cameo_gpu_model *gpu_model; /* null: it runs on the CPU */
  cameo_gpu *gpu;
  cameo_gpu_session *gpu_session;
  cameo_context context;
  const void **inputs;
  void **outputs;
  char *output_memory; /* all outputs, each at a multiple of CAMEO_ALIGNMENT */
  uint64_t output_bytes;
  void *workspace;
  uint64_t workspace_bytes;
  char *weights; /* start of the weights of all runs; null: not random, or there are none */
  candidate_reply reply;
  char message[256];
  double costs[CAMEO_PACKAGE_MAX_REPEATS];
} candidate;

static inline uint64_t align_up(uint64_t bytes) {
  return (bytes + CAMEO_ALIGNMENT - 1) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT;
}

/* Stores an error. Always returns false. */
bool give_up(candidate *self, candidate_status status, const char *message);
bool run_once(candidate *self);

/* The same for a candidate on a GPU. start_on_gpu loads it after its data is bound, run_on_gpu runs it, and
 * measure_on_gpu returns the mean time of `number` runs in seconds by the clock of the device, negative on failure. */
bool start_on_gpu(candidate *self);
bool run_on_gpu(candidate *self);
double measure_on_gpu(candidate *self, uint64_t number);

/* Selects the weights for the next run, if they are random. */
void take_weights(candidate *self);
/* Measures a candidate whose data is bound. Returns false if a run failed. */
bool time_candidate(candidate *self);

#endif
