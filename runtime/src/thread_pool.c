/* The thread pool. Only one caller at a time uses the threads. Its range is divided into one slice for each thread, so
 * that a thread processes the same data in every task and every run. A slice is executed in pieces of decreasing size,
 * first by its own thread, then also by threads that finished their slices. So the caller never waits for a thread that
 * has not started, nor long for one that started late. A thread finds its work in its slice, and counts its finished
 * iterations there. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cameo/runtime.h"
#include "wait.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Longer than the serial parts between the tasks of one run, and short enough to release the CPU soon after the run; a
 * wake-up takes about 50 microseconds. */
#define SPIN_NANOSECONDS 1000000

/* Processors prefetch lines of 64 bytes in pairs. */
#define CACHE_LINE 128

/* A thread takes all but 1 / OWN_PARTS of the rest of its slice at a time, and leaves that to others. Of another slice
 * it leaves 1 / OTHER_PARTS, because the thread of that slice may still start. */
#define OWN_PARTS 16
#define OTHER_PARTS 4

/* Largest number of iterations of one job; an iteration number takes half of a 64-bit word. */
#define MOST_ITERATIONS UINT32_MAX

/* The part of a job of one thread, and its progress. They share a cache line, which moves to another core and back once
 * per job. A thread that took a piece may read `kernel` and `buffers` until the piece is counted as done; the owner of
 * the pool changes them only after all pieces are done. */
typedef struct slice {
  _Alignas(CACHE_LINE) _Atomic uint64_t
      left; /* low half: the first iteration that no thread took; high half: one past the last iteration */
  cameo_kernel kernel;
  void *const *buffers;
  int64_t base;          /* the iteration of the job that has number 0 */
  _Atomic uint64_t done; /* iterations that the thread of this slice executed, of any slice, in all jobs so far */
} slice;

typedef struct worker {
  struct cameo_thread_pool *pool;
  pthread_t thread;
  int32_t index;
} worker;

struct cameo_thread_pool {
  _Alignas(CACHE_LINE) atomic_uint published; /* number of the last job; sleeping workers wait for a change of it */
  atomic_flag owned;                          /* set while a caller uses the threads */
  uint64_t iterations;                        /* total of all jobs so far */
  _Alignas(CACHE_LINE) atomic_uint stopping;
  cameo_waiters waiters;
  int32_t thread_count;
  int32_t spin; /* whether there is a CPU for every thread */
  slice *slices;
  worker *workers; /* thread_count - 1 */
};

static void pause_cpu(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");
#endif
}

/* Returns the number of CPUs that this process may use, at least 1. */
static int32_t available_cpus(void) {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return CPU_COUNT(&set);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int32_t)online : 1;
}

/* ---- executing a job ---- */

/* Executes pieces of the rest of the slice, all but 1 / `parts` of it at a time, and adds their iterations to `done`,
 * which only this thread changes. */
static void run_slice(slice *slice, uint64_t parts, _Atomic uint64_t *done) {
  uint64_t left = atomic_load_explicit(&slice->left, memory_order_relaxed);
  for (;;) {
    uint64_t begin = left & MOST_ITERATIONS, end = left >> 32;
    if (begin == end)
      return;
    uint64_t piece = end - begin - (end - begin) / parts;
    /* If a later job has set the same value in the meantime, this takes a piece of that job, which is valid, too. */
    if (!atomic_compare_exchange_weak_explicit(&slice->left, &left, left + piece, memory_order_acquire,
                                               memory_order_relaxed))
      continue;
    int64_t first = slice->base + (int64_t)begin;
    slice->kernel(slice->buffers, first, first + (int64_t)piece);
    atomic_store_explicit(done, atomic_load_explicit(done, memory_order_relaxed) + piece, memory_order_release);
    left += piece;
  }
}

/* Executes the thread's own slice first, then the others. */
static void run_slices(cameo_thread_pool *pool, int32_t index) {
  slice *own = &pool->slices[index];
  run_slice(own, OWN_PARTS, &own->done);
  for (int32_t other = 1; other < pool->thread_count; ++other)
    run_slice(&pool->slices[(index + other) % pool->thread_count], OTHER_PARTS, &own->done);
}

