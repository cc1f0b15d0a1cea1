#define _GNU_SOURCE
#include "result_line.h"

#include "machine.h"
#include "stream.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* One line. It has room for all costs, so an overflow is an error of this program. */
typedef struct line {
  char text[64 * CAMEO_PACKAGE_MAX_REPEATS + 4096];
  size_t size;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int added = vsnprintf(self->text + self->size, sizeof(self->text) - self->size, format, arguments);
  va_end(arguments);
  self->size += added > 0 && (size_t)added < sizeof(self->text) - self->size ? (size_t)added : 0;
}

static void add_text(line *self, const char *key, const char *text) {
  add(self, ",\"%s\":\"", key);
  for (; *text; ++text)
    if (*text == '"' || *text == '\\')
      add(self, "\\%c", *text);
    else
      add(self, "%c", *text < ' ' || *text > '~' ? '?' : *text);
  add(self, "\"");
}

/* JSON has no infinity. */
static double number_of(double value) { return isfinite(value) ? value : 1e308; }

static void add_costs(line *self, const char *key, const double *costs, uint32_t count) {
  add(self, ",\"%s\":[", key);
  for (uint32_t i = 0; i < count; ++i)
    add(self, "%s%.17g", i ? "," : "", number_of(costs[i]));
  add(self, "]");
}

/* Returns the name of the error kind in records, and stores the tuner's description of it. */
static const char *error_of(candidate_status status, const char **what) {
  *what = "";
  switch (status) {
  case CANDIDATE_OK:
    return "none";
  case CANDIDATE_BAD_IMAGE:
    *what = "the candidate cannot be loaded: ";
    return "compile-host";
  case CANDIDATE_REFUSED:
    *what = "run failed: ";
    return "runtime";
  case CANDIDATE_CRASHED:
    *what = "crashed: ";
    return "runtime";
  case CANDIDATE_TIMED_OUT:
    return "run-timeout";
  case CANDIDATE_NO_MEMORY:
    return "runtime";
  case CANDIDATE_IS_WRONG:
    return "wrong-answer";
  case CANDIDATE_FAILED:
    break;
  }
  *what = "cameo-worker: ";
  return "unknown";
}

/* Adds the fastest and the slowest measurement, between which a single run may lie. */
static void add_interval(line *self, const double *costs, uint32_t count) {
  double low = costs[0], high = costs[0];
  for (uint32_t i = 1; i < count; ++i) {
    low = costs[i] < low ? costs[i] : low;
    high = costs[i] > high ? costs[i] : high;
  }
  add(self, ",\"interval\":[%.17g,%.17g]", low, high);
}

static bool finish(line *self, int file) {
  add(self, "}\n");
  return write_all(file, self->text, self->size);
}

bool write_head(int file, const package *package, const char *machine) {
  static line self;
  self.size = 0;
  add(&self, "{\"format\":1,\"package\":\"%016llx\",\"items\":%u,\"machine\":%s",
      (unsigned long long)package->header->digest, package->header->item_count, machine);
  return finish(&self, file);
}

bool write_result(int file, const item_result *result) {
  static line self;
  self.size = 0;
  add(&self, "{\"id\":\"%016llx\"", (unsigned long long)result->id);
  const char *what, *kind = error_of(result->status, &what);
  add_text(&self, "error", kind);
  if (result->status != CANDIDATE_OK) {
    char message[sizeof(result->message) + 64];
    snprintf(message, sizeof(message), "%s%s", what, result->message);
    add_text(&self, "message", message);
  } else {
    add_costs(&self, "costs", result->costs, result->cost_count);
    if (result->cost_count > 0)
      add_interval(&self, result->costs, result->cost_count);
    if (result->default_cost_count > 0)
      add_costs(&self, "default_costs", result->default_costs, result->default_cost_count);
    if (result->is_compared)
      add(&self, ",\"proof\":{\"max_abs\":%.17g,\"max_ulp\":%.17g,\"bound\":%.17g}", result->found.max_absolute,
          result->found.max_ulp, result->found.bound);
    add(&self, ",\"sentinel\":%.17g,\"interruptions\":%u", result->sentinel_seconds, result->interruptions);
    if (result->is_disturbed)
      add(&self, ",\"disturbed\":true");
  }
  if (result->needs_reference)
    add(&self, ",\"needs_reference\":true");
  double celsius = temperature();
  if (celsius > 0)
    add(&self, ",\"celsius\":%.1f", celsius);
  time_t now = time(NULL);
  struct tm utc;
  char stamp[32] = "";
  if (gmtime_r(&now, &utc) && strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
    add_text(&self, "time", stamp);
  return finish(&self, file);
}

bool write_end(int file, const package *package, uint32_t results) {
  static line self;
  self.size = 0;
  add(&self, "{\"end\":\"%016llx\",\"results\":%u", (unsigned long long)package->header->digest, results);
  return finish(&self, file);
}

bool write_refusal(int file, uint64_t digest, const char *reason) {
  static line self;
  self.size = 0;
  add(&self, "{\"format\":1,\"package\":\"%016llx\"", (unsigned long long)digest);
  add_text(&self, "refused", reason);
  return finish(&self, file);
}
