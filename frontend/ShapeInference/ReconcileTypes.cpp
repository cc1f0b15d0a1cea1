#include "frontend/ShapeInference/ReconcileTypes.h"

#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace cameo;

FailureOr<Type> cameo::reconcileTypes(Type inferred, const StatedType &stated, Location loc) {
  auto fail = [&]() -> InFlightDiagnostic {
    return emitError(loc) << "expected '" << stated.valueName << "' to be " << stated.type
                          << " as the model states, got ";
  };
  auto tensor = dyn_cast<TensorType>(inferred);
  if (!tensor || tensor.getElementType() != stated.type.getElementType())
    return fail() << inferred;
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(inferred),
                                      statedDims = cameo::onnx::getDims(stated.type);
  if (!statedDims)
    return inferred;
  if (!dims)
    dims = cameo::onnx::DimList(statedDims->size());
  if (dims->size() != statedDims->size())
    return fail() << inferred;
  for (auto [dim, other] : llvm::zip(*dims, *statedDims)) {
    if (dim.differsFrom(other) && !stated.isStale)
      return fail() << inferred;
    // An inferred symbolic dimension depends on the inputs, so a stated number is that of an example. A stated name
    // does not replace an unknown dimension, because its size may be data-dependent.
    if (dim.isUnknown() && other.isStatic())
      dim = other;
  }
  return Type(cameo::onnx::makeTensorType(*dims, tensor.getElementType()));
}
