/* A measurement package: candidates for one target, what to measure of each, and all that this takes. It goes through
 * the standard input of cameo-worker, lies in a file, or follows a worker in a bundle. Plain C, because the worker is;
 * little-endian, and the same for machines of 32 and 64 bits.
 *
 * The header is followed by `blob_count` cameo_package_blob, by `item_count` cameo_package_item, and by the contents of
 * the blobs, each at a multiple of 64. What comes back is lines of JSON: see README.md. */
#ifndef CAMEO_AUTOTUNE_MEASURE_PACKAGEFORMAT_H
#define CAMEO_AUTOTUNE_MEASURE_PACKAGEFORMAT_H

#include <stdint.h>

#define CAMEO_PACKAGE_MAGIC 0x4b435043u
#define CAMEO_PACKAGE_VERSION 2u
#define CAMEO_PACKAGE_NO_BLOB UINT32_MAX
#define CAMEO_CANDIDATE_PREFIX "candidate"
#define CAMEO_CANDIDATE_SYMBOL CAMEO_CANDIDATE_PREFIX "_description"
/* Of a candidate whose kernels run on a GPU: its cameo_gpu_model. */
#define CAMEO_CANDIDATE_GPU_SYMBOL CAMEO_CANDIDATE_PREFIX "_gpu"

/* Measurements of one candidate at most. */
#define CAMEO_PACKAGE_MAX_REPEATS 256u
/* What a disturbed candidate is measured again, at most. */
#define CAMEO_PACKAGE_MAX_RETRIES 16u

/* What candidates are for. */
typedef struct cameo_package_target {
  uint32_t machine; /* e_machine of their ELF header */
  uint32_t reserved;
  uint32_t features[8]; /* that the processor must have: those of a cameo_cpu */
} cameo_package_target;

typedef struct cameo_package {
  uint32_t magic, version;
  uint64_t bytes;                  /* of the whole package */
  uint64_t digest;                 /* cameo_package_digest of all that follows this field */
  uint32_t blob_count, item_count; /* a package without items asks what the machine is */
  cameo_package_target target;
} cameo_package;
#define CAMEO_PACKAGE_DIGESTED_FROM 24 /* bytes before it are not part of the digest */

typedef struct cameo_package_blob {
  uint64_t offset, bytes; /* of the package */
} cameo_package_blob;

/* An input of a candidate, random for a seed: the same on every machine, but for the last bit of what the C library's
 * functions return. */
typedef struct cameo_package_input {
  uint64_t seed;
  float deviation;      /* of floating-point numbers; integers are 0 or 1, bytes are any */
  int32_t element_type; /* cameo_element_type */
} cameo_package_input;

typedef enum cameo_package_kind {
  CAMEO_PACKAGE_TIME = 0,    /* measure the image */
  CAMEO_PACKAGE_COMPARE = 1, /* compare it with the reference, which the worker keeps */
  CAMEO_PACKAGE_CONFIRM = 2, /* the same, and measure it in turns with the rival */
  /* The same, if the item `brief` of this package was measured; before those of its task that follow. */
  CAMEO_PACKAGE_CONFIRM_DEFAULT = 3,
  /* The same, if the item `brief` is one of the fastest of its task, and faster than best_seconds and what was
   * confirmed. */
  CAMEO_PACKAGE_CONFIRM_IF_BEST = 4
} cameo_package_kind;

typedef struct cameo_package_item {
  uint64_t id;           /* of what is measured: the same work has the same one in every package */
  uint64_t task;         /* items of one task share it */
  uint64_t reference_id; /* of the outputs that image is compared with; the worker keeps them for later packages */
  /* What inputs and weights take together; the worker keeps so much random data. */
  uint64_t random_bytes, rival_random_bytes;
  /* Every run has random weights of its own until so many bytes were read: they come from where a whole model of this
   * size has them. 0: all runs have the same. On a GPU so many bytes of its memory are written before each run. */
  uint64_t rotation_bytes, rival_rotation_bytes;
  uint64_t memory_bytes;     /* that the candidate may add to the worker's address space */
  double min_repeat_seconds; /* a measurement takes at least so long: it runs more often */
  /* Of another candidate of the task, which this one has to be faster than; 0: there is none. The best one of the
   * package counts, too. */
  double best_seconds;
  /* It is given up when the fastest of its n measurements is above best_seconds * (1 + stop_margin / n). */
  double stop_margin;
  double timeout_seconds; /* for a process of the image; reference_timeout_seconds for one of the reference */
  double reference_timeout_seconds;
  double cool_down_seconds; /* sleeps so long before measuring */
  double disturbed_factor;  /* above so many times the fastest sentinel the machine counts as disturbed */
  uint32_t kind;            /* cameo_package_kind */
  uint32_t brief;           /* number of an item before this one */
  /* Blobs: shared libraries that export CAMEO_CANDIDATE_SYMBOL, a cameo_model_description, and need no other one. */
  uint32_t image, rival, reference;
  uint32_t inputs;                     /* blob of one cameo_package_input per input, for what is compared */
  uint32_t weights, reference_weights; /* blobs: the files of external weights, for what is compared */
  uint32_t repeats;                    /* measurements */
  uint32_t turns;                      /* that these are taken in, if there is a rival */
  uint32_t number;                     /* runs per measurement, at least */
  uint32_t warm_up;                    /* runs before the first measurement */
  uint32_t threads;
  uint32_t weights_type;      /* cameo_element_type of random data */
  uint32_t disturbed_retries; /* a disturbed candidate is measured so many times more */
  int32_t cpu;                /* runs on this CPU only; -1: on any */
  double least_tolerance;     /* how far floats may be off at least, as a part of the largest one that is expected */
} cameo_package_item;

/* The last bytes of a bundle: a worker, padded to a multiple of 64, and a package are before it. */
typedef struct cameo_bundle_end {
  uint64_t package_bytes;
  char magic[8]; /* CAMEO_BUNDLE_MAGIC */
} cameo_bundle_end;
#define CAMEO_BUNDLE_MAGIC "CAMEOPKG"

/* FNV-1a over words of eight bytes: of a package that was cut off or mixed up, not against who means harm. */
static inline uint64_t cameo_package_digest(const void *bytes, uint64_t count) {
  const unsigned char *at = (const unsigned char *)bytes;
  uint64_t digest = 0xcbf29ce484222325u, word;
  for (; count >= 8; at += 8, count -= 8) {
    word = 0;
    for (int i = 7; i >= 0; --i)
      word = word << 8 | at[i];
    digest = (digest ^ word) * 0x100000001b3u;
    digest ^= digest >> 32;
  }
  for (; count > 0; --count)
    digest = (digest ^ *at++) * 0x100000001b3u;
  return digest;
}

#endif
