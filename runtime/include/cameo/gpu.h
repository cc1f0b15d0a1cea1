/* Models that were compiled for NVIDIA GPUs (cameo compile --gpu): the tables in their objects, and the functions that
 * run them. The driver, libcuda.so.1, is opened when the first model is loaded; neither the driver nor NVIDIA's headers
 * are needed to build or link.
 *
 * A program loads a model once for each device, which uploads its code and weights, and creates a session for each
 * caller, which has the memory of one run. Functions may be called from any thread; a session must be used by one call
 * at a time.
 *
 * Strings (CAMEO_STRING) stay in the memory of the host. A tensor of strings on the device holds their addresses, 8
 * bytes each, which kernels move like numbers. What reads or makes strings runs on the host, in stream order, and so do
 * the functions of --extern-ops. */
#ifndef CAMEO_GPU_H
#define CAMEO_GPU_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what an object holds ------------------------------------------------------------------------------------------
 */

/* Incremented when a type of this part changes. */
#define CAMEO_GPU_ABI_VERSION 10

typedef enum cameo_gpu_base {
  CAMEO_GPU_INPUT = 0, /* memory of the caller; the index is the number of the tensor */
  CAMEO_GPU_OUTPUT = 1,
  CAMEO_GPU_WORKSPACE = 2, /* workspace of the session */
  CAMEO_GPU_WEIGHTS = 3,
  CAMEO_GPU_SLOT = 4,     /* the workspace, from the offset in the number with this index on */
  CAMEO_GPU_SIZES = 5,    /* no address: the numbers from the model's first_size on, passed by value */
  CAMEO_GPU_COUNTERS = 6, /* counters of the session: the model's counter_count 32-bit integers, which are zero before
                           * and after each run */
  CAMEO_GPU_TEXTS = 7,    /* the device's copy of the model's `texts` */
  CAMEO_GPU_TEXT_AREA = 8 /* no address on the device: the cameo_text_area of the caller; only of CAMEO_GPU_CALL */
} cameo_gpu_base;

/* An address on the device: `offset` bytes from a base. */
typedef struct cameo_gpu_buffer {
  uint32_t base; /* cameo_gpu_base */
  uint32_t index;
  uint64_t offset;
} cameo_gpu_buffer;

typedef enum cameo_gpu_step_kind {
  CAMEO_GPU_LAUNCH = 0, /* launches `count` blocks of a kernel on its buffers */
  CAMEO_GPU_COPY = 1,   /* copies `count` bytes from the first buffer to the second; if `target` is a loop, to the slice
                         * there, of `count` bytes, with the number of the loop's iteration */
  CAMEO_GPU_PERSISTENT = 2, /* launches as many blocks of a kernel as can be resident on the device, because they wait
                             * for each other; passes the addresses of all buffers as one table by value, and the
                             * numbers from the model's first_size on by value */
  /* Data-dependent steps: the host waits for the stream, and reads buffers. Bit i of `wanted` is the value that boolean
   * i must have. */
  CAMEO_GPU_BIND = 3,   /* sets found size number `target` to the int64 in the first buffer, which is at most `count`,
                         * if the booleans in the other buffers are as wanted */
  CAMEO_GPU_IF = 4,     /* continues with step `target` unless all booleans in the buffers are as wanted */
  CAMEO_GPU_REPEAT = 5, /* begins a loop up to the CAMEO_GPU_NEXT whose target is this step; after the loop, step
                         * `target` follows. The first buffer receives the iteration number. If bit 0 of `wanted` is
                         * set, the loop runs while that number is below the int64 in the next buffer; if bit 1 is set,
                         * while the boolean in the last buffer is true. More than `count` iterations are an error. */
  CAMEO_GPU_NEXT = 6,   /* the end of the loop at `target` */
  CAMEO_GPU_CALL = 7 /* the host waits for the stream, copies the buffers that it reads to its own memory, executes the
                      * iterations [0, count) of host kernel `kernel`, and copies what it has written back. `target` is
                      * the index of the first operand; there is one for each buffer. */
} cameo_gpu_step_kind;

/* Flag in a count that depends on the sizes of a run: the other bits are the index of the number that holds the count.
 */
#define CAMEO_GPU_COUNTED (UINT64_C(1) << 63)
/* The step has no target. */
#define CAMEO_GPU_NOWHERE UINT32_MAX

