#define _GNU_SOURCE
#include "candidate.h"

#include "cameo/runtime.h"
#include "random_data.h"
#include "sentinel.h"
#include "stream.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef struct candidate {
  const candidate_source *source;
  const cameo_worker_request *request;
  const cameo_model_description *model;
  cameo_context context;
  const void **inputs;
  void **outputs;
  char *output_memory; /* all outputs, each at a multiple of CAMEO_ALIGNMENT */
  uint64_t output_bytes;
  void *workspace;
  uint64_t workspace_bytes;
  char *weights; /* where those of all runs begin; null: not random, or there are none */
  cameo_worker_reply reply;
  const char *message;
  double costs[CAMEO_WORKER_MAX_REPEATS];
} candidate;

static uint64_t align_up(uint64_t bytes) { return (bytes + CAMEO_ALIGNMENT - 1) / CAMEO_ALIGNMENT * CAMEO_ALIGNMENT; }

static bool give_up(candidate *self, cameo_worker_status status, int detail, const char *message) {
  self->reply.status = status;
  self->reply.detail = detail;
  self->message = message;
  return false;
}

static bool load(candidate *self) {
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/fd/%d", self->source->image);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return give_up(self, CAMEO_WORKER_BAD_IMAGE, 0, dlerror());
  self->model = dlsym(library, CAMEO_WORKER_SYMBOL);
  if (!self->model)
    return give_up(self, CAMEO_WORKER_BAD_IMAGE, 0, "expected the symbol " CAMEO_WORKER_SYMBOL);
  cameo_status status = cameo_model_check(self->model);
  if (status != CAMEO_OK)
    return give_up(self, CAMEO_WORKER_BAD_IMAGE, 0, cameo_status_message(status));
  if (self->model->symbol_count != 0)
    return give_up(self, CAMEO_WORKER_BAD_IMAGE, 0, "expected sizes that are all known");
  return true;
}

/* Memory for `bytes`, touched, or null. */
static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, align_up(bytes) + CAMEO_ALIGNMENT);
  if (memory)
    memset(memory, 0, align_up(bytes));
  return memory;
}

/* Where weights lie that would begin at `at`: what is shared is as good as the candidates before, which may have written anything. */
static uint64_t place_of_weights(const candidate *self, uint64_t at) {
  return at % CAMEO_ALIGNMENT != 0 || at > self->request->rotation_bytes ? 0 : at;
}

/* Weights for the next run: behind those of the one before, until as many bytes were read as those of a whole model. So they lie in the cache, or
 * beyond all caches, that a model of this size has them in, also where the candidate has more weights than half of the model. */
static void take_weights(candidate *self) {
  if (!self->weights)
    return;
  uint64_t at = place_of_weights(self, *self->source->rotation);
  char *weights = self->weights + at;
  *self->source->rotation = at + align_up(self->model->weights_bytes);
  /* The last bytes hold the hash that `run` asks for; the page that they are on is the candidate's own copy from there on. */
  memcpy(weights + self->model->weights_bytes - CAMEO_ALIGNMENT, &self->model->external_weights_hash, sizeof(uint64_t));
  self->context.weights = weights;
}

/* A process that was forked marks each page at its first access, which takes as long as reading the page from memory where there are two levels of
 * page tables. A model has its pages for long, so those that the next `runs` will read are marked here. */
static void visit_weights(const candidate *self, uint64_t runs) {
  enum { page_bytes = 4096 };
  if (!self->weights || self->request->rotation_bytes == 0)
    return;
  uint64_t bytes = align_up(self->model->weights_bytes), at = *self->source->rotation;
  for (uint64_t visited = 0; runs > 0 && visited <= self->request->rotation_bytes; --runs, visited += bytes) {
    at = place_of_weights(self, at);
    for (uint64_t offset = 0; offset < bytes; offset += page_bytes)
      (void)*((const volatile char *)self->weights + at + offset);
    at += bytes;
  }
}

