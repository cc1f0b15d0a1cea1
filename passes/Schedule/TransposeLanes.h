// Elements that lie side by side along another dimension than the vector's: squares of both are loaded whole and transposed in
// registers, in place of one load per lane.
#ifndef CAMEO_PASSES_SCHEDULE_TRANSPOSELANES_H
#define CAMEO_PASSES_SCHEDULE_TRANSPOSELANES_H

#include "passes/Schedule/LoopNest.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Longer vectors (of bytes) than this are cut: a square has as many vectors as lanes, and they must all be in registers.
constexpr int64_t maxTransposedLanes = 16;

/// The parallel dimension, from `rowDims` on, along which what `node` loads lies side by side, where it is strided along `vectorDim`. None
/// for other nodes.
std::optional<unsigned> transposedDim(const LoopNest &nest, const Node &node, unsigned vectorDim, unsigned rowDims);

/// Vector number j of the result has element j of each of `rows`, in their order. They are as many as each has lanes, a power of two.
llvm::SmallVector<mlir::Value> transposeLanes(mlir::OpBuilder &builder, mlir::Location loc, llvm::SmallVector<mlir::Value> rows);

} // namespace cameo::schedule

#endif
