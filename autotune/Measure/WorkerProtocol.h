/* What goes over the standard input and output of cameo-worker: one request, one reply, again and again until the input ends. Plain
 * C, because the worker is; both sides are of one version and little-endian, and may be different machines.
 *
 * A request to run is followed by `image_bytes` of a shared library that exports CAMEO_WORKER_SYMBOL, a cameo_model_description, and
 * by `data_bytes` of data; one to describe by a cameo_worker_target as its data. A reply is followed by `message_bytes` of text, by `cost_count` doubles, seconds of one run each, and
 * by `output_bytes` of outputs. */
#ifndef CAMEO_AUTOTUNE_MEASURE_WORKERPROTOCOL_H
#define CAMEO_AUTOTUNE_MEASURE_WORKERPROTOCOL_H

#include <stdint.h>

#define CAMEO_WORKER_MAGIC 0x4b575243u
#define CAMEO_WORKER_VERSION 4u
#define CAMEO_WORKER_PREFIX "candidate"
#define CAMEO_WORKER_SYMBOL CAMEO_WORKER_PREFIX "_description"

/* Measurements of one candidate at most. */
#define CAMEO_WORKER_MAX_REPEATS 256u

typedef enum cameo_worker_kind {
  CAMEO_WORKER_RUN = 0,
  CAMEO_WORKER_DESCRIBE = 1 /* the message of the reply is an object of JSON: what the machine is; see utils/cameo-worker/machine.h */
} cameo_worker_kind;

/* What candidates are for. A worker on another machine refuses to describe itself. */
typedef struct cameo_worker_target {
  uint32_t machine;     /* e_machine of their ELF header */
  uint32_t reserved;
  uint32_t features[8]; /* that the processor must have: those of a cameo_cpu */
} cameo_worker_target;

typedef struct cameo_worker_request {
  uint32_t magic, version;
  uint64_t image_bytes;
  /* The inputs in order, then the file of external weights, if the model has any; each begins at a multiple of 64. 0: the
   * worker makes random data. */
  uint64_t data_bytes;
  uint64_t random_bytes;     /* what inputs and weights take together; the worker keeps so much random data */
  uint64_t rotation_bytes;   /* every run has random weights of its own until so many bytes were read: they come from where a whole
                              * model of this size has them. 0: all runs have the same */
  uint64_t memory_bytes;     /* that the candidate may add to the worker's address space */
  double min_repeat_seconds; /* a measurement takes at least so long: it runs more often */
  double best_seconds;       /* of another candidate, which this one has to be faster than; 0: there is none */
  double stop_margin;        /* it is given up when the fastest of its n measurements is above best_seconds * (1 + stop_margin / n) */
  double timeout_seconds;    /* for everything together */
  double cool_down_seconds;  /* sleeps so long before measuring */
  uint32_t repeats;          /* measurements; 0: a single run, for its outputs */
  uint32_t number;           /* runs per measurement, at least */
  uint32_t warm_up;          /* runs before the first measurement */
  uint32_t threads;
  int32_t cpu;               /* runs on this CPU only; -1: on any */
  uint32_t weights_type;     /* cameo_element_type of random data */
  uint32_t returns_outputs;  /* 1: the reply has the outputs, in order, each at a multiple of 64 */
  uint32_t kind;             /* cameo_worker_kind */
} cameo_worker_request;

typedef enum cameo_worker_status {
  CAMEO_WORKER_OK = 0,
  CAMEO_WORKER_BAD_IMAGE = 1,  /* cannot be loaded, or is no description of this ABI */
  CAMEO_WORKER_REFUSED = 2,    /* `run` returned the cameo_status in `detail`; or candidates do not fit the machine */
  CAMEO_WORKER_CRASHED = 3,    /* ended by the signal in `detail` */
  CAMEO_WORKER_TIMED_OUT = 4,
  CAMEO_WORKER_NO_MEMORY = 5,  /* for the candidate's buffers */
  CAMEO_WORKER_FAILED = 6      /* the worker itself: no process, no pipe; the message says what */
} cameo_worker_status;

typedef struct cameo_worker_reply {
  uint32_t magic, version;
  uint32_t status; /* cameo_worker_status */
  int32_t detail;
  uint32_t cost_count;
  uint32_t interruptions;  /* measurements that the system broke into, taken again where possible */
  double sentinel_seconds; /* a fixed computation, the slower of before and after: it shows a disturbed machine */
  uint64_t output_bytes;
  uint32_t message_bytes;
  uint32_t reserved;
} cameo_worker_reply;

#endif
