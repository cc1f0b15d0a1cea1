// ONNX's numbers of element types (TensorProto.DataType), as in attributes such as `to` of Cast.
#ifndef CAMEO_DIALECTS_ONNX_ELEMENTTYPES_H
#define CAMEO_DIALECTS_ONNX_ELEMENTTYPES_H

#include "mlir/IR/Types.h"

namespace cameo::onnx {

/// Returns the element type with this number, or null.
mlir::Type getElementTypeOf(mlir::MLIRContext *context, int64_t dataType);

/// Returns the number of an element type, or 0 (undefined).
int64_t getDataTypeOf(mlir::Type elementType);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_ELEMENTTYPES_H
