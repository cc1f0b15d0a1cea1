// The logarithm of Softmax, which is shared with the losses.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_SOFTMAX_H
#define CAMEO_PASSES_LOWER_FORMULAS_SOFTMAX_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

mlir::Value logSoftmax(GenericBuilder &b, mlir::Value x, int64_t axis, mlir::Type element);

} // namespace cameo::lower

#endif
