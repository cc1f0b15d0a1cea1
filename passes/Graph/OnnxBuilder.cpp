#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/MakeReshape.h"
#include "passes/Graph/Constants/ScalarConstant.h"

using namespace mlir;

namespace cameo::graph {

Value OnnxBuilder::make(StringRef name, int64_t operandCount, ValueRange operands,
                        ArrayRef<NamedAttribute> attributes) {
  SmallVector<Value> all(operands);
  while (static_cast<int64_t>(all.size()) < operandCount)
    all.push_back(none());
  OperationState state(getLoc(), name, all, UnrankedTensorType::get(getF32Type()), attributes);
  Operation *op = OpBuilder::create(state);
  [[maybe_unused]] LogicalResult inferred = llvm::cast<onnx::OnnxOp>(op).inferShapes();
  assert(succeeded(inferred) && "a decomposition makes valid operations");
  return op->getResult(0);
}

Value OnnxBuilder::numberLike(Value value, double number) {
  return createScalar(*this, getLoc(), getElementTypeOrSelf(value.getType()), number);
}

Value OnnxBuilder::sizeOf(Value value, int64_t axis) {
  return make<onnx::ShapeOp>(value, {attr("start", axis), attr("end", axis + 1)});
}

Value OnnxBuilder::reshapeEmpty(Value value, ArrayRef<int64_t> shape) {
  Value left = ints(1);
  int64_t known = 1;
  for (int64_t axis = 0, rank = onnx::getDims(value)->size(); axis < rank; ++axis)
    if (axis >= std::ssize(shape) || shape[axis] != 0)
      left = make<onnx::MulOp>({left, sizeOf(value, axis)});
  for (int64_t size : shape)
    known *= std::max<int64_t>(size, 1);
  SmallVector<Value> sizes;
  for (auto [axis, size] : llvm::enumerate(shape))
    sizes.push_back(size == 0 ? sizeOf(value, axis) : size < 0 ? make<onnx::DivOp>({left, ints(known)}) : ints(size));
  return make<onnx::ReshapeOp>({value, concat(sizes, 0)}, attr("allowzero", 1));
}

Value OnnxBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = getStaticType(value);
  if (!type) {
    std::optional<onnx::DimList> dims = onnx::getDims(value);
    bool isEmpty = dims && llvm::is_contained(*dims, Dim(0));
    return isEmpty ? reshapeEmpty(value, shape) : make<onnx::ReshapeOp>({value, ints(shape)});
  }
  // All sizes are stated, because -1 cannot be inferred for a tensor without elements.
  SmallVector<int64_t> sizes(shape);
  int64_t known = 1, left = 1;
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    if (size == 0)
      size = type.getDimSize(axis);
    if (size > 0)
      known *= size;
  }
  // The size of -1 follows from the other dimensions if a kept dimension is empty.
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    left *= size == 0 && axis < shape.size() && shape[axis] == 0 ? 1 : size;
  for (int64_t &size : sizes)
    if (size < 0)
      size = left / known;
  return onnx::makeReshape(*this, getLoc(), value, sizes);
}

Value OnnxBuilder::transpose(Value value, ArrayRef<int64_t> perm) {
  return make<onnx::TransposeOp>(value, attr("perm", perm));
}

Value OnnxBuilder::unsqueeze(Value value, ArrayRef<int64_t> axes) {
  return make<onnx::UnsqueezeOp>({value, ints(axes)});
}

Value OnnxBuilder::concat(ValueRange values, int64_t axis) { return make<onnx::ConcatOp>(values, attr("axis", axis)); }

Value OnnxBuilder::cast(Value value, Type elementType) {
  if (getElementTypeOrSelf(value.getType()) == elementType)
    return value;
  return make<onnx::CastOp>(value, attr("to", onnx::getDataTypeOf(elementType)));
}

Value OnnxBuilder::slice(Value value, int64_t axis, Value start, Value end) {
  return make<onnx::SliceOp>({value, start, end, ints(axis)});
}

Value OnnxBuilder::as(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return onnx::IdentityOp::create(*this, type, value, ArrayRef<NamedAttribute>{});
}

} // namespace cameo::graph
