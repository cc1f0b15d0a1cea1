// The elements of a TensorProto, from wherever it keeps them: raw bytes, typed fields, or another file.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_TENSORDATA_H
#define CAMEO_FRONTEND_IMPORT_MODEL_TENSORDATA_H

#include "frontend/Import/Model/ModelFile.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace onnx {
class TensorProto;
}

namespace cameo {

/// The type that a tensor states. Fails after an error for an element type that is unknown, a negative dimension, or
/// more elements than can be.
mlir::FailureOr<mlir::RankedTensorType> getTensorType(const ::onnx::TensorProto &tensor, mlir::Location loc);

/// Elements in row-major order, whole bytes each, as dialects/Onnx/ConstantData.h wants them. The size of the data
/// always fits the type.
mlir::FailureOr<HeldBytes> readTensorData(const ::onnx::TensorProto &tensor, mlir::RankedTensorType type,
                                          ModelFile &file, mlir::Location loc);

/// The tensor as an attribute. Without `loadWeights` a large tensor becomes a resource without data, after its size was
/// checked.
mlir::FailureOr<mlir::ElementsAttr> importTensor(const ::onnx::TensorProto &tensor, ModelFile &file, mlir::Location loc,
                                                 bool loadWeights);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_TENSORDATA_H