/* ---- workers ---- */

static int has_work(slice *own) {
  uint64_t left = atomic_load_explicit(&own->left, memory_order_relaxed);
  return (left & MOST_ITERATIONS) != left >> 32;
}

/* Returns whether work arrived in the slice within the spin time. */
static int spin_for_work(cameo_thread_pool *pool, slice *own) {
  uint64_t deadline = 0;
  for (unsigned round = 1; !has_work(own); ++round) {
    pause_cpu();
    if (round % 64 != 0)
      continue;
    uint64_t now = cameo_now();
    if (deadline == 0)
      deadline = now + SPIN_NANOSECONDS;
    else if (now > deadline || atomic_load_explicit(&pool->stopping, memory_order_relaxed))
      return 0;
  }
  return 1;
}

/* Returns 1 when the slice has something to do, 0 when the pool stops. */
static int await_work(cameo_thread_pool *pool, slice *own) {
  for (;;) {
    if (pool->spin && spin_for_work(pool, own))
      return 1;
    /* The slice is filled before the job number changes. So a thread that reads the number and then finds the slice
     * empty sleeps only until the next job. */
    unsigned seen = atomic_load(&pool->published);
    if (atomic_load(&pool->stopping))
      return 0;
    if (has_work(own))
      return 1;
    cameo_wait_while(&pool->waiters, &pool->published, seen);
  }
}

static void *work(void *argument) {
  worker *self = argument;
  cameo_thread_pool *pool = self->pool;
  while (await_work(pool, &pool->slices[self->index]))
    run_slices(pool, self->index);
  return NULL;
}

/* ---- callers ---- */

/* Divides the job into slices of equal extent. Of the remainder, the first slices get one iteration each, because the
 * caller starts first. */
static void publish(cameo_thread_pool *pool, cameo_kernel kernel, void *const *buffers, int64_t base, uint64_t extent) {
  uint64_t count = (uint64_t)pool->thread_count, share = extent / count, longer = extent % count, begin = 0;
  pool->iterations += extent;
  for (uint64_t i = 0; i < count; ++i) {
    slice *slice = &pool->slices[i];
    uint64_t end = begin + share + (i < longer);
    slice->kernel = kernel;
    slice->buffers = buffers;
    slice->base = base;
    atomic_store_explicit(&slice->left, end << 32 | begin, memory_order_release);
    begin = end;
  }
  atomic_store(&pool->published, atomic_load_explicit(&pool->published, memory_order_relaxed) + 1);
  cameo_wake(&pool->waiters, &pool->published, (int)(extent < count ? extent : count) - 1);
}

/* Waits for the threads that execute the last pieces. */
static void await_iterations(cameo_thread_pool *pool) {
  for (unsigned round = 1;; ++round) {
    uint64_t done = 0;
    for (int32_t i = 0; i < pool->thread_count; ++i)
      done += atomic_load_explicit(&pool->slices[i].done, memory_order_acquire);
    if (done == pool->iterations)
      return;
    pause_cpu();
    /* A worker may have lost its CPU within a piece: yield this CPU to it. */
    if (!pool->spin || round % 4096 == 0)
      sched_yield();
  }
}

void cameo_thread_pool_parallel_for(void *user, cameo_kernel kernel, void *const *buffers, int64_t extent) {
  cameo_thread_pool *pool = user;
  if (extent <= 0)
    return;
  if (!pool || pool->thread_count == 1 || extent == 1 ||
      atomic_flag_test_and_set_explicit(&pool->owned, memory_order_acquire)) {
    kernel(buffers, 0, extent);
    return;
  }
  for (int64_t base = 0; base < extent; base += MOST_ITERATIONS) {
    publish(pool, kernel, buffers, base, extent - base < MOST_ITERATIONS ? (uint64_t)(extent - base) : MOST_ITERATIONS);
    run_slices(pool, 0);
    await_iterations(pool);
  }
  atomic_flag_clear_explicit(&pool->owned, memory_order_release);
}

