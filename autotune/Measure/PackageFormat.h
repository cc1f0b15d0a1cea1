/* A measurement package holds candidates for one target, the measurements to take of each, and the data for them. It is
 * sent to the standard input of cameo-worker, stored in a file, or appended to a worker in a bundle. This header is
 * plain C because the worker is. Numbers are little-endian, and the layout is the same on machines of 32 and 64 bits.
 *
 * The header is followed by `blob_count` cameo_package_blob, by `item_count` cameo_package_item, and by the contents of
 * the blobs, each at a multiple of 64 bytes. The worker answers with lines of JSON: see README.md. */
#ifndef CAMEO_AUTOTUNE_MEASURE_PACKAGEFORMAT_H
#define CAMEO_AUTOTUNE_MEASURE_PACKAGEFORMAT_H

#include <stdint.h>

#define CAMEO_PACKAGE_MAGIC 0x4b435043u
#define CAMEO_PACKAGE_VERSION 2u
#define CAMEO_PACKAGE_NO_BLOB UINT32_MAX
#define CAMEO_CANDIDATE_PREFIX "candidate"
#define CAMEO_CANDIDATE_SYMBOL CAMEO_CANDIDATE_PREFIX "_description"
/* The cameo_gpu_model of a candidate whose kernels run on a GPU. */
#define CAMEO_CANDIDATE_GPU_SYMBOL CAMEO_CANDIDATE_PREFIX "_gpu"

/* Limit of the measurements of one candidate. */
#define CAMEO_PACKAGE_MAX_REPEATS 256u
/* Limit of the repetitions for a candidate that was measured on a disturbed machine. */
#define CAMEO_PACKAGE_MAX_RETRIES 16u

/* The machines that candidates are compiled for. */
typedef struct cameo_package_target {
  uint32_t machine; /* e_machine of their ELF header */
  uint32_t reserved;
  uint32_t features[8]; /* features that the processor must have, as in cameo_cpu */
} cameo_package_target;

typedef struct cameo_package {
  uint32_t magic, version;
  uint64_t bytes;                  /* size of the whole package */
  uint64_t digest;                 /* cameo_package_digest of everything after this field */
  uint32_t blob_count, item_count; /* a package without items only requests a description of the machine */
  cameo_package_target target;
} cameo_package;
#define CAMEO_PACKAGE_DIGESTED_FROM 24 /* bytes before it are not part of the digest */

typedef struct cameo_package_blob {
  uint64_t offset, bytes; /* position from the start of the package, and size */
} cameo_package_blob;

/* An input of a candidate: random data that the seed determines. The data are the same on every machine, except for the
 * last bit of values that functions of the C library return. */
typedef struct cameo_package_input {
  uint64_t seed;
  float deviation;      /* standard deviation of floating-point numbers; integers are 0 or 1, bytes have any value */
  int32_t element_type; /* cameo_element_type */
} cameo_package_input;

typedef enum cameo_package_kind {
  CAMEO_PACKAGE_TIME = 0,    /* measure the image */
  CAMEO_PACKAGE_COMPARE = 1, /* compare the outputs with those of the reference, which the worker keeps */
  CAMEO_PACKAGE_CONFIRM = 2, /* compare, and measure the image alternating with the rival */
  /* As CONFIRM, if the item `brief` was measured successfully. Runs before the other confirmations of its task. */
  CAMEO_PACKAGE_CONFIRM_DEFAULT = 3,
  /* As CONFIRM, if the item `brief` is one of the fastest of its task, and faster than best_seconds and than all
   * confirmed items. */
  CAMEO_PACKAGE_CONFIRM_IF_BEST = 4
} cameo_package_kind;

typedef struct cameo_package_item {
  uint64_t id;           /* identifies the work: equal work has the same id in every package */
  uint64_t task;         /* number that the items of a task share */
  uint64_t reference_id; /* identifies the outputs to compare with; the worker keeps them for later packages */
  /* Size of inputs and weights together. The worker keeps random data of this size. */
  uint64_t random_bytes, rival_random_bytes;
  /* Each run takes other random weights until this many bytes were read, so that weights come from the same level of
   * the memory hierarchy as in a whole model of this size. 0: all runs use the same weights. On a GPU, this many bytes
   * of device memory are written before each run. */
  uint64_t rotation_bytes, rival_rotation_bytes;
  uint64_t memory_bytes;     /* limit of what the candidate may add to the worker's address space */
  double min_repeat_seconds; /* minimum duration of a measurement, which runs the candidate as often as needed */
  /* Cost of another candidate of the task, which this one must beat. 0: none. Costs of earlier items of the package
   * count, too. */
  double best_seconds;
  /* Measuring stops when the fastest of the n measurements so far is above best_seconds * (1 + stop_margin / n). */
  double stop_margin;
  double timeout_seconds; /* limit for a process of the image; reference_timeout_seconds for one of the reference */
  double reference_timeout_seconds;
  double cool_down_seconds; /* time to sleep before measuring */
  double disturbed_factor;  /* the machine counts as disturbed above this multiple of the fastest sentinel time */
  uint32_t kind;            /* cameo_package_kind */
  uint32_t brief;           /* index of an earlier item of kind CAMEO_PACKAGE_TIME */
  /* Blobs with shared libraries that export CAMEO_CANDIDATE_SYMBOL, a cameo_model_description, and need no other
   * library. */
  uint32_t image, rival, reference;
  uint32_t inputs;                     /* blob with one cameo_package_input per input, for comparisons */
  uint32_t weights, reference_weights; /* blobs with the files of external weights, for comparisons */
  uint32_t repeats;                    /* number of measurements */
  uint32_t turns;   /* number of turns of image and rival that the measurements are divided into, if there is a rival */
  uint32_t number;  /* minimum number of runs per measurement */
  uint32_t warm_up; /* runs before the first measurement */
  uint32_t threads;
  uint32_t weights_type;      /* cameo_element_type of the random data */
  uint32_t disturbed_retries; /* limit of the repetitions on a disturbed machine */
  int32_t cpu;                /* index of the CPU to run on; -1: any */
  double least_tolerance;     /* lower bound of the tolerance for floats, relative to the largest expected value */
} cameo_package_item;

/* The last bytes of a bundle. A worker, padded to a multiple of 64 bytes, and a package precede it. */
typedef struct cameo_bundle_end {
  uint64_t package_bytes;
  char magic[8]; /* CAMEO_BUNDLE_MAGIC */
} cameo_bundle_end;
#define CAMEO_BUNDLE_MAGIC "CAMEOPKG"

/* FNV-1a over words of eight bytes. Detects a package that was cut off or damaged, but not one that was altered on
 * purpose. */
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
