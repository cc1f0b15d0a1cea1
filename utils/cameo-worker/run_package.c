#define _GNU_SOURCE
#include "run_package.h"

#include "cameo/abi.h"
#include "machine.h"
#include "references.h"
#include "result_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Limit of confirmations of a task in one package: after the first success, better ones are unlikely. */
enum { most_confirmed = 3 };

/* State of the worker that is kept between packages. */
typedef struct session {
  buffer random, text;
  int32_t random_type;
  uint64_t *rotation;
  double fastest_sentinel;
} session;

static session the_session = {.random_type = CAMEO_FLOAT32};

static bool fail_result(item_result *result, candidate_status status, const char *message) {
  result->status = status;
  snprintf(result->message, sizeof(result->message), "%s", message);
  result->cost_count = result->default_cost_count = 0;
  return false;
}

/* Random data of one type for all candidates, generated once, because filling megabytes would take longer than many
 * candidates run. */
static bool keep_random(buffer *self, size_t wanted, int32_t type) {
  if (wanted <= self->size && the_session.random_type == type)
    return true;
  the_session.random_type = type;
  return reserve_random(self, wanted > self->size ? wanted : self->size, type);
}

static bool take_random(candidate_source *source, uint64_t random_bytes, uint64_t rotation_bytes) {
  const uint64_t most = (uint64_t)1 << 33;
  if (!the_session.rotation) {
    void *mapped = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      return false;
    the_session.rotation = mapped;
  }
  if (random_bytes > most || rotation_bytes > most || random_bytes + rotation_bytes > SIZE_MAX / 2 ||
      !keep_random(&the_session.random, (size_t)(random_bytes + rotation_bytes), (int32_t)source->item->weights_type))
    return false;
  source->random = the_session.random.bytes;
  source->random_bytes = random_bytes;
  source->rotation_bytes = rotation_bytes;
  source->rotation = the_session.rotation;
  return true;
}

/* Measures `source` and adds its costs to one of the lists of the result. Returns false if the measurement fails. */
static bool time_image(candidate_source *source, item_result *result, bool is_rival) {
  const cameo_package_item *item = source->item;
  source->work = CANDIDATE_TIMES;
  if (!take_random(source, is_rival ? item->rival_random_bytes : item->random_bytes,
                   is_rival ? item->rival_rotation_bytes : item->rotation_bytes))
    return fail_result(result, CANDIDATE_NO_MEMORY, "no memory for the candidate's data");
  outcome found = {.message = ""};
  bool is_disturbed = false;
  for (uint32_t attempt = 0; attempt <= item->disturbed_retries; ++attempt) {
    found = run_child(source, item->timeout_seconds, &the_session.text);
    if (found.reply.status != CANDIDATE_OK)
      return is_rival ? false : fail_result(result, found.reply.status, found.message);
    double sentinel = found.reply.sentinel_seconds, *fastest = &the_session.fastest_sentinel;
    *fastest = *fastest == 0 || sentinel < *fastest ? sentinel : *fastest;
    is_disturbed = sentinel > *fastest * item->disturbed_factor;
    if (!is_disturbed)
      break;
  }
  uint32_t *count = is_rival ? &result->default_cost_count : &result->cost_count;
  double *costs = is_rival ? result->default_costs : result->costs;
  for (uint32_t i = 0; i < found.reply.cost_count && *count < CAMEO_PACKAGE_MAX_REPEATS; ++i)
    costs[(*count)++] = found.costs[i];
  if (!is_rival) {
    result->is_disturbed |= is_disturbed;
    result->interruptions += found.reply.interruptions;
    result->sentinel_seconds = found.reply.sentinel_seconds > result->sentinel_seconds ? found.reply.sentinel_seconds
                                                                                       : result->sentinel_seconds;
  }
  return true;
}

/* Returns the file with the outputs of the naive path, which is run if they are not kept. Returns -1 and stores the
 * error in the result on failure. */
