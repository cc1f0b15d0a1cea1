// The kinds of parameters of onnx.Extern.
#ifndef CAMEO_DIALECTS_ONNX_EXTERNPARAMETER_H
#define CAMEO_DIALECTS_ONNX_EXTERNPARAMETER_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace cameo::onnx {

/// Returns the parameter if it is a tensor; null for numbers, strings and lists of these.
inline mlir::ElementsAttr getTensorParameter(mlir::Attribute value) {
  // DenseArrayAttr, a list of numbers, implements ElementsAttr, too.
  return llvm::isa<mlir::DenseArrayAttr>(value) ? mlir::ElementsAttr() : llvm::dyn_cast<mlir::ElementsAttr>(value);
}

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_EXTERNPARAMETER_H
