#define _GNU_SOURCE
#include "candidate_state.h"

#include "confine.h"
#include "load_image.h"
#include "random_data.h"
#include "seeded_data.h"
#include "sentinel.h"
#include "stream.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

bool give_up(candidate *self, candidate_status status, const char *message) {
  self->reply.status = status;
  if (message != self->message)
    snprintf(self->message, sizeof(self->message), "%s", message);
  return false;
}

static bool load(candidate *self) {
  self->model = load_image(self->source->image.begin, self->source->image.count, &self->gpu_model, self->message,
                           sizeof(self->message));
  if (!self->model)
    return give_up(self, CANDIDATE_BAD_IMAGE, self->message);
  cameo_status status = cameo_model_check(self->model);
  if (status != CAMEO_OK)
    return give_up(self, CANDIDATE_BAD_IMAGE, cameo_status_message(status));
  if (self->model->symbol_count != 0)
    return give_up(self, CANDIDATE_BAD_IMAGE, "expected static sizes");
  return true;
}

/* Allocates `bytes` and touches all pages. Returns null if memory is exhausted. */
static void *allocate(uint64_t bytes) {
  void *memory = aligned_alloc(CAMEO_ALIGNMENT, align_up(bytes) + CAMEO_ALIGNMENT);
  if (memory)
    memset(memory, 0, align_up(bytes));
  return memory;
}

/* Binds the data for comparing results. */
static bool bind_seeded(candidate *self) {
  const cameo_package_input *inputs = (const cameo_package_input *)self->source->inputs.begin;
  if (self->source->inputs.count < self->model->input_count * sizeof(*inputs))
    return give_up(self, CANDIDATE_FAILED, "the package has too few inputs");
  for (uint32_t i = 0; i < self->model->input_count; ++i) {
    void *own = allocate(self->model->inputs[i].size_bytes);
    if (!own)
      return give_up(self, CANDIDATE_NO_MEMORY, "no memory for the inputs");
    fill_seeded(own, self->model->inputs[i].size_bytes, &inputs[i]);
    self->inputs[i] = own;
  }
  if (self->model->external_weights_hash == 0)
    return true;
  if (self->source->weights.count < sizeof(cameo_weights_header) + self->model->weights_bytes)
    return give_up(self, CANDIDATE_FAILED, "the package has too few bytes of weights");
  self->context.weights = self->source->weights.begin + sizeof(cameo_weights_header);
  return true;
}

/* Binds inputs and weights to consecutive parts of the random data. */
static bool bind_random(candidate *self) {
  const char *base = self->source->random;
  uint64_t at = 0, available = self->source->random_bytes;
  for (uint32_t i = 0; i < self->model->input_count; ++i) {
    const cameo_tensor_description *input = &self->model->inputs[i];
    self->inputs[i] = base + at;
    at += align_up(input->size_bytes);
    if (at > available)
      return give_up(self, CANDIDATE_FAILED, "the package has too few bytes of inputs");
    /* The random data has the type of the weights; data of other types is generated. */
    if (input->element_type != (int32_t)self->item->weights_type) {
      void *own = allocate(input->size_bytes);
      if (!own)
        return give_up(self, CANDIDATE_NO_MEMORY, "no memory for the inputs");
      fill_random(own, input->size_bytes, input->element_type);
      self->inputs[i] = own;
    }
  }
  if (self->model->external_weights_hash == 0)
    return true;
  if (at + self->model->weights_bytes > available)
    return give_up(self, CANDIDATE_FAILED, "the package has too few bytes of weights");
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
    return give_up(self, CANDIDATE_NO_MEMORY, "no memory for outputs and workspace");
  uint64_t at = 0;
  for (uint32_t i = 0; i < self->model->output_count; ++i) {
    self->outputs[i] = self->output_memory + at;
    at += align_up(self->model->outputs[i].size_bytes);
  }
  return true;
}

static bool prepare(candidate *self) {
  cameo_thread_pool *pool = NULL;
  if (self->item->threads > 1 && cameo_thread_pool_create((int32_t)self->item->threads, &pool) != CAMEO_OK)
    return give_up(self, CANDIDATE_NO_MEMORY, "no threads");
  cameo_context_init(&self->context, pool);
  self->inputs = calloc(self->model->input_count + 1, sizeof(void *));
  self->outputs = calloc(self->model->output_count + 1, sizeof(void *));
  if (!self->inputs || !self->outputs)
    return give_up(self, CANDIDATE_NO_MEMORY, "no memory for the tables of buffers");
  bool is_bound = (self->source->work == CANDIDATE_TIMES ? bind_random(self) : bind_seeded(self)) && bind_outputs(self);
  return is_bound && (!self->gpu_model || start_on_gpu(self));
}

