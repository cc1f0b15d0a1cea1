/* The host side of a compiled model: status messages, a thread pool, contexts, external weights, profiles and checks of
 * a description. A program that runs a model on one thread, with the weights in the object, uses none of it: it only
 * links libcameo_rt.a for the ABI symbol and passes a null context.
 *
 * Sizes are in bytes and times in nanoseconds. The caller owns what a function creates, and releases it with the
 * function that is declared next to it. No function writes to a stream, exits or installs a signal handler. All
 * functions may be called from any thread at any time unless their comment says otherwise. */
#ifndef CAMEO_RUNTIME_H
#define CAMEO_RUNTIME_H

#include "cameo/abi.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sentence for `status` (lower case, no full stop, static storage); unknown values have one too. Never null. */
const char *cameo_status_message(cameo_status status);

/* Returns the size of an element in bytes, or 0 if the value is no cameo_element_type. */
size_t cameo_element_bytes(int32_t element_type);

/* ---- threads ------------------------------------------------------------------------------------------------------
 */

/* Threads that execute kernels. The calling thread takes part, so a pool of n starts n - 1 threads. They spin for a
 * short time after the last piece of work, so that consecutive tasks of one `run` need no system call, and then sleep.
 * A pool does not survive fork: the child process must create its own. */
typedef struct cameo_thread_pool cameo_thread_pool;

/* Creates a pool of `thread_count` threads, at most CAMEO_MAX_THREADS, and stores it in `*pool`. 0 means: the value of
 * the environment variable CAMEO_NUM_THREADS, or if that is not set, one thread for each CPU that this process may use.
 * CAMEO_INVALID_ARGUMENT: `pool` is null, the count is out of range, or CAMEO_NUM_THREADS is not such a number.
 * CAMEO_OUT_OF_MEMORY: memory could not be allocated or threads could not be started; everything is released. `*pool`
 * is null on failure. */
cameo_status cameo_thread_pool_create(int32_t thread_count, cameo_thread_pool **pool);
#define CAMEO_MAX_THREADS 1024

/* Ends the pool's threads and frees it; null is ignored. No parallel_for on it may be in progress or start later. */
void cameo_thread_pool_destroy(cameo_thread_pool *pool);

/* Returns the number of threads of the pool, including the calling thread; 1 for a null pool. */
int32_t cameo_thread_pool_size(const cameo_thread_pool *pool);

/* Calls `kernel` for all of [0, extent), in pieces on several threads, and returns when all are done; the writes of all
 * pieces are then visible to the caller. Does nothing if extent <= 0. Has the type of cameo_context.parallel_for;
 * `pool` is a cameo_thread_pool. Several threads may share one pool: while one caller uses its threads, the other
 * callers (and a call from within a kernel) execute their whole range themselves, so no caller waits for another.
 * Allocates nothing. */
void cameo_thread_pool_parallel_for(void *pool, cameo_kernel kernel, void *const *buffers, int64_t extent);

/* ---- contexts -----------------------------------------------------------------------------------------------------
 */

/* Fills `context` for `run`: this ABI version, the threads of `pool` (null: the calling thread alone), no profile, no
 * external weights. The context borrows the pool, owns nothing and may be shared by concurrent calls of `run`, which
 * only read it. A program with threads of its own sets `thread_count`, `parallel_for` and `parallel_user` instead. A
 * null `context` is ignored. */
void cameo_context_init(cameo_context *context, cameo_thread_pool *pool);

/* ---- models -------------------------------------------------------------------------------------------------------
 */

/* Checks whether this runtime supports `model`. CAMEO_ABI_MISMATCH: a description of another version or size.
 * CAMEO_INVALID_ARGUMENT: null pointers, negative ranks, unknown element types, a dimension that is neither a size nor
 * a valid number of a dynamic size, or a size in bytes that does not match the shape. Reads only the description. */
cameo_status cameo_model_check(const cameo_model_description *model);

/* Returns 1 if an output of `model` has a data-dependent dimension, else 0. `run` takes one more pointer for such an
 * output, see abi.h. */
int cameo_tensor_is_data_sized(const cameo_model_description *model, const cameo_tensor_description *tensor);

