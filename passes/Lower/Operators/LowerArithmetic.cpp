// Elementwise operators of several tensors, with broadcasting.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Lowered lowerBinary(Operation *op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op->getOperand(0));
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) -> Value {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case<onnx::AddOp>([&](auto) { return s.add(x[0], x[1]); })
        .Case<onnx::SubOp>([&](auto) { return s.sub(x[0], x[1]); })
        .Case<onnx::MulOp>([&](auto) { return s.mul(x[0], x[1]); })
        .Case<onnx::DivOp>([&](auto) { return s.div(x[0], x[1], sign); })
        .Case<onnx::AndOp, onnx::BitwiseAndOp>([&](auto) { return s.apply<arith::AndIOp>(x[0], x[1]); })
        .Case<onnx::OrOp, onnx::BitwiseOrOp>([&](auto) { return s.apply<arith::OrIOp>(x[0], x[1]); })
        .Case<onnx::XorOp, onnx::BitwiseXorOp>([&](auto) { return s.apply<arith::XOrIOp>(x[0], x[1]); });
  }));
}

Lowered lowerComparison(Operation *op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op->getOperand(0));
  Order order = llvm::TypeSwitch<Operation *, Order>(op)
                    .Case<onnx::EqualOp>([](auto) { return Order::Equal; })
                    .Case<onnx::GreaterOp>([](auto) { return Order::Greater; })
                    .Case<onnx::GreaterOrEqualOp>([](auto) { return Order::GreaterOrEqual; })
                    .Case<onnx::LessOp>([](auto) { return Order::Less; })
                    .Case<onnx::LessOrEqualOp>([](auto) { return Order::LessOrEqual; });
  bool isOnStrings = isString(op->getOperand(0).getType());
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    return isOnStrings ? compareStrings(s, order, x[0], x[1]) : s.compare(order, x[0], x[1], sign);
  }));
}

Lowered lowerVariadic(Operation *op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op->getOperand(0));
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    Value result = x[0];
    for (Value next : x.drop_front())
      result = llvm::TypeSwitch<Operation *, Value>(op)
                   .Case<onnx::MaxOp>([&](auto) { return s.max(result, next, sign); })
                   .Case<onnx::MinOp>([&](auto) { return s.min(result, next, sign); })
                   .Case<onnx::SumOp, onnx::MeanOp>([&](auto) { return s.add(result, next); });
    bool isMean = isa<onnx::MeanOp>(op) && x.size() > 1;
    return isMean ? s.div(result, s.number(result.getType(), x.size())) : result;
  }));
}

Lowered lowerMod(onnx::ModOp op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op.getA());
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    Value rest = s.rem(x[0], x[1], sign);
    if (op.getFmod() != 0 || sign == Sign::Unsigned)
      return rest;
    // The remainder has the sign of the divisor, as in Python.
    Value zero = s.number(rest.getType(), 0);
    Value differs = s.apply<arith::XOrIOp>(s.compare(Order::Less, rest, zero), s.compare(Order::Less, x[1], zero));
    Value isOff = s.logicalAnd(s.compare(Order::NotEqual, rest, zero), differs);
    return s.select(isOff, s.add(rest, x[1]), rest);
  }));
}

/// Returns the exponent if it is a single number that is known at compile time.
std::optional<double> constantExponent(Value exponent) {
  if (std::optional<SmallVector<double>> values = onnx::getKnownFloats(exponent); values && values->size() == 1)
    return values->front();
  if (std::optional<SmallVector<int64_t>> values = onnx::getKnownInts(exponent); values && values->size() == 1)
    return values->front();
  return std::nullopt;
}

Lowered lowerPow(onnx::PowOp op, Operands operands, GenericBuilder &b) {
  Sign exponentSign = signOf(op.getB());
  Type base = elementOf(operands[0]);
  // Powers of integers are computed in f64, as other implementations do.
  Type type = isa<IntegerType>(base) ? b.getF64Type() : computeType(base);
  std::optional<double> exponent = constantExponent(op.getB());
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    if (exponent && isa<IntegerType>(base) && (*exponent == 2 || *exponent == 3))
      return s.pow(x[0], *exponent);
    Value value = s.convert(x[0], type);
    Value power = exponent ? s.pow(value, *exponent) : s.pow(value, s.convert(x[1], type, exponentSign));
    return s.convert(power, computeType(base));
  }));
}

Lowered lowerBitShift(onnx::BitShiftOp op, Operands operands, GenericBuilder &b) {
  unsigned bits = elementOf(operands[0]).getIntOrFloatBitWidth();
  bool isLeft = op.getDirection() == "LEFT";
  return one(elementwise(op, operands, b, [&](ScalarBuilder &s, ValueRange x) {
    Value most = s.integer(x[0].getType(), bits - 1);
    Value amount = s.min(x[1], most, Sign::Unsigned);
    Value shifted = isLeft ? s.apply<arith::ShLIOp>(x[0], amount) : s.apply<arith::ShRUIOp>(x[0], amount);
    return s.select(s.compare(Order::LessOrEqual, x[1], most, Sign::Unsigned), shifted, s.integer(x[0].getType(), 0));
  }));
}

Lowered lowerPRelu(onnx::PReluOp op, Operands operands, GenericBuilder &b) {
  if (signOf(op.getA()) == Sign::Unsigned)
    return one(operands[0]);
  return one(elementwise(op, operands, b, [](ScalarBuilder &s, ValueRange x) {
    Value isNegative = s.compare(Order::Less, x[0], s.number(x[0].getType(), 0));
    return s.select(isNegative, s.mul(x[0], x[1]), x[0]);
  }));
}

Lowered lowerWhere(onnx::WhereOp op, Operands operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  SmallVector<Access> inputs;
  for (Value operand : operands)
    inputs.push_back(b.spread(operand, shape));
  return one(b.map(shape, resultElement(op), inputs,
                   [](ScalarBuilder &s, ValueRange x) { return s.select(x[0], x[1], x[2]); }));
}

Lowered lowerClip(onnx::ClipOp op, Operands operands, GenericBuilder &b) {
  Sign sign = signOf(op.getInput());
  SmallVector<Access> inputs = {b.whole(operands[0])};
  for (Value bound : operands.drop_front())
    if (bound)
      inputs.push_back(b.single(bound));
  bool hasMin = operands.size() > 1 && operands[1], hasMax = operands.size() > 2 && operands[2];
  return one(b.compute(resultShape(op), resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value result = hasMin ? s.max(x[0], x[1], sign) : x[0];
    return hasMax ? s.min(result, x.back(), sign) : result;
  }));
}

} // namespace

void addArithmetic(LoweringTable &table) {
  table.addAll<onnx::AddOp, onnx::SubOp, onnx::MulOp, onnx::DivOp, onnx::AndOp, onnx::OrOp, onnx::XorOp,
               onnx::BitwiseAndOp, onnx::BitwiseOrOp, onnx::BitwiseXorOp>(lowerBinary);
  table.addAll<onnx::EqualOp, onnx::GreaterOp, onnx::GreaterOrEqualOp, onnx::LessOp, onnx::LessOrEqualOp>(
      lowerComparison);
  table.addAll<onnx::MaxOp, onnx::MinOp, onnx::SumOp, onnx::MeanOp>(lowerVariadic);
  table.add(lowerMod);
  table.add(lowerPow);
  table.add(lowerBitShift);
  table.add(lowerPRelu);
  table.add(lowerWhere);
  table.add(lowerClip);
}

} // namespace cameo::lower
