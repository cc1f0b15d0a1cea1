// Makes onnx.Reshape, for passes that view a value under another shape.
#ifndef CAMEO_DIALECTS_ONNX_MAKERESHAPE_H
#define CAMEO_DIALECTS_ONNX_MAKERESHAPE_H

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Builders.h"

namespace cameo::onnx {

/// `onnx.Reshape` of a ranked tensor to these sizes; 0 is an empty dimension.
mlir::Value makeReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<int64_t> shape);

/// Whether ONNX can state the shape as numbers: at most one dimension is no number, and -1 stands for it.
bool canStateShape(llvm::ArrayRef<Dim> shape);
/// As makeReshape, to a shape that can be stated.
mlir::Value makeDimReshape(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, llvm::ArrayRef<Dim> shape);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_MAKERESHAPE_H
