/* The thread pool. One caller at a time has the threads; its range is cut into one slice per thread, so that a thread
 * meets the same data in every task and every run. A slice is taken in pieces that become smaller and smaller, first by its
 * thread, then by whoever is done with another: the caller never waits for a thread that has not begun, nor long for one
 * that began late. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cameo/runtime.h"
#include "wait.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Longer than the serial stretches between the tasks of one run, short enough to leave the CPU to others soon after it;
 * a wake-up costs some 50 microseconds. */
#define SPIN_NANOSECONDS 1000000

#define CACHE_LINE 64

/* A thread leaves one part of so many of what is left of its slice for others to take; of another's slice more, since its thread may begin yet. */
#define OWN_PARTS 16
#define OTHER_PARTS 4

/* A worker may use the job only between entering the gate while it is open and leaving it; the owner changes the job
 * only while the gate is closed and nobody is inside. Low bits: threads inside. */
#define GATE_OPEN 0x80000000u

typedef struct slice {
  _Alignas(CACHE_LINE) _Atomic int64_t next; /* first iteration that nobody took; beyond `end` when none is left */
  int64_t end;
} slice;

typedef struct worker {
  struct cameo_thread_pool *pool;
  pthread_t thread;
  int32_t index;
} worker;

typedef struct job {
  cameo_kernel kernel;
  void *const *buffers;
} job;

struct cameo_thread_pool {
  _Alignas(CACHE_LINE) atomic_uint published; /* number of the last job; what workers wait on */
  atomic_uint stopping;
  _Alignas(CACHE_LINE) atomic_uint gate;
  _Alignas(CACHE_LINE) atomic_flag owned; /* a caller has the threads */
  _Alignas(CACHE_LINE) job job;
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

/* CPUs that this process may use, at least 1. */
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

/* Takes pieces of what is left of the slice, all but one part in `parts` at a time. */
static void run_slice(cameo_thread_pool *pool, slice *slice, int64_t parts) {
  const job *job = &pool->job;
  for (;;) {
    int64_t left = slice->end - atomic_load_explicit(&slice->next, memory_order_relaxed);
    if (left <= 0)
      return;
    int64_t piece = left - left / parts;
    /* Where another thread takes a piece between the two, this one is of another share of what is left, but still nobody else's. */
    int64_t begin = atomic_fetch_add_explicit(&slice->next, piece, memory_order_relaxed);
    if (begin >= slice->end)
      return;
    job->kernel(job->buffers, begin, slice->end - begin < piece ? slice->end : begin + piece);
  }
}

/* The own slice first, then the others'. */
static void run_slices(cameo_thread_pool *pool, int32_t index) {
  run_slice(pool, &pool->slices[index], OWN_PARTS);
  for (int32_t other = 1; other < pool->thread_count; ++other)
    run_slice(pool, &pool->slices[(index + other) % pool->thread_count], OTHER_PARTS);
}

/* ---- workers ---- */

/* Returns when another job than `seen` was published. */
static void await_job(cameo_thread_pool *pool, unsigned seen) {
  if (pool->spin) {
    uint64_t deadline = 0;
    for (unsigned round = 1; atomic_load_explicit(&pool->published, memory_order_acquire) == seen; ++round) {
      pause_cpu();
      if (round % 64 != 0)
        continue;
      uint64_t now = cameo_now();
      if (deadline == 0)
        deadline = now + SPIN_NANOSECONDS;
      else if (now > deadline)
        break;
    }
  }
  while (atomic_load_explicit(&pool->published, memory_order_acquire) == seen)
    cameo_wait_while(&pool->waiters, &pool->published, seen);
}

static void *work(void *argument) {
  worker *self = argument;
  cameo_thread_pool *pool = self->pool;
  unsigned seen = 0;
  for (;;) {
    await_job(pool, seen);
    seen = atomic_load_explicit(&pool->published, memory_order_acquire);
    if (atomic_load_explicit(&pool->stopping, memory_order_acquire))
      return NULL;
    if (atomic_fetch_add_explicit(&pool->gate, 1, memory_order_acquire) & GATE_OPEN)
      run_slices(pool, self->index);
    atomic_fetch_sub_explicit(&pool->gate, 1, memory_order_release);
  }
}

/* Waits until no worker is inside the closed gate: those inside are in their last piece, or only passing. */
static void await_empty_gate(cameo_thread_pool *pool) {
  for (unsigned round = 1; atomic_load_explicit(&pool->gate, memory_order_acquire) != 0; ++round) {
    pause_cpu();
    /* A worker that lost its CPU inside a piece: leave it ours. */
    if (!pool->spin || round % 4096 == 0)
      sched_yield();
  }
}

/* ---- callers ---- */

/* Slices of equal extent, the first ones longer by one iteration where they cannot be: the caller is the first to begin. */
static void cut(cameo_thread_pool *pool, int64_t extent) {
  int64_t share = extent / pool->thread_count, longer = extent % pool->thread_count, begin = 0;
  for (int32_t i = 0; i < pool->thread_count; ++i) {
    atomic_store_explicit(&pool->slices[i].next, begin, memory_order_relaxed);
    begin += share + (i < longer);
    pool->slices[i].end = begin;
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
  /* A worker that came too late for the last job may be on its way out of the gate, having read nothing. */
  unsigned number = atomic_load_explicit(&pool->published, memory_order_relaxed) + 1;
  pool->job = (job){.kernel = kernel, .buffers = buffers};
  cut(pool, extent);
  atomic_fetch_or_explicit(&pool->gate, GATE_OPEN, memory_order_release);
  atomic_store(&pool->published, number);
  int helpers = extent < pool->thread_count ? (int)extent - 1 : pool->thread_count - 1;
  cameo_wake(&pool->waiters, &pool->published, helpers);

  run_slices(pool, 0);
  atomic_fetch_and_explicit(&pool->gate, ~GATE_OPEN, memory_order_acquire);
  await_empty_gate(pool);
  atomic_flag_clear_explicit(&pool->owned, memory_order_release);
}

/* ---- life of a pool ---- */

/* The threads asked for by `requested`, or 0 where that is no number from 1 to CAMEO_MAX_THREADS. */
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
  atomic_store_explicit(&pool->stopping, 1, memory_order_release);
  atomic_fetch_add(&pool->published, 1);
  cameo_wake(&pool->waiters, &pool->published, pool->thread_count);
  for (int32_t i = 0; i < started; ++i)
    pthread_join(pool->workers[i].thread, NULL);
}

/* Starts all workers, with every signal blocked: the program's handlers run on the program's threads. */
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
    atomic_init(&pool->slices[i].next, 0);
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
