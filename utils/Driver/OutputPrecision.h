// Finds the precision of a model's outputs: a float64 output that was computed in float32 is only as exact as float32.
#ifndef CAMEO_UTILS_DRIVER_OUTPUTPRECISION_H
#define CAMEO_UTILS_DRIVER_OUTPUTPRECISION_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Run/Tensor.h"

#include <vector>

namespace cameo {

/// Returns for each output, by its name, the set of float types that values it depends on are computed in, including
/// the type of products on a GPU. Returns nothing after a reported error.
std::optional<llvm::StringMap<std::vector<cameo_element_type>>> findComputedTypes(const CompileOptions &options);

} // namespace cameo

#endif
