// Makes onnx.Reshape.
#include "dialects/Onnx/MakeReshape.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::onnx {

bool canStateShape(ArrayRef<Dim> shape) {
  return llvm::count_if(shape, [](const Dim &dim) { return !dim.isStatic(); }) <= 1;
}

Value makeDimReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<Dim> shape) {
  assert(canStateShape(shape) && "a shape of several names is no list of numbers");
  SmallVector<int64_t> stated;
  for (const Dim &dim : shape)
    stated.push_back(dim.isStatic() ? dim.getSize() : -1);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  // With `allowzero`, zeros are sizes and not references to the operand's sizes.
  return ReshapeOp::create(builder, loc, TypeRange(makeTensorType(shape, element)),
                           ValueRange{value, makeIntsConstant(builder, loc, stated)},
                           ArrayRef<NamedAttribute>(builder.getNamedAttr("allowzero", builder.getI64IntegerAttr(1))));
}

Value makeReshape(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  return makeDimReshape(builder, loc, value, DimList(shape.begin(), shape.end()));
}

} // namespace cameo::onnx
