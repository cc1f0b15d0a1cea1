// Transposes squares in registers, for elements that are contiguous along another dimension than the vector dimension.
// It replaces one load per lane.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_TRANSPOSELANES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_TRANSPOSELANES_H

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Returns the transposed square: vector number j has element j of each of `rows`. The number of rows must be the
/// number of lanes of each, a power of two.
llvm::SmallVector<mlir::Value> transposeLanes(mlir::OpBuilder &builder, mlir::Location loc,
                                              llvm::SmallVector<mlir::Value> rows);

} // namespace cameo::schedule

#endif
