// Ops that can work on any order of dimensions, rewritten to the order in which their operand is stored.
#ifndef CAMEO_PASSES_LAYOUT_FOLLOWLAYOUT_H
#define CAMEO_PASSES_LAYOUT_FOLLOWLAYOUT_H

#include "passes/Layout/PermutedValues.h"

namespace cameo::layout {

/// Creates the op anew on operands in the order `places`, and notes its result in `values`. Fails, having changed
/// nothing, if the op insists on the order it was written with.
mlir::LogicalResult followLayout(mlir::Operation *op, llvm::ArrayRef<int64_t> places, PermutedValues &values,
                                 mlir::OpBuilder &builder);

/// A reshape of a stored value: joins and splits dimensions where they lie, and moves only those that must become
/// neighbours.
mlir::LogicalResult followReshape(mlir::Operation *reshape, PermutedValues &values, mlir::OpBuilder &builder);

} // namespace cameo::layout

#endif