static int reference_of(const package *self, const cameo_package_item *item, item_result *result) {
  int known = find_reference(item->reference_id);
  if (known >= 0)
    return known;
  candidate_source source = {.item = item,
                             .work = CANDIDATE_KEEPS_OUTPUTS,
                             .image = blob_of(self, item->reference),
                             .inputs = blob_of(self, item->inputs),
                             .weights = blob_of(self, item->reference_weights)};
  if (!source.image.begin) {
    result->needs_reference = true;
    fail_result(result, CANDIDATE_FAILED, "no reference to compare with");
    return -1;
  }
  source.reference = memfd_create("reference", MFD_CLOEXEC);
  if (source.reference < 0) {
    fail_result(result, CANDIDATE_NO_MEMORY, "no memory for the reference");
    return -1;
  }
  outcome found = run_child(&source, item->reference_timeout_seconds, &the_session.text);
  if (found.reply.status == CANDIDATE_OK) {
    keep_reference(item->reference_id, source.reference);
    return source.reference;
  }
  close(source.reference);
  char message[sizeof(result->message)];
  snprintf(message, sizeof(message), "the naive path cannot compute a reference: %s", found.message);
  fail_result(result, CANDIDATE_FAILED, message);
  return -1;
}

static bool compare_image(const package *self, const cameo_package_item *item, item_result *result) {
  candidate_source source = {.item = item,
                             .work = CANDIDATE_COMPARES,
                             .image = blob_of(self, item->image),
                             .inputs = blob_of(self, item->inputs),
                             .weights = blob_of(self, item->weights),
                             .reference = reference_of(self, item, result)};
  if (source.reference < 0)
    return false;
  outcome found = run_child(&source, item->timeout_seconds, &the_session.text);
  if (found.reply.status != CANDIDATE_OK)
    return fail_result(result, found.reply.status, found.message);
  result->is_compared = true;
  result->found = found.reply.found;
  return true;
}

/* Measures the two alternating, so that a change of the machine's speed affects both. */
static bool time_in_turns(const package *self, const cameo_package_item *item, item_result *result) {
  uint32_t turns = item->turns > 0 ? item->turns : 1, per_turn = item->repeats / turns > 0 ? item->repeats / turns : 1;
  candidate_source own = {.item = item, .image = blob_of(self, item->image)},
                   rival = {.item = item, .image = blob_of(self, item->rival)};
  for (uint32_t left = item->repeats; left > 0; left -= own.repeats) {
    own.repeats = rival.repeats = left < per_turn ? left : per_turn;
    if (!time_image(&own, result, false))
      return false;
    if (rival.image.begin)
      (void)time_image(&rival, result, true);
  }
  return true;
}

static bool run_item(const package *self, const cameo_package_item *item, double best_seconds, item_result *result) {
  *result = (item_result){.id = item->id};
  if (item->kind != CAMEO_PACKAGE_TIME)
    return compare_image(self, item, result) &&
           (item->kind == CAMEO_PACKAGE_COMPARE || time_in_turns(self, item, result));
  candidate_source source = {
      .item = item, .image = blob_of(self, item->image), .repeats = item->repeats, .best_seconds = best_seconds};
  return time_image(&source, result, false);
}

/* ---- which items, in which order ---- */

static double least_cost(const item_result *result) {
  double least = result->costs[0];
  for (uint32_t i = 1; i < result->cost_count; ++i)
    least = result->costs[i] < least ? result->costs[i] : least;
  return least;
}

typedef struct progress {
  const package *package;
  double *costs; /* costs of the items that were measured briefly; 0: not measured */
  bool *is_done;
  item_result result;
  int file;
  uint32_t written;
  bool is_heard;
} progress;

static double faster_of(double a, double b) { return a > 0 && (b <= 0 || a < b) ? a : b; }

