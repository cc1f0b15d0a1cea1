/* A candidate that is loaded, in its process. */
#ifndef CAMEO_WORKER_CANDIDATE_STATE_H
#define CAMEO_WORKER_CANDIDATE_STATE_H

#include "candidate.h"

#include "cameo/gpu.h"
#include "cameo/runtime.h"

typedef struct candidate {
  const candidate_source *source;
  const cameo_package_item *item;
  const cameo_model_description *model;
  const cameo_gpu_model *gpu_model; /* null: the processor runs it */
  cameo_gpu *gpu;
  cameo_gpu_session *gpu_session;
  cameo_context context;
  const void **inputs;
  void **outputs;
  char *output_memory; /* all outputs, each at a multiple of CAMEO_ALIGNMENT */
  uint64_t output_bytes;
  void *workspace;
  uint64_t workspace_bytes;
  char *weights; /* where those of all runs begin; null: not random, or there are none */
  candidate_reply reply;
  char message[256];
  double costs[CAMEO_PACKAGE_MAX_REPEATS];
} candidate;

static inline uint64_t align_up(uint64_t bytes) {
  return (bytes + CAMEO_ALIGNMENT - 1) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT;
}

/* Keeps what went wrong; false, always. */
bool give_up(candidate *self, candidate_status status, const char *message);
bool run_once(candidate *self);

/* The same of a candidate for a GPU: takes it there when its data is bound, runs it, and measures the mean seconds of
 * `number` runs by the clock of the device, below 0 on failure. */
bool start_on_gpu(candidate *self);
bool run_on_gpu(candidate *self);
double measure_on_gpu(candidate *self, uint64_t number);

/* Weights for the next run, where they are random. */
void take_weights(candidate *self);
/* Measures a candidate whose data is bound; false if a run of it failed. */
bool time_candidate(candidate *self);

#endif
