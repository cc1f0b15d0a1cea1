// Interfaces and traits of the operations of the onnx dialect.
#ifndef CAMEO_DIALECTS_ONNX_ONNXINTERFACES_H
#define CAMEO_DIALECTS_ONNX_ONNXINTERFACES_H

#include "dialects/Onnx/KnownTensor.h"

#include "mlir/IR/OpDefinition.h"

namespace cameo::onnx {
class OnnxOp;
class SizeConstraints;

namespace detail {
mlir::LogicalResult inferAndSetTypes(OnnxOp op);
mlir::LogicalResult verifyResultTypes(OnnxOp op);
} // namespace detail

/// Each element of the result depends on the elements of the operands at the same index, after broadcasting.
template <typename ConcreteOp> class PointwiseOnnxOp : public mlir::OpTrait::TraitBase<ConcreteOp, PointwiseOnnxOp> {};

} // namespace cameo::onnx

#include "dialects/Onnx/OnnxInterfaces.h.inc"

#endif // CAMEO_DIALECTS_ONNX_ONNXINTERFACES_H
