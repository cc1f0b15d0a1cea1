// Imports the types that a model states for values.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTTYPE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTTYPE_H

#include "frontend/Import/Inputs/DimOptions.h"

#include "mlir/IR/BuiltinTypes.h"

namespace onnx {
class TypeProto;
class ValueInfoProto;
} // namespace onnx

namespace cameo {

/// Returns the dimensions of an input for DimOptions; none if it is not a ranked tensor.
StatedInput getStatedInput(llvm::StringRef name, const ::onnx::TypeProto &type);

/// Returns the type of an input of the graph. Fails after an error at the value if it is not a tensor, or for an
/// unknown element type, or a negative or too large dimension.
mlir::FailureOr<mlir::TensorType> importInputType(const ::onnx::TypeProto &type, const StatedInput &input,
                                                  const DimOptions &dims, mlir::Location loc);

/// Returns the type stated for another value; null for a sequence, and if none is stated.
mlir::FailureOr<mlir::TensorType> importStatedType(const ::onnx::ValueInfoProto &value, const DimOptions &dims,
                                                   mlir::Location loc);
/// As above, with `resolve` for the names of dimensions.
mlir::FailureOr<mlir::TensorType> importStatedType(const ::onnx::ValueInfoProto &value,
                                                   llvm::function_ref<Dim(llvm::StringRef)> resolve,
                                                   mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTTYPE_H
