/* How far outputs are from those of the naive path: what utils/Driver/Run/CompareTensors does, for tensors of numbers.
 */
#ifndef CAMEO_WORKER_COMPARE_H
#define CAMEO_WORKER_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct difference {
  double max_absolute, max_ulp;
  double bound;        /* the allowed absolute error: a part of the largest expected magnitude; 0: all are equal */
  int64_t worst_index; /* -1: none */
  bool within_bound;
} difference;

/* Floats may be off by `least_tolerance` of the largest one, and by what is the rule for their type. */
difference compare_outputs(const void *actual, const void *expected, uint64_t bytes, int32_t element_type,
                           double least_tolerance);

#endif
