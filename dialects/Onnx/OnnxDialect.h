// The onnx dialect: one operation per ONNX operator, element type !onnx.string, encoding #onnx.dims.
#ifndef CAMEO_DIALECTS_ONNX_ONNXDIALECT_H
#define CAMEO_DIALECTS_ONNX_ONNXDIALECT_H

#include "dialects/Dim/DimDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

#include "dialects/Onnx/OnnxDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Onnx/OnnxTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Onnx/OnnxAttributes.h.inc"

#endif // CAMEO_DIALECTS_ONNX_ONNXDIALECT_H
