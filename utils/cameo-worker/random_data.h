/* Random data for candidates that are only timed. All floats are normal numbers, because subnormal numbers and NaN take
 * slower paths in a processor. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_RANDOM_DATA_H
#define CAMEO_UTILS_CAMEO_WORKER_RANDOM_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Fills `bytes` of elements of a cameo_element_type: floats of magnitude 0.5 to 2, any bytes for 8-bit integers, 0 or 1
 * for bool and wider integers, which are mostly indices. `bytes` must be a multiple of the element size. */
void fill_random(void *memory, size_t bytes, int32_t element_type);

#endif
