// Random inputs for a model. The same seed, shape and index give the same values on every machine.
#ifndef CAMEO_UTILS_DRIVER_RUN_RANDOMINPUTS_H
#define CAMEO_UTILS_DRIVER_RUN_RANDOMINPUTS_H

#include "utils/Driver/Run/Tensor.h"

namespace cameo {

/// Fills `tensor`: floats from the normal distribution with mean 0 and standard deviation `deviation`; 8-bit integers
/// over their whole range (they are quantised values); bool and wider integers uniform in [0, largestInteger], because
/// they are mostly ids, masks and indices, for which large values would be invalid.
void fillRandom(Tensor &tensor, uint64_t seed, int64_t largestInteger = 1, float deviation = 1);

} // namespace cameo

#endif
