// Uses the shape that a model states for a result if it depends on operands that are known only at run time: axes,
// sizes, numbers of elements.
#ifndef CAMEO_DIALECTS_ONNX_STATEDSHAPES_H
#define CAMEO_DIALECTS_ONNX_STATEDSHAPES_H

#include "dialects/Onnx/OnnxInterfaces.h"
#include "dialects/Onnx/SizeConstraints.h"

namespace cameo::onnx {

/// Whether axes, sizes or repeats that are read at run time may ask for another shape than the type of a result: if the
/// type says more than the shape rule infers, or if an Expand reads sizes, which must be those of the result or 1 even
/// if the operand alone determines its shape.
bool mayReadOtherShape(OnnxOp op);

/// Replaces unknown dimensions by those that the model states for the result, if it has the same rank.
void fillStated(DimList &dims, mlir::Value result);

/// Returns the axes along which shape `from` is reduced to shape `to`, or nothing if this is ambiguous.
std::optional<llvm::SmallVector<int64_t>> inferReducedAxes(llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to,
                                                           bool keepDims);

/// Requires that a reduction with axes from data gives the shape `to` in every run.
void requireReduced(SizeConstraints &sizes, llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to, bool keepDims);
/// Requires that `to` is `from` without some dimensions of size 1 in every run.
void requireSqueezed(SizeConstraints &sizes, llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_STATEDSHAPES_H
