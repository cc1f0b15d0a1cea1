// Combines the lanes of several vectors at once: sums of rows whose steps are lanes share shuffles and additions.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_COMBINELANES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_COMBINELANES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace cameo::schedule {

/// Returns the combined lanes of each of `vectors`, which have one type, and `initial`. Halves are combined, then
/// halves of these, as `vector.reduction` does for one vector.
llvm::SmallVector<mlir::Value> combineLanes(mlir::OpBuilder &builder, mlir::Location loc,
                                            mlir::vector::CombiningKind kind, mlir::arith::FastMathFlagsAttr flags,
                                            llvm::ArrayRef<mlir::Value> vectors, mlir::Value initial);

} // namespace cameo::schedule

#endif
