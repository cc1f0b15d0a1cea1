// The remainder of a division of floats, as C's fmod has it, where there is no library.
#ifndef CAMEO_PASSES_SCHEDULE_FLOATREMAINDER_H
#define CAMEO_PASSES_SCHEDULE_FLOATREMAINDER_H

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// x - n y for the integer n that is x / y without its fraction, exactly; of two scalars of f32 or f64. NaN where y is
/// 0 or x infinite.
mlir::Value createRemainder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y);

} // namespace cameo::schedule

#endif
