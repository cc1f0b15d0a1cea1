/* Compares outputs with those of the naive path, like utils/Driver/Run/CompareTensors but for tensors of numbers only.
 */
#ifndef CAMEO_WORKER_COMPARE_H
#define CAMEO_WORKER_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct difference {
  double max_absolute, max_ulp;
  double bound;        /* the allowed absolute error, relative to the largest expected magnitude; 0: all elements are
                        * equal */
  int64_t worst_index; /* -1: none */
  bool within_bound;
} difference;

/* The tolerance of floats is the larger of `least_tolerance`, relative to the largest element, and the default of their
 * type. */
difference compare_outputs(const void *actual, const void *expected, uint64_t bytes, int32_t element_type,
                           double least_tolerance);

#endif
