/* One candidate in a process of its own. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_CANDIDATE_H
#define CAMEO_UTILS_CAMEO_WORKER_CANDIDATE_H

#include "autotune/Measure/WorkerProtocol.h"

/* What the worker holds for it; all of it is only read. */
typedef struct candidate_source {
  const cameo_worker_request *request;
  int image;          /* a file with the image */
  const char *data;   /* request->data_bytes of inputs and weights; null: random */
  const char *random; /* request->random_bytes and request->rotation_bytes of random data of request->weights_type */
  uint64_t *rotation; /* where the next weights lie among the bytes that rotate; shared by all candidates, which advance it */
} candidate_source;

/* Loads, runs and measures the candidate and writes a reply to `descriptor`. Called in a child process, which may crash, hang or
 * eat memory here. */
void run_candidate(const candidate_source *source, int descriptor);

#endif
