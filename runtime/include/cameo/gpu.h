/* Models that were compiled for NVIDIA GPUs (cameo compile --gpu): what their objects hold, and how a program runs
 * them. The driver, libcuda.so.1, is opened when the first model is loaded; nothing here needs it, or NVIDIA's headers,
 * to build or link.
 *
 * A program loads a model once per device, which uploads its code and weights, and makes a session for each of its
 * callers, which has the memory of one run. Functions may be called from any thread; a session is for one call at a
 * time. */
#ifndef CAMEO_GPU_H
#define CAMEO_GPU_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what an object holds ------------------------------------------------------------------------------------------
 */

/* Raised with every change of a type of this part. */
#define CAMEO_GPU_ABI_VERSION 6

typedef enum cameo_gpu_base {
  CAMEO_GPU_INPUT = 0, /* of the caller; the index is its number */
  CAMEO_GPU_OUTPUT = 1,
  CAMEO_GPU_WORKSPACE = 2, /* of the session */
  CAMEO_GPU_WEIGHTS = 3,
  CAMEO_GPU_SLOT = 4,    /* the workspace, from the number with this index on */
  CAMEO_GPU_SIZES = 5,   /* no address: the numbers from the model's first_size on, by value */
  CAMEO_GPU_COUNTERS = 6 /* of the session: the model's counter_count numbers of 32 bits, zeros before each run, which
                          * leaves them so */
} cameo_gpu_base;

/* An address on the device: `offset` bytes behind a base. */
typedef struct cameo_gpu_buffer {
  uint32_t base; /* cameo_gpu_base */
  uint32_t index;
  uint64_t offset;
} cameo_gpu_buffer;

typedef enum cameo_gpu_step_kind {
  CAMEO_GPU_LAUNCH = 0, /* `count` blocks of a kernel on its buffers */
  CAMEO_GPU_COPY = 1,   /* `count` bytes from the first buffer to the second; with a target, the step of a loop, to the
                         * slice of so many bytes there that the loop's round says */
  CAMEO_GPU_PERSISTENT = 2, /* a kernel, by as many blocks as the device has room for at once, which wait for each
                             * other; takes the addresses of all its buffers as one table by value, and the numbers from
                             * the model's first_size on, by value */
  /* What data decides: the host waits for the stream, and reads buffers. `wanted` has a bit for each boolean, the first
   * one lowest: what it has to be. */
  CAMEO_GPU_BIND = 3,   /* gives the found size number `target` the int64 in the first buffer, at most `count`, where
                         * the booleans in the others are as wanted */
  CAMEO_GPU_IF = 4,     /* goes on with step `target` unless all booleans in the buffers are as wanted */
  CAMEO_GPU_REPEAT = 5, /* the steps up to the next one whose target this is, again and again, and then step `target`;
                         * the first buffer gets the number of the round. `wanted`, bit 0: while that is below the int64
                         * in the next buffer; bit 1: while the boolean in the last one is true. More than `count`
                         * rounds are refused. */
  CAMEO_GPU_NEXT = 6    /* the end of the loop at `target` */
} cameo_gpu_step_kind;

/* A count that the sizes of a run decide has this, and its number in place of what it is. */
#define CAMEO_GPU_COUNTED (UINT64_C(1) << 63)
/* No target. */
#define CAMEO_GPU_NOWHERE UINT32_MAX

typedef struct cameo_gpu_step {
  uint32_t kind;         /* cameo_gpu_step_kind */
  uint32_t kernel;       /* of a launch: its number */
  uint32_t first_buffer; /* in the model's list */
  uint32_t buffer_count;
  uint64_t count;
  uint32_t target;
  uint32_t wanted;
} cameo_gpu_step;

typedef struct cameo_gpu_kernel {
  const char *name; /* a function of the code; takes one pointer per buffer, and the sizes by value */
  uint32_t threads; /* of a block */
  uint32_t task;    /* of the description, of which it is part; UINT32_MAX: of none */
} cameo_gpu_kernel;

typedef enum cameo_gpu_image_kind {
  CAMEO_GPU_BINARY = 0, /* code of the architecture */
  CAMEO_GPU_PTX = 1,    /* text that ends at a zero byte, which the driver compiles */
  CAMEO_GPU_HOST = 2    /* code of the processor, for the emulator */
} cameo_gpu_image_kind;

/* The code of all kernels in one form. */
typedef struct cameo_gpu_image {
  const char *architecture; /* "sm_90a" */
  uint32_t kind;            /* cameo_gpu_image_kind */
  uint32_t capability;      /* 90: compute capability 9.0 */
  uint32_t is_specific;     /* 1: for devices of that compute capability alone, also as PTX */
  uint32_t reserved;        /* 0 */
  const void *code;
} cameo_gpu_image;

