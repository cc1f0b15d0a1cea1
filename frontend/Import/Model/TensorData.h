// Reads the elements of a TensorProto from raw bytes, typed fields, or another file.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_TENSORDATA_H
#define CAMEO_FRONTEND_IMPORT_MODEL_TENSORDATA_H

#include "frontend/Import/Model/ModelFile.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace onnx {
class TensorProto;
}

namespace cameo {

/// Returns the type of the tensor. Fails after an error for an unknown element type, a negative dimension, or too many
/// elements.
mlir::FailureOr<mlir::RankedTensorType> getTensorType(const ::onnx::TensorProto &tensor, mlir::Location loc);

/// Returns the elements in row-major order, in whole bytes each, as dialects/Onnx/ConstantData.h expects. Fails after
/// an error if the size of the data does not match the type.
mlir::FailureOr<HeldBytes> readTensorData(const ::onnx::TensorProto &tensor, mlir::RankedTensorType type,
                                          ModelFile &file, mlir::Location loc);

/// Returns the tensor as an attribute. Without `loadWeights` a large tensor becomes a resource without data, after its
/// size is checked.
mlir::FailureOr<mlir::ElementsAttr> importTensor(const ::onnx::TensorProto &tensor, ModelFile &file, mlir::Location loc,
                                                 bool loadWeights);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_TENSORDATA_H
