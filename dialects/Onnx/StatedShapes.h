// What the shape that a model states for a result tells where what decides it is known only at run time: axes, sizes,
// numbers of elements.
#ifndef CAMEO_DIALECTS_ONNX_STATEDSHAPES_H
#define CAMEO_DIALECTS_ONNX_STATEDSHAPES_H

#include "dialects/Onnx/OnnxInterfaces.h"
#include "dialects/Onnx/SizeConstraints.h"

namespace cameo::onnx {

/// Whether a run may read axes, sizes or repeats that ask for another shape than a result has: where its type says more
/// than the operator's rule finds, and where an Expand reads sizes, which have to be those of the result or 1 even if
/// the operand alone decides it.
bool mayReadOtherShape(OnnxOp op);

/// Fills in dimensions that are unknown with those that the model states for the result, of the same rank.
void fillStated(DimList &dims, mlir::Value result);

/// The axes along which a result of shape `to` has lost the extents of `from`, or nothing when several choices fit.
std::optional<llvm::SmallVector<int64_t>> inferReducedAxes(llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to,
                                                           bool keepDims);

/// In each run a reduction that reads its axes finds the shape `to`.
void requireReduced(SizeConstraints &sizes, llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to, bool keepDims);
/// In each run `to` is `from` without some dimensions of 1.
void requireSqueezed(SizeConstraints &sizes, llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_STATEDSHAPES_H
