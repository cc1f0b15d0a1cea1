// Creates onnx.Reshape, for passes that view a value in another shape.
#ifndef CAMEO_DIALECTS_ONNX_MAKERESHAPE_H
#define CAMEO_DIALECTS_ONNX_MAKERESHAPE_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Builders.h"

namespace cameo::onnx {

/// Creates an onnx.Reshape of a ranked tensor to these sizes; 0 is an empty dimension.
mlir::Value makeReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// Whether a Reshape from one shape to the other can be created: each dimension that is not static is a multiple of one
/// of the operand, except for at most one, which becomes -1.
bool canStateShape(llvm::ArrayRef<Dim> from, llvm::ArrayRef<Dim> to);
/// As makeReshape, for a shape for which canStateShape holds.
mlir::Value makeDimReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<Dim> shape);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_MAKERESHAPE_H
