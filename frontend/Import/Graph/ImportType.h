// Types of values as a model states them.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTTYPE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTTYPE_H

#include "frontend/Import/Inputs/DimOptions.h"

#include "mlir/IR/BuiltinTypes.h"

namespace onnx {
class TypeProto;
class ValueInfoProto;
} // namespace onnx

namespace cameo {

/// The dimensions of an input, for DimOptions; none for what is no ranked tensor.
StatedInput getStatedInput(llvm::StringRef name, const ::onnx::TypeProto &type);

/// The type of an input of the graph. Fails after an error at the value for what is no tensor, an unknown element type,
/// or a negative or too large dimension.
mlir::FailureOr<mlir::TensorType> importInputType(const ::onnx::TypeProto &type, const StatedInput &input,
                                                  const DimOptions &dims, mlir::Location loc);

/// The type stated for any other value; null when nothing is stated of it, or of the elements of a sequence.
mlir::FailureOr<mlir::TensorType> importStatedType(const ::onnx::ValueInfoProto &value, const DimOptions &dims,
                                                   mlir::Location loc);
/// The same where `resolve` says what a dimension's name means.
mlir::FailureOr<mlir::TensorType> importStatedType(const ::onnx::ValueInfoProto &value,
                                                   llvm::function_ref<Dim(llvm::StringRef)> resolve,
                                                   mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTTYPE_H