/* Inputs and weights lie behind each other, in the data of the request or in random data. */
static bool bind_data(candidate *self) {
  const cameo_worker_request *request = self->request;
  const char *base = self->source->data ? self->source->data : self->source->random;
  uint64_t available = self->source->data ? request->data_bytes : request->random_bytes;
  uint64_t at = 0;
  for (uint32_t i = 0; i < self->model->input_count; ++i) {
    const cameo_tensor_description *input = &self->model->inputs[i];
    self->inputs[i] = base + at;
    at += align_up(input->size_bytes);
    if (at > available)
      return give_up(self, CAMEO_WORKER_FAILED, 0, "the request has too few bytes of inputs");
    /* Random data of the weights' type is at hand; other types are made. */
    if (!self->source->data && input->element_type != (int32_t)request->weights_type) {
      void *own = allocate(input->size_bytes);
      if (!own)
        return give_up(self, CAMEO_WORKER_NO_MEMORY, 0, "no memory for the inputs");
      fill_random(own, input->size_bytes, input->element_type);
      self->inputs[i] = own;
    }
  }
  if (self->model->external_weights_hash == 0)
    return true;
  if (at + self->model->weights_bytes > available)
    return give_up(self, CAMEO_WORKER_FAILED, 0, "the request has too few bytes of weights");
  if (self->source->data) {
    self->context.weights = base + at + sizeof(cameo_weights_header);
    return true;
  }
  self->weights = (char *)base + at;
  take_weights(self);
  return true;
}

static bool bind_outputs(candidate *self) {
  for (uint32_t i = 0; i < self->model->output_count; ++i)
    self->output_bytes += align_up(self->model->outputs[i].size_bytes);
  self->workspace_bytes = self->model->workspace_size(NULL);
  self->output_memory = allocate(self->output_bytes);
  self->workspace = allocate(self->workspace_bytes);
  if (!self->output_memory || !self->workspace)
    return give_up(self, CAMEO_WORKER_NO_MEMORY, 0, "no memory for outputs and workspace");
  uint64_t at = 0;
  for (uint32_t i = 0; i < self->model->output_count; ++i) {
    self->outputs[i] = self->output_memory + at;
    at += align_up(self->model->outputs[i].size_bytes);
  }
  return true;
}

static bool prepare(candidate *self) {
  cameo_thread_pool *pool = NULL;
  if (self->request->threads > 1 && cameo_thread_pool_create((int32_t)self->request->threads, &pool) != CAMEO_OK)
    return give_up(self, CAMEO_WORKER_NO_MEMORY, 0, "no threads");
  cameo_context_init(&self->context, pool);
  self->inputs = calloc(self->model->input_count + 1, sizeof(void *));
  self->outputs = calloc(self->model->output_count + 1, sizeof(void *));
  if (!self->inputs || !self->outputs)
    return give_up(self, CAMEO_WORKER_NO_MEMORY, 0, "no memory for the tables of buffers");
  return bind_data(self) && bind_outputs(self);
}

static bool run_once(candidate *self) {
  cameo_status status = self->model->run(self->inputs, self->outputs, NULL, self->workspace, &self->context);
  if (status != CAMEO_OK)
    return give_up(self, CAMEO_WORKER_REFUSED, (int)status, cameo_status_message(status));
  return true;
}

static void touch(const void *memory, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += CAMEO_ALIGNMENT)
    (void)*((const volatile char *)memory + at);
}

/* In a whole model other tasks ran since the weights were last read, and the one before left its result in the cache. */
static void set_caches(candidate *self) {
  take_weights(self);
  if (self->request->rotation_bytes == 0)
    return;
  touch(self->workspace, self->workspace_bytes);
  touch(self->output_memory, self->output_bytes);
  for (uint32_t i = self->model->input_count; i-- > 0;)
    touch(self->inputs[i], self->model->inputs[i].size_bytes);
}

static long interruptions(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nivcsw : 0;
}

/* Mean seconds of `number` runs; below 0 on failure. */
static double measure_once(candidate *self, uint64_t number) {
  uint64_t total = 0;
  for (uint64_t i = 0; i < number; ++i) {
    set_caches(self);
    uint64_t begin = cameo_now();
    if (!run_once(self))
      return -1;
    total += cameo_now() - begin;
  }
  return (double)total * 1e-9 / (double)number;
}

static void sleep_for(double seconds) {
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  if (seconds > 0)
    nanosleep(&time, NULL);
}

/* Runs of one measurement, when one takes `run_seconds` and `all_seconds` with what is around it: enough for the shortest time that a
 * measurement may take, but setting the caches may not take many times as long as that. */
static uint64_t runs_of_measurement(const cameo_worker_request *request, double run_seconds, double all_seconds) {
  const double longest = 4 * request->min_repeat_seconds, tiny = 1e-9;
  double wanted = request->min_repeat_seconds / (run_seconds > tiny ? run_seconds : tiny);
  double allowed = longest / (all_seconds > tiny ? all_seconds : tiny);
  uint64_t number = (uint64_t)(wanted < allowed ? wanted : allowed) + 1;
  return number > request->number ? number : request->number;
}

