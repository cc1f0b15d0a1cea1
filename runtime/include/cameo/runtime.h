/* The host side of a compiled model: status messages, a thread pool, contexts, external weights, profiles and checks of
 * a description. A program that runs on one thread, with the weights in the object, needs none of it: it links
 * libcameo_rt.a for the ABI symbol and passes a null context.
 *
 * Throughout: sizes are bytes and times nanoseconds; what a function creates belongs to the caller, who gives it back
 * with the function named beside it; nothing here writes to a stream, exits or installs a handler. Functions may be
 * called from any thread at any time unless their comment says otherwise. */
#ifndef CAMEO_RUNTIME_H
#define CAMEO_RUNTIME_H

#include "cameo/abi.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sentence for `status` (lower case, no full stop, static storage); unknown values have one too. Never null. */
const char *cameo_status_message(cameo_status status);

/* Bytes of one element; 0 for a value that is no cameo_element_type. */
size_t cameo_element_bytes(int32_t element_type);

/* ---- threads ------------------------------------------------------------------------------------------------------
 */

/* Threads that execute kernels. The calling thread takes part, so a pool of n starts n - 1 threads. They spin for a
 * short while after the last piece of work (so that the tasks of one `run` follow each other without a system call) and
 * then sleep. A pool does not survive fork: the child must create its own. */
typedef struct cameo_thread_pool cameo_thread_pool;

/* Creates a pool of `thread_count` threads, at most CAMEO_MAX_THREADS, and stores it in `*pool`. 0 means: the number in
 * the environment variable CAMEO_NUM_THREADS, and without it one per CPU that this process may use.
 * CAMEO_INVALID_ARGUMENT: a null `pool`, a count out of range, or a CAMEO_NUM_THREADS that is no such number.
 * CAMEO_OUT_OF_MEMORY: memory or threads could not be had; nothing is left behind. `*pool` is null on failure. */
cameo_status cameo_thread_pool_create(int32_t thread_count, cameo_thread_pool **pool);
#define CAMEO_MAX_THREADS 1024

/* Ends the pool's threads and frees it; null is ignored. No parallel_for on it may be in progress or start later. */
void cameo_thread_pool_destroy(cameo_thread_pool *pool);

/* Threads of the pool, the calling one included; 1 for a null pool. */
int32_t cameo_thread_pool_size(const cameo_thread_pool *pool);

/* Calls `kernel` over all of [0, extent), in pieces on several threads, and returns when all are done; what the pieces
 * wrote is then visible to the caller. Nothing is called when extent <= 0. Has the type of
 * cameo_context.parallel_for; `pool` is a cameo_thread_pool. Several threads may share one pool: while one caller has
 * its threads, the others (and a call from within a kernel) execute their whole range themselves, so no caller ever
 * waits for another. Allocates nothing. */
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

/* Whether this runtime understands `model`: CAMEO_ABI_MISMATCH for a description of another version or size,
 * CAMEO_INVALID_ARGUMENT for null pointers, ranks below 0, unknown element types, a dimension that is neither a size
 * nor one of those that the model counts, or a size that is not the product of the shape. Reads the description only.
 */
cameo_status cameo_model_check(const cameo_model_description *model);

/* Whether data decides a dimension of an output of `model` (1 or 0): then `run` takes one pointer more for it, see
 * abi.h. */
int cameo_tensor_is_data_sized(const cameo_model_description *model, const cameo_tensor_description *tensor);

/* The dimensions of an input or output of `model`, `tensor->rank` of them, when its symbols have the given sizes; the
 * greatest where data decides. `model` and `symbols` may be null where the shape depends on none.
 * CAMEO_INVALID_ARGUMENT: a null argument, or a dimension below 0 or beyond 64 bits. */
cameo_status cameo_tensor_shape(const cameo_model_description *model, const cameo_tensor_description *tensor,
                                const int64_t *symbols, int64_t *shape);

/* Its bytes. CAMEO_INVALID_ARGUMENT: as above, or a size of 2^63 bytes and more. */
cameo_status cameo_tensor_bytes(const cameo_model_description *model, const cameo_tensor_description *tensor,
                                const int64_t *symbols, uint64_t *bytes);

/* ---- external weights ---------------------------------------------------------------------------------------------
 */

/* A read-only mapping of a weights file. Zero-initialise it, or let cameo_weights_map fill it. */
typedef struct cameo_weights {
  const void *base; /* goes into cameo_context.weights; CAMEO_ALIGNMENT aligned */
  void *mapping;
  size_t mapping_bytes;
} cameo_weights;

/* Maps the file at `path`, written by `cameo compile --weights=FILE`, for `model`. Pages are read on first use and
 * shared by all processes. A model that holds its own weights needs no file: `path` is then not looked at.
 * CAMEO_IO_ERROR: the file could not be opened or mapped (errno says why). CAMEO_WEIGHTS_MISMATCH: it is short or not
 * of this model. CAMEO_INVALID_ARGUMENT: a null argument. `*weights` is zeroed on failure. Give it back with
 * cameo_weights_unmap once no `run` uses it. */
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

/* Zeroes `tasks`, an array of the caller with the model's `task_count` entries that outlives the profile, and makes
 * `context` report to `profile`. To stop, set `context->profile` to null. */
void cameo_profile_start(cameo_profile *profile, cameo_task_profile *tasks, uint32_t task_count,
                         cameo_context *context);

/* A clock that never goes back, in nanoseconds from an unspecified origin. */
uint64_t cameo_now(void);

/* ---- shared libraries ---------------------------------------------------------------------------------------------
 */

/* What a shared library of a model offers to callers that find functions by name when they run, such as
 * runtime/python/cameo.py. Libraries of --emit=lib export it; others do where the linker was told -u cameo_library. */
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
