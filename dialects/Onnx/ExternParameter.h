// The kinds of parameters that onnx.Extern has.
#ifndef CAMEO_DIALECTS_ONNX_EXTERNPARAMETER_H
#define CAMEO_DIALECTS_ONNX_EXTERNPARAMETER_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace cameo::onnx {

/// The tensor that a parameter is; null for numbers, texts and lists of either.
inline mlir::ElementsAttr getTensorParameter(mlir::Attribute value) {
  // Lists of numbers say of themselves that they are tensors of one dimension.
  return llvm::isa<mlir::DenseArrayAttr>(value) ? mlir::ElementsAttr() : llvm::dyn_cast<mlir::ElementsAttr>(value);
}

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_EXTERNPARAMETER_H
