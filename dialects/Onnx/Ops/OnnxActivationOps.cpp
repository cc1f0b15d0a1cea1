// Shape rules of activation functions; most are defined by their TableGen class.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxActivationOps.cpp.inc"

LogicalResult SwiGLUOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  std::optional<DimList> a = getDims(getA()), b = getDims(getB());
  bool differ = a && b && (a->size() != b->size() || llvm::any_of(llvm::zip_equal(*a, *b), [&](auto pair) {
                             return failed(sizes.requireEqual(std::get<0>(pair), std::get<1>(pair)));
                           }));
  if (differ) // swiglu_c1
    return emitOpError() << "expected operands of one shape, got " << getA().getType() << " and " << getB().getType();
  return inferPointwise(*this, types, sizes);
}