typedef struct cameo_gpu_step {
  uint32_t kind;         /* cameo_gpu_step_kind */
  uint32_t kernel;       /* number of the kernel to launch or of the host kernel to call */
  uint32_t first_buffer; /* index in the model's list of buffers */
  uint32_t buffer_count;
  uint64_t count;
  uint32_t target;
  uint32_t wanted;
} cameo_gpu_step;

typedef struct cameo_gpu_kernel {
  const char *name; /* a function of the image; takes one pointer for each buffer, and the sizes by value */
  uint32_t threads; /* threads per block */
  uint32_t task;    /* task of the description that the kernel belongs to; UINT32_MAX: none */
  uint32_t dynamic_shared_bytes; /* shared memory of a block that a launch asks for; 0: the kernel has what it needs */
  uint32_t reserved;             /* 0 */
} cameo_gpu_kernel;

/* Executes the iterations [0, count) of a host kernel on its buffers, which are in the memory of the host. `numbers`
 * are those of the run, see cameo_gpu_model. Returns CAMEO_OK, or CAMEO_EXTERN_FAILED if a function of the program
 * returned another status than 0. */
typedef cameo_status (*cameo_gpu_host_function)(void *const *buffers, int64_t count, const int64_t *numbers);

/* A kernel that the host executes: it reads or makes strings, or calls a function of the program (--extern-ops). Its
 * code is for the CPU of the object. */
typedef struct cameo_gpu_host_kernel {
  const char *name; /* for messages; of a function of the program, its name */
  cameo_gpu_host_function run;
  uint32_t task; /* as in cameo_gpu_kernel */
  uint32_t reserved;
} cameo_gpu_host_kernel;

/* Flags: whether a host kernel reads a buffer, and whether it writes the whole buffer. With neither, the buffer is
 * scratch memory of the call, or it is not on the device. */
enum { CAMEO_GPU_READ = 1, CAMEO_GPU_WRITTEN = 2 };

/* How a host kernel accesses a buffer. */
typedef struct cameo_gpu_operand {
  uint64_t bytes; /* size of the buffer; may be CAMEO_GPU_COUNTED like a count */
  uint32_t access;
  uint32_t reserved;
} cameo_gpu_operand;

typedef enum cameo_gpu_image_kind {
  CAMEO_GPU_BINARY = 0, /* machine code of the architecture */
  CAMEO_GPU_PTX = 1,    /* text that ends at a zero byte, compiled by the driver */
  CAMEO_GPU_HOST = 2    /* code of the CPU, for the emulator */
} cameo_gpu_image_kind;

/* The code of all kernels in one form. */
typedef struct cameo_gpu_image {
  const char *architecture;  /* "sm_90a" */
  uint32_t kind;             /* cameo_gpu_image_kind */
  uint32_t capability;       /* 90: compute capability 9.0 */
  uint32_t is_specific;      /* 1: only for devices of exactly that compute capability, also as PTX */
  uint32_t dependent_launch; /* 1: every kernel waits until earlier launches have ended before it accesses memory other
                              * than weights, so its launch may begin before */
  const void *code;
} cameo_gpu_image;

/* Every object for a GPU exports one as PREFIX_gpu. All pointers are valid as long as the object is loaded. */
typedef struct cameo_gpu_model {
  uint32_t abi_version;                       /* CAMEO_GPU_ABI_VERSION */
  uint32_t struct_bytes;                      /* sizeof(cameo_gpu_model) of the compiler */
  const cameo_model_description *description; /* its `run` returns CAMEO_NO_GPU */
  const char *architectures;                  /* architectures of the images, for users: "sm_80, sm_90a" */
  const cameo_gpu_image *images;
  const cameo_gpu_kernel *kernels;
  const cameo_gpu_step *steps; /* steps of a run, in order */
  const cameo_gpu_buffer *buffers;
  const void *weights; /* on the host; null if the weights are external, or there are none */
  uint64_t weights_bytes;
  /* Computes the `number_count` numbers of a run: the offsets of slots in the workspace, the sizes that kernels read,
   * counts of steps, and the data-dependent dimensions of outputs. `symbols` holds one size for each symbol of the
   * description. `found` holds the `found_count` sizes that steps have bound, or -1 if not yet bound. Returns
   * CAMEO_INVALID_ARGUMENT for sizes that the model does not accept. The pointer is null if no number depends on the
   * run. */
  cameo_status (*numbers)(const int64_t *symbols, const int64_t *found, int64_t *numbers);
  const cameo_gpu_host_kernel *host_kernels;
  const cameo_gpu_operand *operands; /* of all CAMEO_GPU_CALL steps */
  const char *const *texts;          /* constant strings */
  uint32_t image_count;
  uint32_t kernel_count;
  uint32_t step_count;
  uint32_t number_count;
  uint32_t first_size;      /* index of the first size among the numbers */
  uint32_t first_dimension; /* index of the first data-dependent dimension among the numbers; those of all outputs are
                             * consecutive */
  uint32_t found_count;
  uint32_t counter_count;
  uint32_t host_kernel_count;
  uint32_t text_count;
} cameo_gpu_model;

