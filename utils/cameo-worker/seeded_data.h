/* Generates the data for comparing results: the same as utils/Driver/Run/RandomInputs, by which the tuner generates the
 * weights. */
#ifndef CAMEO_WORKER_SEEDED_DATA_H
#define CAMEO_WORKER_SEEDED_DATA_H

#include "autotune/Measure/PackageFormat.h"

#include <stdint.h>

void fill_seeded(void *memory, uint64_t bytes, const cameo_package_input *input);

/* Conversions between IEEE formats, also for values out of range. */
uint16_t half_of_float(float value);
uint16_t bfloat_of_float(float value);
float float_of_half(uint16_t bits);
float float_of_bfloat(uint16_t bits);

#endif
