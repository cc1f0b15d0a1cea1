// Elements that lie side by side along another dimension than the vector's: squares of both are loaded whole and
// transposed in registers, in place of one load per lane.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_TRANSPOSELANES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_TRANSPOSELANES_H

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Vector number j of the result has element j of each of `rows`, in their order. They are as many as each has lanes, a
/// power of two.
llvm::SmallVector<mlir::Value> transposeLanes(mlir::OpBuilder &builder, mlir::Location loc,
                                              llvm::SmallVector<mlir::Value> rows);

} // namespace cameo::schedule

#endif
