// ONNX's numbers for element types (TensorProto.DataType), as attributes such as `to` of Cast carry them.
#ifndef CAMEO_DIALECTS_ONNX_ELEMENTTYPES_H
#define CAMEO_DIALECTS_ONNX_ELEMENTTYPES_H

#include "mlir/IR/Types.h"

namespace cameo::onnx {

/// The element type with this number, null when there is none.
mlir::Type getElementTypeOf(mlir::MLIRContext *context, int64_t dataType);

/// The number of an element type, 0 (undefined) when it has none.
int64_t getDataTypeOf(mlir::Type elementType);

} // namespace cameo::onnx

#endif // CAMEO_DIALECTS_ONNX_ELEMENTTYPES_H
