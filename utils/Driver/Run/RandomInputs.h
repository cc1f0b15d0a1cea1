// Inputs for a model that nobody gave inputs for: the same seed, shape and position give the same values on every
// machine.
#ifndef CAMEO_UTILS_DRIVER_RUN_RANDOMINPUTS_H
#define CAMEO_UTILS_DRIVER_RUN_RANDOMINPUTS_H

#include "utils/Driver/Run/Tensor.h"

namespace cameo {

/// Fills `tensor`: floats from the normal distribution around 0 with this standard deviation; 8-bit integers over their
/// whole range (they are quantised values); bool and wider integers uniform in [0, largestInteger], since those are
/// mostly ids, masks and positions, which a large value would make invalid.
void fillRandom(Tensor &tensor, uint64_t seed, int64_t largestInteger = 1, float deviation = 1);

} // namespace cameo

#endif
