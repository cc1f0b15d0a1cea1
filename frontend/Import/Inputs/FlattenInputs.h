// Replaces the inputs of a graph by tensors.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_FLATTENINPUTS_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_FLATTENINPUTS_H

#include "frontend/Import/Inputs/DimOptions.h"
#include "frontend/Import/Inputs/InputForms.h"

namespace onnx {
class GraphProto;
class TypeProto;
class ValueInfoProto;
} // namespace onnx

namespace cameo {

struct FlatInput {
  enum Kind { Tensor, Sequence, Absent, Constant, Map };
  const ::onnx::ValueInfoProto *value;
  Kind kind;
  const ::onnx::TypeProto *type;          ///< of the tensor, of each element, or of the values of a map
  llvm::SmallVector<StatedInput> tensors; ///< the tensor itself; NAME_0, NAME_1, ... of a sequence
  std::string numbers;                    ///< of a constant
  mlir::Attribute keys;                   ///< of a map, see MapInput.h
};

/// Returns the inputs that are not initializers, in their order. Each element of a sequence has its own sizes, whatever
/// names its type has: a sequence in ONNX's tests has one name for images of several heights. Fails after an error at
/// the value for a sequence without a length, or at `loc` for forms that match no input.
mlir::FailureOr<llvm::SmallVector<FlatInput>>
flattenInputs(const ::onnx::GraphProto &graph, const InputForms &forms,
              llvm::function_ref<mlir::Location(llvm::StringRef)> locateValue, mlir::Location loc);

/// Returns the name of element `number` of a sequence.
std::string getElementName(llvm::StringRef sequence, size_t number);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_FLATTENINPUTS_H