/* ---- running one ---------------------------------------------------------------------------------------------------
 */

typedef struct cameo_gpu cameo_gpu;
typedef struct cameo_gpu_session cameo_gpu_session;

/* Returns the message of the last error of a function of this header on this thread, including the driver's message
 * (thread-local storage). Empty if there was none. */
const char *cameo_gpu_error(void);

/* Loads `model` onto device number `device`, in the primary context of that device, which other libraries of the
 * program share. `external_weights` is the base address from cameo_weights_map for a model of --weights, else null; the
 * weights stay mapped until the model is unloaded, because host kernels read them. CAMEO_NO_GPU: there is no driver or
 * no such device, or the device cannot run the code. CAMEO_OUT_OF_MEMORY: the host or the device is out of memory.
 * CAMEO_GPU_FAILED: the driver reported another error. `*gpu` is null on failure. */
cameo_status cameo_gpu_load(const cameo_gpu_model *model, int32_t device, const void *external_weights,
                            cameo_gpu **gpu);

/* Unloads the model. Null is ignored. All sessions must be destroyed before. */
void cameo_gpu_unload(cameo_gpu *gpu);

/* Creates a session: a workspace on the device for one caller, and a stream. `symbols` holds one size for each symbol
 * of the description, or is null if there are none. The workspace is as large as these sizes need, and runs of other
 * sizes work if they need no more, so callers pass the largest sizes. CAMEO_INVALID_ARGUMENT: sizes that the model does
 * not accept. */
cameo_status cameo_gpu_session_create(cameo_gpu *gpu, const int64_t *symbols, cameo_gpu_session **session);

/* Waits for enqueued runs and destroys the session. Null is ignored. */
void cameo_gpu_session_destroy(cameo_gpu_session *session);

/* Enqueues one run into `stream`, a CUstream or cudaStream_t of the device (null: the default stream), and returns.
 * `inputs` and `outputs` are addresses on the device, one for each tensor of the description, in its order, aligned to
 * 16 bytes (an output may be in the memory of its shared input, see shared_inputs in abi.h); after the outputs, one
 * host address for each output with data-dependent dimensions, which receives them, or null; and if the model creates
 * strings, the host address of a cameo_text_area. `symbols` are the sizes of this run, as above. A run without host
 * kernels and data-dependent sizes, branches or loops allocates nothing, does not wait, and can be captured into a
 * graph, which keeps the sizes; another run waits for these values and cannot be captured. For host kernels, the
 * session allocates memory of the host when a run needs more than those before. Runs of one session must not overlap:
 * enqueue them into the same stream. CAMEO_INVALID_ARGUMENT: also for sizes that need more workspace than the session
 * has. CAMEO_BOUND_EXCEEDED: a data-dependent size or iteration count exceeds its bound. CAMEO_TEXT_AREA_FULL: as in
 * abi.h. */
cameo_status cameo_gpu_enqueue(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                               const int64_t *symbols, void *stream);

/* Runs once with tensors in host memory: copies the inputs, runs in the session's stream, copies the outputs, and
 * waits. Of an output with data-dependent dimensions, only the actual elements are written. An output with the address
 * of its shared input has its memory on the device, too. The first call allocates the tensors on the device; a later
 * call allocates again if a tensor needs more memory. */
cameo_status cameo_gpu_run(cameo_gpu_session *session, const void *const *inputs, void *const *outputs,
                           const int64_t *symbols);

#ifdef __cplusplus
}
#endif
#endif
