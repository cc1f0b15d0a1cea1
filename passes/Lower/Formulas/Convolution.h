// The convolution shared by real, integer and quantised operators.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_CONVOLUTION_H
#define CAMEO_PASSES_LOWER_FORMULAS_CONVOLUTION_H

#include "passes/Lower/Formulas/MatrixProduct.h"
#include "passes/Lower/Formulas/Window.h"

namespace cameo::lower {

/// Sums of products in the type that products of the elements are summed in (padding counts as 0), then `bias` (may be
/// null) added and the sum converted to `element` in one elementwise generic; none when there is neither.
mlir::Value convolve(GenericBuilder &b, mlir::Value input, mlir::Value filter, mlir::Value bias, const Window &window,
                     int64_t groups, bool channelsLast, mlir::Type element, FactorSigns signs = {});

} // namespace cameo::lower

#endif