/* Objects export one as PREFIX_gpu. All pointers live as long as the program. */
typedef struct cameo_gpu_model {
  uint32_t abi_version;                       /* CAMEO_GPU_ABI_VERSION */
  uint32_t struct_bytes;                      /* sizeof(cameo_gpu_model) of the compiler */
  const cameo_model_description *description; /* its `run` refuses: this is no code for the processor */
  const char *architectures;                  /* of the images, for people: "sm_80, sm_90a" */
  const cameo_gpu_image *images;
  const cameo_gpu_kernel *kernels;
  const cameo_gpu_step *steps; /* of a run, in order */
  const cameo_gpu_buffer *buffers;
  const void *weights; /* on the host; null where they are external, or there are none */
  uint64_t weights_bytes;
  /* Computes the `number_count` numbers of a run from its sizes, one per symbol of the description, and the
   * `found_count` sizes that steps have found, -1 for those that none has yet: where slots begin in the workspace, the
   * sizes that kernels read, counts of steps, and the dimensions of outputs that data decides.
   * CAMEO_INVALID_ARGUMENT for sizes that the model does not take. Null where no number depends on the run. */
  cameo_status (*numbers)(const int64_t *symbols, const int64_t *found, int64_t *numbers);
  uint32_t image_count;
  uint32_t kernel_count;
  uint32_t step_count;
  uint32_t number_count;
  uint32_t first_size;      /* among the numbers */
  uint32_t first_dimension; /* the same, of the outputs that data decides, one after the other */
  uint32_t found_count;
  uint32_t counter_count;
} cameo_gpu_model;

/* ---- running one ---------------------------------------------------------------------------------------------------
 */

typedef struct cameo_gpu cameo_gpu;
typedef struct cameo_gpu_session cameo_gpu_session;

/* What the last function of this header that failed on this thread has to say, with the driver's own words (storage of
 * the thread). Empty before. */
const char *cameo_gpu_error(void);

/* Loads `model` onto device number `device`, in that device's primary context, which is shared with other libraries of
 * the program. `external_weights` is null, or for a model of --weights the base that cameo_weights_map found.
 * CAMEO_NO_GPU: no driver, no such device, or one that cannot run the code. CAMEO_OUT_OF_MEMORY: of the host or of the
 * device. CAMEO_GPU_FAILED: the driver reported another error. `*gpu` is null on failure. */
cameo_status cameo_gpu_load(const cameo_gpu_model *model, int32_t device, const void *external_weights,
                            cameo_gpu **gpu);

/* Null is ignored. No session of it may be left. */
void cameo_gpu_unload(cameo_gpu *gpu);

/* The workspace of one caller on the device, and a stream of its own. `symbols`: for a model whose runs choose sizes,
 * one for each symbol of the description; the workspace is as large as these need, and runs of all sizes that need no
 * more take it. So a session is made for the largest. Null for other models. CAMEO_INVALID_ARGUMENT: sizes that the
 * model does not take. */
cameo_status cameo_gpu_session_create(cameo_gpu *gpu, const int64_t *symbols, cameo_gpu_session **session);

/* Waits for what is enqueued. Null is ignored. */
void cameo_gpu_session_destroy(cameo_gpu_session *session);

/* Puts one run into `stream`, a CUstream or cudaStream_t of the device (null: the default stream), and returns.
 * `inputs` and `outputs` are addresses on the device, one for each tensor of the description, in its order, at
 * multiples of 16 bytes; behind the outputs, memory of the host that gets the dimensions of each output that data
 * decides, or null. `symbols` are the sizes of this run, as above. Allocates nothing and waits for nothing, so that the
 * stream may be one that is captured into a graph, which keeps the sizes; but where data decides on sizes, branches or
 * rounds, it waits for them, and such a run cannot be captured. Runs of one session must follow each other, as those in
 * one stream do. CAMEO_INVALID_ARGUMENT: also sizes that need more workspace than the session has.
 * CAMEO_BOUND_EXCEEDED: data decided on more than there is room for. */
cameo_status cameo_gpu_enqueue(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                               const int64_t *symbols, void *stream);

/* Runs once with tensors in the memory of the host: copies, a run in the session's stream, copies, and waits. Of an
 * output that data decides, as much is written as its dimensions say. The first call allocates the tensors on the
 * device, and so does a later one that needs more for one. */
cameo_status cameo_gpu_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                           const int64_t *symbols);

#ifdef __cplusplus
}
#endif
#endif
