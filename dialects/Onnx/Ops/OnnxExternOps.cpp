// Shape rule of calls of external functions, whose result types only the model states.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxExternOps.cpp.inc"

LogicalResult ExternOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &) {
  SmallVector<Type> all(getInputs().getTypes());
  llvm::append_range(all, getOutputs().getTypes());
  auto stated = getElements().getAsValueRange<TypeAttr>();
  if (!llvm::equal(llvm::map_range(all, [](Type type) { return getElementTypeOrSelf(type); }), stated)) // extern_c1
    return emitOpError("expected inputs and outputs with elements of types ")
           << getElements() << ", got " << getOperation()->getOperandTypes() << " and "
           << getOperation()->getResultTypes();
  types.append(getOutputs().getTypes().begin(), getOutputs().getTypes().end());
  return success();
}