static bool run_and_write(progress *self, uint32_t number, double best_seconds) {
  bool is_valid = run_item(self->package, &self->package->items[number], best_seconds, &self->result);
  self->is_done[number] = true;
  if (is_valid && self->result.cost_count > 0)
    self->costs[number] = least_cost(&self->result);
  self->is_heard = self->is_heard && write_result(self->file, &self->result);
  self->written += self->is_heard;
  return is_valid;
}

/* Returns the best cost among the items of a task that were measured before `number`, and the cost that the tuner
 * passed. */
static double best_before(const progress *self, uint32_t number) {
  const cameo_package_item *item = &self->package->items[number];
  double best = item->best_seconds;
  for (uint32_t i = 0; i < number; ++i)
    if (self->package->items[i].task == item->task && self->package->items[i].kind == CAMEO_PACKAGE_TIME)
      best = faster_of(self->costs[i], best);
  return best;
}

/* Returns the item that the tuner would confirm next for the task of `first`, as in
 * autotune/TaskScheduler/ConfirmWinners: the fastest remaining one that is faster than `to_beat`. */
static uint32_t next_winner(const progress *self, uint32_t first, double to_beat) {
  const cameo_package_item *items = self->package->items;
  uint32_t found = UINT32_MAX;
  for (uint32_t i = first; i < self->package->header->item_count; ++i) {
    if (items[i].kind != CAMEO_PACKAGE_CONFIRM_IF_BEST || items[i].task != items[first].task || self->is_done[i])
      continue;
    double cost = self->costs[items[i].brief];
    if (cost > 0 && (to_beat <= 0 || cost < to_beat) && (found == UINT32_MAX || cost < self->costs[items[found].brief]))
      found = i;
  }
  return found;
}

/* Confirms the winners of the task of item `first`, which is its first item. */
static void confirm_task(progress *self, uint32_t first) {
  const cameo_package_item *items = self->package->items;
  double to_beat = items[first].best_seconds;
  for (uint32_t i = first; i < self->package->header->item_count && self->is_heard; ++i) {
    if (items[i].kind != CAMEO_PACKAGE_CONFIRM_DEFAULT || items[i].task != items[first].task || self->is_done[i])
      continue;
    double cost = self->costs[items[i].brief];
    if (cost > 0 && run_and_write(self, i, 0))
      to_beat = faster_of(cost, to_beat);
    self->is_done[i] = true;
  }
  for (int tried = 0; tried < most_confirmed && self->is_heard; ++tried) {
    uint32_t winner = next_winner(self, first, to_beat);
    if (winner == UINT32_MAX)
      break;
    double cost = self->costs[items[winner].brief];
    if (run_and_write(self, winner, 0))
      to_beat = faster_of(cost, to_beat);
  }
  for (uint32_t i = first; i < self->package->header->item_count; ++i)
    self->is_done[i] |= items[i].task == items[first].task && items[i].kind >= CAMEO_PACKAGE_CONFIRM_DEFAULT;
}

static void run_items(progress *self) {
  const cameo_package_item *items = self->package->items;
  for (uint32_t i = 0; i < self->package->header->item_count && self->is_heard; ++i) {
    if (self->is_done[i])
      continue;
    if (items[i].kind >= CAMEO_PACKAGE_CONFIRM_DEFAULT)
      confirm_task(self, i);
    else
      run_and_write(self, i, best_before(self, i));
  }
}

const char *run_package(const package *self, int file, bool *is_heard) {
  static char reason[256];
  uint32_t count = self->header->item_count;
  if (!fits_machine(&self->header->target, reason, sizeof(reason)))
    return reason;
  static progress all;
  all = (progress){.package = self,
                   .costs = calloc(count + 1, sizeof(double)),
                   .is_done = calloc(count + 1, sizeof(bool)),
                   .file = file,
                   .is_heard = true};
  if (!all.costs || !all.is_done)
    return "no memory for the package";
  all.is_heard = write_head(file, self, describe_machine());
  run_items(&all);
  *is_heard = all.is_heard && write_end(file, self, all.written);
  free(all.costs);
  free(all.is_done);
  release(&the_session.text);
  return NULL;
}
