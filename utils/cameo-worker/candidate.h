/* Runs one candidate in its own process. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_CANDIDATE_H
#define CAMEO_UTILS_CAMEO_WORKER_CANDIDATE_H

#include "compare.h"
#include "package.h"

typedef enum candidate_work {
  CANDIDATE_TIMES,
  CANDIDATE_KEEPS_OUTPUTS, /* runs once, and writes its outputs to the file `reference` */
  CANDIDATE_COMPARES       /* runs once, and compares its outputs with those in the file */
} candidate_work;

/* Data of the worker for a candidate, which only reads it. */
typedef struct candidate_source {
  const cameo_package_item *item;
  candidate_work work;
  bytes image, inputs, weights;
  int reference;
  uint32_t repeats;
  double best_seconds;
  const char *random; /* random_bytes and rotation_bytes of random data of item->weights_type */
  uint64_t random_bytes, rotation_bytes;
  uint64_t *rotation; /* offset of the next weights within the rotation; shared by all candidates, which advance it */
} candidate_source;

typedef enum candidate_status {
  CANDIDATE_OK,
  CANDIDATE_BAD_IMAGE, /* cannot be loaded, or is no description of this ABI */
  CANDIDATE_REFUSED,   /* `run` returned a cameo_status */
  CANDIDATE_CRASHED,
  CANDIDATE_TIMED_OUT,
  CANDIDATE_NO_MEMORY, /* for the candidate's buffers */
  CANDIDATE_IS_WRONG,
  CANDIDATE_FAILED /* the worker itself, or the package */
} candidate_status;

/* Followed by message_bytes of text and by cost_count doubles, seconds of one run each. */
typedef struct candidate_reply {
  uint32_t status; /* candidate_status */
  uint32_t cost_count;
  uint32_t interruptions; /* measurements that the system interrupted; they are repeated if possible */
  uint32_t message_bytes;
  double sentinel_seconds; /* time of a fixed computation, the slower of before and after; it reveals a disturbed
                            * machine */
  difference found;        /* set for CANDIDATE_COMPARES */
} candidate_reply;

/* Loads and runs the candidate and writes a reply to `descriptor`. Called in a child process, because the candidate may
 * crash, hang or exhaust memory. */
void run_candidate(const candidate_source *source, int descriptor);

#endif
