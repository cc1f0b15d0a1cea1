// The remainder of a float division, as by C's fmod, for targets without a C library.
#ifndef CAMEO_PASSES_SCHEDULE_FLOATREMAINDER_H
#define CAMEO_PASSES_SCHEDULE_FLOATREMAINDER_H

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Returns x - n y exactly, where n is x / y rounded toward zero; for scalars of f32 or f64. NaN if y is 0 or x is
/// infinite.
mlir::Value createRemainder(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y);

} // namespace cameo::schedule

#endif
