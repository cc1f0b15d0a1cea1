/* Children that run candidates, and what became of them. */
#ifndef CAMEO_WORKER_CHILD_H
#define CAMEO_WORKER_CHILD_H

#include "buffer.h"
#include "candidate.h"

typedef struct outcome {
  candidate_reply reply;
  const char *message; /* what went wrong; empty: nothing */
  const double *costs;
} outcome;

/* Runs a candidate in a process of its own, which is ended when its time is over. What `outcome` points to lies in
 * `text`, or lives for ever. */
outcome run_child(const candidate_source *source, double timeout_seconds, buffer *text);

#endif
