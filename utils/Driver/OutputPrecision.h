// How exact the numbers of a model's outputs can be: a float64 that was computed in float32 is as exact as one of
// those.
#ifndef CAMEO_UTILS_DRIVER_OUTPUTPRECISION_H
#define CAMEO_UTILS_DRIVER_OUTPUTPRECISION_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/Tensor.h"

#include <vector>

namespace cameo {

/// For each output by its name the types of floats that something on the way to it is computed in, each once, and
/// that of such products where a GPU runs the model; nothing after a reported error.
std::optional<llvm::StringMap<std::vector<cameo_element_type>>> findComputedTypes(const CompileOptions &options);

} // namespace cameo

#endif
