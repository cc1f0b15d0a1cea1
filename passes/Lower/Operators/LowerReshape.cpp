// Operators that keep the order of the elements: the type of the result says all.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Lowered lowerReshape(Operation *op, Operands operands, GenericBuilder &b) {
  return one(b.reshape(operands[0], resultShape(op)));
}

Lowered lowerShape(onnx::ShapeOp op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  auto bound = [&](int64_t at) { return std::clamp<int64_t>(normalizeAxis(at, rank), 0, rank); };
  int64_t start = bound(op.getStart()), end = bound(op.getEnd().value_or(rank));
  Shape extents = shapeOf(operands[0]);
  ShapeRef asked = ShapeRef(extents).slice(start, std::max<int64_t>(0, end - start));
  if (isStatic(asked))
    return one(b.constantInts(toInts(asked)));
  Type i64 = b.getI64Type();
  return one(b.map(resultShape(op), i64, {}, [&](ScalarBuilder &s, ValueRange) {
    Value result = s.size(asked.back(), i64);
    for (int64_t number = static_cast<int64_t>(asked.size()) - 2; number >= 0; --number) {
      Value isHere = s.compare(Order::Equal, s.position(0), s.indexConstant(number));
      result = s.select(isHere, s.size(asked[number], i64), result);
    }
    return result;
  }));
}

Lowered lowerSize(onnx::SizeOp op, Operands operands, GenericBuilder &b) {
  Dim size = sizeOf(shapeOf(operands[0]));
  auto type = RankedTensorType::get({}, b.getI64Type());
  if (size.isStatic())
    return one(b.constant(DenseElementsAttr::get(type, size.getSize())));
  return one(b.map({}, b.getI64Type(), {}, [&](ScalarBuilder &s, ValueRange) { return s.size(size, b.getI64Type()); }));
}

} // namespace

void addReshapes(LoweringTable &table) {
  table.addAll<onnx::ReshapeOp, onnx::FlattenOp, onnx::SqueezeOp, onnx::UnsqueezeOp, onnx::IdentityOp>(lowerReshape);
  table.add(lowerShape);
  table.add(lowerSize);
}

} // namespace cameo::lower
