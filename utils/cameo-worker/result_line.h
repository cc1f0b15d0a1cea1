/* Writes the results of a package as lines of JSON: README.md lists the fields. */
#ifndef CAMEO_WORKER_RESULT_LINE_H
#define CAMEO_WORKER_RESULT_LINE_H

#include "child.h"

/* The result of an item. */
typedef struct item_result {
  uint64_t id;
  candidate_status status;
  char message[256];
  double costs[CAMEO_PACKAGE_MAX_REPEATS], default_costs[CAMEO_PACKAGE_MAX_REPEATS];
  uint32_t cost_count, default_cost_count, interruptions;
  double sentinel_seconds;
  bool is_disturbed, is_compared, needs_reference;
  difference found;
} item_result;

/* These functions return false if the reader has closed the stream. */
bool write_head(int file, const package *package, const char *machine);
bool write_result(int file, const item_result *result);
bool write_end(int file, const package *package, uint32_t results);
/* Reports a package that cannot be measured. */
bool write_refusal(int file, uint64_t digest, const char *reason);

#endif
