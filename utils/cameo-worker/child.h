/* Runs candidates in child processes. */
#ifndef CAMEO_WORKER_CHILD_H
#define CAMEO_WORKER_CHILD_H

#include "buffer.h"
#include "candidate.h"

typedef struct outcome {
  candidate_reply reply;
  const char *message; /* error message, or "" */
  const double *costs;
} outcome;

/* Runs a candidate in a child process, which is killed after `timeout_seconds`. The pointers in the result refer to
 * `text` or to static memory. */
outcome run_child(const candidate_source *source, double timeout_seconds, buffer *text);

#endif
