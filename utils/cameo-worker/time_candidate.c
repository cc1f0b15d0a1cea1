/* Measures the time of a candidate's runs. */
#define _GNU_SOURCE
#include "candidate_state.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Returns the offset of the weights if they were to begin at `at`. The shared offset is untrusted, because earlier
 * candidates may have overwritten it. */
static uint64_t place_of_weights(const candidate *self, uint64_t at) {
  return at % CAMEO_ALIGNMENT != 0 || at > self->source->rotation_bytes ? 0 : at;
}

/* Selects the weights for the next run: those after the previous ones, until as many bytes were read as a whole model
 * has. So they are in the same cache level or memory as in a model of that size, also if the candidate has more than
 * half of the model's weights. */
void take_weights(candidate *self) {
  if (!self->weights)
    return;
  uint64_t at = place_of_weights(self, *self->source->rotation);
  char *weights = self->weights + at;
  *self->source->rotation = at + align_up(self->model->weights_bytes);
  /* The last bytes hold the hash that `run` checks; writing it gives the candidate its own copy of that page. */
  memcpy(weights + self->model->weights_bytes - CAMEO_ALIGNMENT, &self->model->external_weights_hash, sizeof(uint64_t));
  self->context.weights = weights;
}

/* After a fork, the first access to each page causes a fault, which takes as long as reading the page from memory if
 * page tables are nested. A model keeps its pages mapped, so the pages of the next `runs` runs are touched here. */
static void visit_weights(const candidate *self, uint64_t runs) {
  enum { page_bytes = 4096 };
  if (!self->weights || self->source->rotation_bytes == 0)
    return;
  uint64_t bytes = align_up(self->model->weights_bytes), at = *self->source->rotation;
  for (uint64_t visited = 0; runs > 0 && visited <= self->source->rotation_bytes; --runs, visited += bytes) {
    at = place_of_weights(self, at);
    for (uint64_t offset = 0; offset < bytes; offset += page_bytes)
      (void)*((const volatile char *)self->weights + at + offset);
    at += bytes;
  }
}

static void touch(const void *memory, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += CAMEO_ALIGNMENT)
    (void)*((const volatile char *)memory + at);
}

/* In a whole model, other tasks ran since the weights were last read, and the result of the preceding task is in the
 * cache. Prepares the caches accordingly. */
static void set_caches(candidate *self) {
  take_weights(self);
  if (self->source->rotation_bytes == 0)
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

/* Returns the mean time of `number` runs in seconds, negative on failure. */
static double measure_once(candidate *self, uint64_t number) {
  if (self->gpu_model)
    return measure_on_gpu(self, number);
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

/* Returns the number of runs of one measurement, if one takes `run_seconds`, and `all_seconds` with its preparation:
 * enough for the minimum time of a measurement, but the preparation of the caches must not take many times as long. */
static uint64_t runs_of_measurement(const cameo_package_item *item, double run_seconds, double all_seconds) {
  const double longest = 4 * item->min_repeat_seconds, tiny = 1e-9;
  double wanted = item->min_repeat_seconds / (run_seconds > tiny ? run_seconds : tiny);
  double allowed = longest / (all_seconds > tiny ? all_seconds : tiny);
  uint64_t number = (uint64_t)(wanted < allowed ? wanted : allowed) + 1;
  return number > item->number ? number : item->number;
}

/* Returns the time of one run in seconds; the best of a few if the system interrupted it, so that a fast candidate is
 * not abandoned. */
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

/* With more measurements, less of the distance to the best can be noise. */
static bool is_beaten(const candidate *self, double fastest, uint32_t measurements) {
  return fastest > self->source->best_seconds * (1 + self->item->stop_margin / measurements);
}

static void add_cost(candidate *self, double cost, double *fastest) {
  self->costs[self->reply.cost_count++] = cost;
  *fastest = self->reply.cost_count == 1 || cost < *fastest ? cost : *fastest;
}

bool time_candidate(candidate *self) {
  const cameo_package_item *item = self->item;
  uint32_t repeats = self->source->repeats;
  sleep_for(item->cool_down_seconds);
  for (uint32_t i = 0; i < item->warm_up; ++i) {
    take_weights(self);
    if (!run_once(self))
      return false;
  }
  visit_weights(self, 1);
  uint64_t begin = cameo_now();
  double first = measure_first(self), fastest = first;
  if (first < 0)
    return false;
  /* On a GPU, the preparation of a run, such as copies, is done once for the whole measurement. */
  uint64_t number = runs_of_measurement(item, first, self->gpu_model ? first : (double)(cameo_now() - begin) * 1e-9);
  /* The time of a short run is unreliable, and measuring it properly costs little. */
  bool may_give_up = self->source->best_seconds > 0 && first >= item->min_repeat_seconds;
  if (may_give_up && number == 1)
    add_cost(self, first, &fastest);
  if (self->reply.cost_count == 0 || !is_beaten(self, fastest, 1))
    visit_weights(self, number * repeats);
  uint32_t attempts = 2 * repeats;
  for (uint32_t i = self->reply.cost_count; i < attempts && self->reply.cost_count < repeats; ++i) {
    if (may_give_up && self->reply.cost_count > 0 && is_beaten(self, fastest, self->reply.cost_count))
      break;
    long before = interruptions();
    double cost = measure_once(self, number);
    if (cost < 0)
      return false;
    /* Interrupted measurements are dropped, unless all of them are interrupted. */
    bool broken = interruptions() != before;
    self->reply.interruptions += broken;
    if (!broken || attempts - i <= repeats - self->reply.cost_count)
      add_cost(self, cost, &fastest);
  }
  return true;
}
