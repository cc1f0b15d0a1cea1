// Tensors that are made from a few numbers or from positions alone.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Returns the constant as an attribute of the lowered type.
Lowered lowerConstant(onnx::ConstantOp op, Operands, GenericBuilder &b) {
  auto type = cast<RankedTensorType>(toSignless(op.getOutput().getType()));
  if (isString(op.getOutput().getType())) {
    ScalarBuilder s(b, b.getLoc());
    SmallVector<Value> strings =
        llvm::map_to_vector(cast<DenseStringElementsAttr>(op.getValue()).getValues<StringRef>(),
                            [&](StringRef string) { return literal(s, string); });
    return one(tensor::FromElementsOp::create(b, type, strings));
  }
  if (auto dense = dyn_cast<DenseElementsAttr>(op.getValue()))
    return one(b.constant(cast<DenseElementsAttr>(toSignless(dense))));
  std::optional<std::vector<char>> bytes = onnx::readConstant(op.getValue());
  if (!bytes)
    return unsupported(op, "a value without data");
  return one(b.constant(DenseElementsAttr::getFromRawBuffer(type, *bytes)));
}

Lowered lowerConstantOfShape(onnx::ConstantOfShapeOp op, Operands, GenericBuilder &b) {
  Type element = resultElement(op);
  if (isString(op.getOutput().getType())) {
    StringRef string = *cast<DenseStringElementsAttr>(*op.getValue()).value_begin<StringRef>();
    return one(b.map(resultShape(op), element, {}, [&](ScalarBuilder &s, ValueRange) { return literal(s, string); }));
  }
  TypedAttr value = b.getZeroAttr(element);
  if (std::optional<ElementsAttr> given = op.getValue()) {
    auto dense = dyn_cast<DenseElementsAttr>(*given);
    if (!dense)
      return unsupported(op, "a value without data");
    value = cast<TypedAttr>(*cast<DenseElementsAttr>(toSignless(dense)).value_begin<Attribute>());
  }
  return one(b.filled(resultShape(op), value));
}

Value column(ScalarBuilder &s, int64_t rank) { return s.fromIndex(s.position(rank - 1), s.builder.getI64Type()); }
Value row(ScalarBuilder &s, int64_t rank) { return s.fromIndex(s.position(rank - 2), s.builder.getI64Type()); }

Lowered lowerEyeLike(onnx::EyeLikeOp op, Operands, GenericBuilder &b) {
  Type element = resultElement(op);
  int64_t diagonal = op.getK();
  return one(b.map(resultShape(op), element, {}, [&](ScalarBuilder &s, ValueRange) {
    Value target = s.add(row(s, 2), s.integer(b.getI64Type(), diagonal));
    return s.select(s.compare(Order::Equal, column(s, 2), target), s.number(element, 1), s.number(element, 0));
  }));
}

Lowered lowerTrilu(onnx::TriluOp op, Operands operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  Type element = resultElement(op);
  bool isUpper = op.getUpper() != 0;
  SmallVector<Access> inputs = {b.whole(operands[0])};
  if (operands.size() > 1 && operands[1])
    inputs.push_back(b.single(operands[1]));
  return one(b.map(shape, element, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value target = row(s, shape.size());
    if (x.size() > 1) {
      // Diagonals beyond this are outside of any tensor, and the sum with a row does not overflow.
      Value far = s.number(b.getI64Type(), int64_t(1) << 62), near = s.number(b.getI64Type(), -(int64_t(1) << 62));
      target = s.add(target, s.max(s.min(x[1], far), near));
    }
    Value isKept = s.compare(isUpper ? Order::GreaterOrEqual : Order::LessOrEqual, column(s, shape.size()), target);
    return s.select(isKept, x[0], filler(s, op.getInput().getType(), element));
  }));
}

Lowered lowerRange(onnx::RangeOp op, Operands operands, GenericBuilder &b) {
  Type element = resultElement(op);
  SmallVector<Access> inputs = {b.single(operands[0]), b.single(operands[2])};
  return one(b.compute(resultShape(op), element, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value number = s.fromIndex(s.position(0), b.getI64Type());
    return s.add(x[0], s.mul(s.convert(number, computeType(element)), x[1]));
  }));
}

Lowered lowerOneHot(onnx::OneHotOp op, Operands operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  int64_t axis = normalizeAxis(op.getAxis(), shape.size());
  Sign sign = signOf(op.getIndices());
  Access indices{operands[0], b.dims(shape.size())};
  indices.index.erase(indices.index.begin() + axis);
  SmallVector<Access> inputs = {indices, {operands[2], {b.fixed(0)}}, {operands[2], {b.fixed(1)}}};
  return one(b.map(shape, resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    Type i64 = b.getI64Type();
    Value index = s.convert(x[0], i64, sign);
    Value isNegative = s.compare(Order::Less, index, s.integer(i64, 0));
    index = s.select(isNegative, s.add(index, s.size(shape[axis], i64)), index);
    return s.select(s.compare(Order::Equal, index, s.fromIndex(s.position(axis), i64)), x[2], x[1]);
  }));
}

} // namespace

void addGenerators(LoweringTable &table) {
  table.add(lowerConstant);
  table.add(lowerConstantOfShape);
  table.add(lowerEyeLike);
  table.add(lowerTrilu);
  table.add(lowerRange);
  table.add(lowerOneHot);
}

} // namespace cameo::lower
