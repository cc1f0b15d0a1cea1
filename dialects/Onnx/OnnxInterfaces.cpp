// Applies and verifies the shape rules of the operations.
#include "dialects/Onnx/OnnxInterfaces.h"

#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo::onnx;

#include "dialects/Onnx/OnnxInterfaces.cpp.inc"

namespace {

/// Returns the inferred type with sizes and names of dimensions that only the declared type has.
Type refine(Type inferred, Type declared) {
  auto declaredTensor = dyn_cast<TensorType>(declared);
  if (!isa<TensorType>(inferred) || !declaredTensor || !declaredTensor.hasRank())
    return inferred;
  Type elementType = cast<TensorType>(inferred).getElementType();
  std::optional<DimList> known = getDims(declared), dims = getDims(inferred);
  if (!dims)
    return makeTensorType(*known, elementType);
  if (dims->size() != known->size())
    return inferred;
  for (auto [dim, other] : llvm::zip(*dims, *known))
    if (dim.isUnknown())
      dim = other;
  return makeTensorType(*dims, elementType);
}

/// An attribute that the operator does not have would be ignored silently. Those of other dialects have a prefix.
LogicalResult expectOwnAttributes(OnnxOp op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!attribute.getName().getValue().contains('.')) // op_c1
      return op.emitOpError() << "has no attribute '" << attribute.getName().getValue() << "'";
  return success();
}

LogicalResult inferTypes(OnnxOp op, SmallVectorImpl<Type> &types) {
  SizeConstraints sizes; // checked at run time only with `--require-sizes`
  if (failed(expectOwnAttributes(op)) || failed(op.inferResultTypes(types, sizes)))
    return failure();
  assert(types.size() == op->getNumResults() && "a rule gives one type per result");
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types)) {
    if (isAbsent(result)) // an absent optional result
      type = result.getType();
    if (failed(expectReasonableSize(op, type)))
      return failure();
  }
  return success();
}

/// Whether a stated type does not contradict the inferred one.
bool isCompatible(Type stated, Type inferred) {
  if (stated == inferred)
    return true;
  auto statedTensor = dyn_cast<TensorType>(stated), inferredTensor = dyn_cast<TensorType>(inferred);
  if (!statedTensor || !inferredTensor || statedTensor.getElementType() != inferredTensor.getElementType())
    return false;
  return succeeded(verifyCompatibleShape(statedTensor, inferredTensor));
}

} // namespace

LogicalResult cameo::onnx::detail::inferAndSetTypes(OnnxOp op) {
  SmallVector<Type> types;
  if (failed(inferTypes(op, types)))
    return failure();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(refine(type, result.getType()));
  return success();
}

LogicalResult cameo::onnx::detail::verifyResultTypes(OnnxOp op) {
  SmallVector<Type> types;
  if (failed(inferTypes(op, types)))
    return failure();
  for (auto [i, type] : llvm::enumerate(types))
    if (!isCompatible(op->getResult(i).getType(), type)) // op_c3
      return op.emitOpError() << "expected result #" << i << " to be " << type << ", got "
                              << op->getResult(i).getType();
  return success();
}
