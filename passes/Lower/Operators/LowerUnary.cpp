// Elementwise operators of one tensor without attributes.
#include "passes/Lower/Formulas/NarrowNumbers.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Lowers operators that are one operation of the math dialect.
template <typename OnnxOp, typename MathOp> Lowered lowerMath(OnnxOp op, Operands operands, GenericBuilder &b) {
  return one(
      elementwise(op, operands, b, [](ScalarBuilder &s, ValueRange x) { return s.template apply<MathOp>(x[0]); }));
}

Lowered lowerAbs(onnx::AbsOp op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op.getX());
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) { return s.abs(x[0], sign); }));
}

Lowered lowerSign(onnx::SignOp op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op.getX());
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    Value zero = s.number(x[0].getType(), 0), plus = s.number(x[0].getType(), 1);
    Value isPositive = s.compare(Order::Greater, x[0], zero, sign);
    if (sign == Sign::Unsigned)
      return s.select(isPositive, plus, zero);
    // All other values are zero or NaN.
    Value isNegative = s.compare(Order::Less, x[0], zero);
    return s.select(isPositive, plus, s.select(isNegative, s.number(x[0].getType(), -1), x[0]));
  }));
}

Lowered lowerNot(Operation *op, Operands operands, GenericBuilder &b) {
  return one(elementwise(op, operands, b, [](ScalarBuilder &s, ValueRange x) {
    return s.apply<arith::XOrIOp>(x[0], s.integer(x[0].getType(), -1));
  }));
}

Lowered lowerSimple(Operation *op, Operands operands, GenericBuilder &b) {
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) -> Value {
    Type type = x[0].getType();
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<onnx::NegOp>([&](auto) { return s.negate(x[0]); })
        .Case<onnx::ReciprocalOp>([&](auto) { return s.div(s.number(type, 1), x[0]); })
        .Case<onnx::ReluOp>([&](auto) { return s.max(x[0], s.number(type, 0)); })
        .Case<onnx::SigmoidOp>([&](auto) { return s.sigmoid(x[0]); })
        .Case<onnx::SoftplusOp>([&](auto) { return s.softplus(x[0]); })
        .Case<onnx::SoftsignOp>([&](auto) { return s.div(x[0], s.add(s.number(type, 1), s.abs(x[0]))); })
        .Case<onnx::MishOp>([&](auto) { return s.mul(x[0], s.tanh(s.softplus(x[0]))); })
        .Case<onnx::HardSwishOp>([&](auto) {
          Value line = s.add(s.mul(x[0], s.number(type, 1.0 / 6)), s.number(type, 0.5));
          return s.mul(x[0], s.max(s.min(line, s.number(type, 1)), s.number(type, 0)));
        });
  }));
}

/// Returns the number that an element represents. The type of the onnx operand says whether it is a narrow one.
Value plainNumber(ScalarBuilder &s, Value element, Value onnxOperand) {
  Type type = getElementTypeOrSelf(onnxOperand.getType());
  return isNarrow(type) ? decodeNarrow(s, element, type) : element;
}

Lowered lowerIsInf(onnx::IsInfOp op, Operands operands, GenericBuilder &b) {
  bool positive = op.getDetectPositive() != 0, negative = op.getDetectNegative() != 0;
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    if (!positive && !negative)
      return s.integer(b.getI1Type(), 0);
    Value number = plainNumber(s, x[0], op.getX()), infinity = s.constant(highestAttr(number.getType()));
    Value value = positive && negative ? s.abs(number) : negative ? s.negate(number) : number;
    return s.compare(Order::Equal, value, infinity);
  }));
}

Lowered lowerIsNaN(onnx::IsNaNOp op, Operands operands, GenericBuilder &b) {
  return one(elementwise(op, operands, b,
                         [&](ScalarBuilder &s, ValueRange x) { return s.isNaN(plainNumber(s, x[0], op.getX())); }));
}

} // namespace

void addUnaries(LoweringTable &table) {
  table.add(lowerMath<onnx::AcosOp, math::AcosOp>);
  table.add(lowerMath<onnx::AcoshOp, math::AcoshOp>);
  table.add(lowerMath<onnx::AsinOp, math::AsinOp>);
  table.add(lowerMath<onnx::AsinhOp, math::AsinhOp>);
  table.add(lowerMath<onnx::AtanOp, math::AtanOp>);
  table.add(lowerMath<onnx::AtanhOp, math::AtanhOp>);
  table.add(lowerMath<onnx::CeilOp, math::CeilOp>);
  table.add(lowerMath<onnx::CosOp, math::CosOp>);
  table.add(lowerMath<onnx::CoshOp, math::CoshOp>);
  table.add(lowerMath<onnx::ErfOp, math::ErfOp>);
  table.add(lowerMath<onnx::ExpOp, math::ExpOp>);
  table.add(lowerMath<onnx::FloorOp, math::FloorOp>);
  table.add(lowerMath<onnx::LogOp, math::LogOp>);
  table.add(lowerMath<onnx::RoundOp, math::RoundEvenOp>);
  table.add(lowerMath<onnx::SinOp, math::SinOp>);
  table.add(lowerMath<onnx::SinhOp, math::SinhOp>);
  table.add(lowerMath<onnx::SqrtOp, math::SqrtOp>);
  table.add(lowerMath<onnx::TanOp, math::TanOp>);
  table.add(lowerMath<onnx::TanhOp, math::TanhOp>);
  table.add(lowerAbs);
  table.add(lowerSign);
  table.addAll<onnx::NotOp, onnx::BitwiseNotOp>(lowerNot);
  table.addAll<onnx::NegOp, onnx::ReciprocalOp, onnx::ReluOp, onnx::SigmoidOp, onnx::SoftplusOp, onnx::SoftsignOp,
               onnx::MishOp, onnx::HardSwishOp>(lowerSimple);
  table.add(lowerIsInf);
  table.add(lowerIsNaN);
}

} // namespace cameo::lower
