/* Data for a candidate that is only timed: ordinary numbers, since denormal ones and NaN take other paths through a
 * processor. */
#ifndef CAMEO_UTILS_CAMEO_WORKER_RANDOM_DATA_H
#define CAMEO_UTILS_CAMEO_WORKER_RANDOM_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Fills `bytes` of elements of a cameo_element_type: floats of magnitude 0.5 to 2, any bytes for 8-bit integers, 0 or 1
 * for bool and wider integers, which are mostly indices. `bytes` is a multiple of the element's size. */
void fill_random(void *memory, size_t bytes, int32_t element_type);

#endif