/* Stores the dimensions of an input or output of `model`, `tensor->rank` of them, for the given sizes of the symbols. A
 * data-dependent dimension is stored as its upper bound. `model` and `symbols` may be null if the shape does not depend
 * on them. CAMEO_INVALID_ARGUMENT: a null argument, or a dimension that is negative or exceeds 64 bits. */
cameo_status cameo_tensor_shape(const cameo_model_description *model, const cameo_tensor_description *tensor,
                                const int64_t *symbols, int64_t *shape);

/* Stores the size of an input or output in bytes. CAMEO_INVALID_ARGUMENT: as above, or a size of 2^63 bytes or more. */
cameo_status cameo_tensor_bytes(const cameo_model_description *model, const cameo_tensor_description *tensor,
                                const int64_t *symbols, uint64_t *bytes);

/* ---- external weights ---------------------------------------------------------------------------------------------
 */

/* A read-only mapping of a weights file. Zero-initialise it, or let cameo_weights_map fill it. */
typedef struct cameo_weights {
  const void *base; /* value for cameo_context.weights; aligned to CAMEO_ALIGNMENT */
  void *mapping;
  size_t mapping_bytes;
} cameo_weights;

/* Maps the file at `path`, written by `cameo compile --weights=FILE`, for `model`. Pages are read on first use and
 * shared by all processes. If the weights are in the object, `path` is ignored. CAMEO_IO_ERROR: the file could not be
 * opened or mapped (see errno). CAMEO_WEIGHTS_MISMATCH: the file is too short or of another model.
 * CAMEO_INVALID_ARGUMENT: a null argument. `*weights` is zeroed on failure. Release it with cameo_weights_unmap when no
 * `run` uses it any more. */
cameo_status cameo_weights_map(const char *path, const cameo_model_description *model, cameo_weights *weights);
void cameo_weights_unmap(cameo_weights *weights);

/* The first CAMEO_ALIGNMENT bytes of a weights file, little-endian; the weights follow. */
typedef struct cameo_weights_header {
  char magic[8];        /* CAMEO_WEIGHTS_MAGIC, without its final 0 */
  uint32_t abi_version; /* CAMEO_ABI_VERSION */
  uint32_t padding;
  uint64_t weights_bytes; /* as in the description */
  uint64_t hash;          /* external_weights_hash of the description */
  uint64_t reserved[4];   /* 0 */
} cameo_weights_header;
#define CAMEO_WEIGHTS_MAGIC "CAMEOWTS"

/* ---- profiles -----------------------------------------------------------------------------------------------------
 */

/* Time per task. Not for concurrent calls of `run`: give each calling thread a profile and a context of its own. */
typedef struct cameo_task_profile {
  uint64_t nanoseconds; /* total */
  uint64_t count;       /* executions */
} cameo_task_profile;

typedef struct cameo_profile {
  cameo_task_profile *tasks; /* the caller's array */
  uint32_t task_count;
  uint64_t started;
} cameo_profile;

/* Zeroes `tasks`, an array of the caller with the model's `task_count` entries that must outlive the profile, and makes
 * `context` report to `profile`. To stop, set `context->profile` to null. */
void cameo_profile_start(cameo_profile *profile, cameo_task_profile *tasks, uint32_t task_count,
                         cameo_context *context);

/* Returns the time of a monotonic clock, in nanoseconds from an unspecified origin. */
uint64_t cameo_now(void);

/* ---- shared libraries ---------------------------------------------------------------------------------------------
 */

/* Functions that a shared library of a model exports to callers that look up symbols at run time, such as
 * runtime/python/cameo.py. Libraries of --emit=lib export the table; others do if they are linked with -u
 * cameo_library. */
typedef struct cameo_library_functions {
  uint32_t abi_version;  /* CAMEO_ABI_VERSION */
  uint32_t struct_bytes; /* sizeof(cameo_library_functions) */
  const char *(*status_message)(cameo_status status);
  cameo_status (*thread_pool_create)(int32_t thread_count, cameo_thread_pool **pool);
  void (*thread_pool_destroy)(cameo_thread_pool *pool);
  int32_t (*thread_pool_size)(const cameo_thread_pool *pool);
  void (*thread_pool_parallel_for)(void *pool, cameo_kernel kernel, void *const *buffers, int64_t extent);
} cameo_library_functions;

extern const cameo_library_functions cameo_library;

#ifdef __cplusplus
}
#endif
#endif
