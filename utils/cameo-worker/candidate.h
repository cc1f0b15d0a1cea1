/* One candidate in a process of its own. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_CANDIDATE_H
#define CAMEO_UTILS_CAMEO_WORKER_CANDIDATE_H

#include "compare.h"
#include "package.h"

typedef enum candidate_work {
  CANDIDATE_TIMES,
  CANDIDATE_KEEPS_OUTPUTS, /* runs once, and writes its outputs to the file `reference` */
  CANDIDATE_COMPARES       /* runs once, and compares them with those that the file has */
} candidate_work;

/* What the worker holds for it; all of it is only read. */
typedef struct candidate_source {
  const cameo_package_item *item;
  candidate_work work;
  bytes image, inputs, weights;
  int reference;
  uint32_t repeats;
  double best_seconds;
  const char *random; /* random_bytes and rotation_bytes of random data of item->weights_type */
  uint64_t random_bytes, rotation_bytes;
  uint64_t *
      rotation; /* where the next weights lie among the bytes that rotate; shared by all candidates, which advance it */
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
  uint32_t interruptions; /* measurements that the system broke into, taken again where possible */
  uint32_t message_bytes;
  double sentinel_seconds; /* a fixed computation, the slower of before and after: it shows a disturbed machine */
  difference found;        /* of a candidate that compares */
} candidate_reply;

/* Loads and runs the candidate and writes a reply to `descriptor`. Called in a child process, which may crash, hang or
 * eat memory here. */
void run_candidate(const candidate_source *source, int descriptor);

#endif