bool run_once(candidate *self) {
  if (self->gpu_model)
    return run_on_gpu(self);
  cameo_status status = self->model->run(self->inputs, self->outputs, NULL, self->workspace, &self->context);
  if (status != CAMEO_OK)
    return give_up(self, CANDIDATE_REFUSED, cameo_status_message(status));
  return true;
}

/* Limits memory to `memory_bytes` more than the process uses now. */
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

static void confine(const cameo_package_item *item) {
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory(item->memory_bytes);
  if (item->cpu >= 0) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET((size_t)item->cpu, &cpus);
    sched_setaffinity(0, sizeof(cpus), &cpus);
  }
}

/* Stores the outputs as the reference for candidates. */
static bool keep_outputs(candidate *self) {
  if (!write_all(self->source->reference, self->output_memory, self->output_bytes))
    return give_up(self, CANDIDATE_NO_MEMORY, "no memory for outputs");
  return true;
}

/* The reference is mapped after the run, so that stray writes of the candidate cannot change it. */
static bool compare_with_reference(candidate *self) {
  const char *expected = mmap(NULL, self->output_bytes + 1, PROT_READ, MAP_PRIVATE, self->source->reference, 0);
  if (lseek(self->source->reference, 0, SEEK_END) != (off_t)self->output_bytes)
    return give_up(self, CANDIDATE_FAILED, "expected a reference of the same outputs");
  if (expected == MAP_FAILED)
    return give_up(self, CANDIDATE_NO_MEMORY, "no memory for outputs");
  difference all = {.worst_index = -1, .within_bound = true};
  uint64_t at = 0;
  for (uint32_t i = 0; i < self->model->output_count; ++i) {
    const cameo_tensor_description *output = &self->model->outputs[i];
    difference one = compare_outputs(self->output_memory + at, expected + at, output->size_bytes, output->element_type,
                                     self->source->item->least_tolerance);
    at += align_up(output->size_bytes);
    if (!one.within_bound) {
      snprintf(self->message, sizeof(self->message), "result %u: element %lld differs by %g, expected at most %g", i,
               (long long)one.worst_index, one.max_absolute, one.bound);
      return give_up(self, CANDIDATE_IS_WRONG, self->message);
    }
    all.max_absolute = one.max_absolute > all.max_absolute ? one.max_absolute : all.max_absolute;
    all.max_ulp = one.max_ulp > all.max_ulp ? one.max_ulp : all.max_ulp;
    all.bound = one.bound > all.bound ? one.bound : all.bound;
  }
  self->reply.found = all;
  return true;
}

static bool work(candidate *self) {
  switch (self->source->work) {
  case CANDIDATE_TIMES:
    return time_candidate(self);
  case CANDIDATE_KEEPS_OUTPUTS:
    return run_once(self) && keep_outputs(self);
  case CANDIDATE_COMPARES:
    return run_once(self) && compare_with_reference(self);
  }
  return false;
}

static candidate the_candidate;
static int reply_descriptor = -1;

static void reply(void) {
  candidate *self = &the_candidate;
  self->reply.message_bytes = (uint32_t)strlen(self->message);
  (void)(write_all(reply_descriptor, &self->reply, sizeof(self->reply)) &&
         write_all(reply_descriptor, self->message, self->reply.message_bytes) &&
         write_all(reply_descriptor, self->costs, self->reply.cost_count * sizeof(double)));
}

/* Runs in a signal handler; the process ends here, so its other state does not matter. */
static void end_refused(const char *what) {
  give_up(&the_candidate, CANDIDATE_REFUSED, what);
  the_candidate.reply.cost_count = 0;
  reply();
  _exit(0);
}

void run_candidate(const candidate_source *source, int descriptor) {
  candidate *self = &the_candidate;
  self->source = source;
  self->item = source->item;
  reply_descriptor = descriptor;
  confine(source->item);
  if (confines_candidates())
    confine_calls(end_refused);
  double before = time_sentinel();
  (void)(load(self) && prepare(self) && work(self));
  double after = time_sentinel();
  self->reply.sentinel_seconds = before > after ? before : after;
  if (self->reply.status != CANDIDATE_OK)
    self->reply.cost_count = 0;
  else
    self->message[0] = 0;
  reply();
}