/* ---- life of a pool ---- */

/* Returns the number of threads for `requested`, or 0 if it is not from 1 to CAMEO_MAX_THREADS. */
static int32_t resolve_thread_count(int32_t requested) {
  if (requested != 0)
    return requested > 0 && requested <= CAMEO_MAX_THREADS ? requested : 0;
  const char *text = getenv("CAMEO_NUM_THREADS");
  if (!text || !*text) {
    int32_t cpus = available_cpus();
    return cpus < CAMEO_MAX_THREADS ? cpus : CAMEO_MAX_THREADS;
  }
  char *end = NULL;
  errno = 0;
  long value = strtol(text, &end, 10);
  return errno == 0 && *end == '\0' && value > 0 && value <= CAMEO_MAX_THREADS ? (int32_t)value : 0;
}

static void *allocate(size_t count, size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, CACHE_LINE, count * bytes) != 0)
    return NULL;
  return memory;
}

static void stop_workers(cameo_thread_pool *pool, int32_t started) {
  atomic_store(&pool->stopping, 1);
  atomic_fetch_add(&pool->published, 1);
  cameo_wake(&pool->waiters, &pool->published, pool->thread_count);
  for (int32_t i = 0; i < started; ++i)
    pthread_join(pool->workers[i].thread, NULL);
}

/* Starts all workers with all signals blocked, so that the program's signal handlers run on the program's own threads.
 */
static int start_workers(cameo_thread_pool *pool) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int32_t started = 0;
  int error = 0;
  while (!error && started < pool->thread_count - 1) {
    worker *worker = &pool->workers[started];
    worker->pool = pool;
    worker->index = started + 1;
    error = pthread_create(&worker->thread, NULL, work, worker);
    if (!error)
      ++started;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error)
    stop_workers(pool, started);
  return error;
}

static void release(cameo_thread_pool *pool) {
  if (!pool)
    return;
  free(pool->workers);
  free(pool->slices);
  free(pool);
}

static cameo_thread_pool *allocate_pool(int32_t thread_count) {
  cameo_thread_pool *pool = allocate(1, sizeof *pool);
  if (!pool)
    return NULL;
  *pool = (cameo_thread_pool){.thread_count = thread_count, .spin = thread_count <= available_cpus()};
  atomic_flag_clear(&pool->owned);
  pool->slices = allocate((size_t)thread_count, sizeof(slice));
  pool->workers = allocate((size_t)thread_count, sizeof(worker));
  if (!pool->slices || !pool->workers || cameo_waiters_init(&pool->waiters) != 0) {
    release(pool);
    return NULL;
  }
  for (int32_t i = 0; i < thread_count; ++i)
    pool->slices[i] = (slice){.left = 0};
  return pool;
}

cameo_status cameo_thread_pool_create(int32_t thread_count, cameo_thread_pool **result) {
  if (!result)
    return CAMEO_INVALID_ARGUMENT;
  *result = NULL;
  thread_count = resolve_thread_count(thread_count);
  if (thread_count == 0)
    return CAMEO_INVALID_ARGUMENT;
  cameo_thread_pool *pool = allocate_pool(thread_count);
  if (!pool)
    return CAMEO_OUT_OF_MEMORY;
  if (start_workers(pool) != 0) {
    cameo_waiters_destroy(&pool->waiters);
    release(pool);
    return CAMEO_OUT_OF_MEMORY;
  }
  *result = pool;
  return CAMEO_OK;
}

void cameo_thread_pool_destroy(cameo_thread_pool *pool) {
  if (!pool)
    return;
  stop_workers(pool, pool->thread_count - 1);
  cameo_waiters_destroy(&pool->waiters);
  release(pool);
}

int32_t cameo_thread_pool_size(const cameo_thread_pool *pool) { return pool ? pool->thread_count : 1; }
