// The convolution that float, integer and quantized operators share.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_CONVOLUTION_H
#define CAMEO_PASSES_LOWER_FORMULAS_CONVOLUTION_H

#include "passes/Lower/Formulas/MatrixProduct.h"
#include "passes/Lower/Formulas/Window.h"

namespace cameo::lower {

/// Builds the sums of products in the accumulator type of the elements; padding counts as 0. Adds `bias`, which may be
/// null, and converts to `element` in one elementwise linalg.generic, which is left out if neither is needed.
mlir::Value convolve(GenericBuilder &b, mlir::Value input, mlir::Value filter, mlir::Value bias, const Window &window,
                     int64_t groups, bool channelsLast, mlir::Type element, FactorSigns signs = {});

} // namespace cameo::lower

#endif