/* Seconds of one run, of a few if the system broke into them: it must not take a fast candidate for hopeless. */
static double measure_first(candidate *self) {
  const int attempts = 3;
  double fastest = -1;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    long before = interruptions();
    double cost = measure_once(self, 1);
    if (cost < 0)
      return cost;
    fastest = fastest < 0 || cost < fastest ? cost : fastest;
    if (interruptions() == before)
      break;
  }
  return fastest;
}

/* The more measurements there are, the less of the distance to the best may be noise. */
static bool is_beaten(const cameo_worker_request *request, double fastest, uint32_t measurements) {
  return fastest > request->best_seconds * (1 + request->stop_margin / measurements);
}

static void add_cost(candidate *self, double cost, double *fastest) {
  self->costs[self->reply.cost_count++] = cost;
  *fastest = self->reply.cost_count == 1 || cost < *fastest ? cost : *fastest;
}

static bool measure(candidate *self) {
  const cameo_worker_request *request = self->request;
  sleep_for(request->cool_down_seconds);
  for (uint32_t i = 0; i < request->warm_up; ++i) {
    take_weights(self);
    if (!run_once(self))
      return false;
  }
  visit_weights(self, 1);
  uint64_t begin = cameo_now();
  double first = measure_first(self), fastest = first;
  if (first < 0)
    return false;
  uint64_t number = runs_of_measurement(request, first, (double)(cameo_now() - begin) * 1e-9);
  /* A short run may be anything, and measuring it well costs little. */
  bool may_give_up = request->best_seconds > 0 && first >= request->min_repeat_seconds;
  if (may_give_up && number == 1)
    add_cost(self, first, &fastest);
  if (self->reply.cost_count == 0 || !is_beaten(request, fastest, 1))
    visit_weights(self, number * request->repeats);
  uint32_t attempts = 2 * request->repeats;
  for (uint32_t i = self->reply.cost_count; i < attempts && self->reply.cost_count < request->repeats; ++i) {
    if (may_give_up && self->reply.cost_count > 0 && is_beaten(request, fastest, self->reply.cost_count))
      break;
    long before = interruptions();
    double cost = measure_once(self, number);
    if (cost < 0)
      return false;
    /* What the system broke into is no measurement, unless all of them are. */
    bool broken = interruptions() != before;
    self->reply.interruptions += broken;
    if (!broken || attempts - i <= request->repeats - self->reply.cost_count)
      add_cost(self, cost, &fastest);
  }
  return true;
}

/* `memory_bytes` more than the process has now. */
static void limit_memory(uint64_t memory_bytes) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file) {
    if (fscanf(file, "%llu", &pages) != 1)
      pages = 0;
    fclose(file);
  }
  if (memory_bytes == 0 || pages == 0)
    return;
  rlim_t limit = (rlim_t)(pages * (unsigned long long)sysconf(_SC_PAGESIZE) + memory_bytes);
  struct rlimit limits = {limit, limit};
  setrlimit(RLIMIT_AS, &limits);
}

static void confine(const cameo_worker_request *request) {
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory(request->memory_bytes);
  if (request->cpu >= 0) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET((size_t)request->cpu, &cpus);
    sched_setaffinity(0, sizeof(cpus), &cpus);
  }
}

void run_candidate(const candidate_source *source, int descriptor) {
  static candidate self;
  self.source = source;
  self.request = source->request;
  self.reply.magic = CAMEO_WORKER_MAGIC;
  self.reply.version = CAMEO_WORKER_VERSION;
  confine(source->request);
  double before = time_sentinel();
  if (load(&self) && prepare(&self))
    (void)(source->request->repeats == 0 ? run_once(&self) : measure(&self));
  double after = time_sentinel();
  self.reply.sentinel_seconds = before > after ? before : after;
  if (self.reply.status != CAMEO_WORKER_OK)
    self.reply.cost_count = 0;
  else if (source->request->returns_outputs)
    self.reply.output_bytes = self.output_bytes;
  self.reply.message_bytes = self.message ? (uint32_t)strlen(self.message) : 0;
  (void)(write_all(descriptor, &self.reply, sizeof(self.reply)) &&
         write_all(descriptor, self.message, self.reply.message_bytes) &&
         write_all(descriptor, self.costs, self.reply.cost_count * sizeof(double)) &&
         write_all(descriptor, self.output_memory, self.reply.output_bytes));
}
