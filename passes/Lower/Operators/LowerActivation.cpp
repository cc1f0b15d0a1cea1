// Elementwise activation functions with attributes.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The scalar function of an activation. `number` creates a constant of the type of `x`, for attributes.
using Activation = llvm::function_ref<Value(ScalarBuilder &s, Value x, llvm::function_ref<Value(double)> number)>;

Lowered lowerActivation(Operation *op, Operands operands, GenericBuilder &b, Activation activation) {
  return one(b.elementwise(resultShape(op), resultElement(op), operands, [&](ScalarBuilder &s, ValueRange x) {
    return activation(s, x[0], [&](double number) { return s.number(x[0].getType(), number); });
  }));
}

using Number = llvm::function_ref<Value(double)>;

Value expMinusOne(ScalarBuilder &s, Value x) { return s.apply<math::ExpM1Op>(x); }

Lowered lowerCelu(onnx::CeluOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    Value negative = s.mul(number(alpha), expMinusOne(s, s.div(s.min(x, number(0)), number(alpha))));
    return s.add(s.max(x, number(0)), negative);
  });
}

Lowered lowerElu(onnx::EluOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    Value negative = s.mul(number(alpha), expMinusOne(s, s.min(x, number(0))));
    return s.select(s.compare(Order::GreaterOrEqual, x, number(0)), x, negative);
  });
}

Lowered lowerGelu(onnx::GeluOp op, Operands operands, GenericBuilder &b) {
  bool isTanh = op.getApproximate() == "tanh";
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    Value bent;
    if (isTanh) {
      Value cube = s.mul(s.mul(x, x), x);
      bent = s.tanh(s.mul(number(0.7978845608028654), s.add(x, s.mul(number(0.044715), cube))));
    } else {
      bent = s.apply<math::ErfOp>(s.mul(x, number(0.7071067811865476)));
    }
    return s.mul(s.mul(number(0.5), x), s.add(number(1), bent));
  });
}

Lowered lowerHardSigmoid(onnx::HardSigmoidOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha(), beta = op.getBeta();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    Value line = s.add(s.mul(number(alpha), x), number(beta));
    return s.max(number(0), s.min(number(1), line));
  });
}

Lowered lowerLeakyRelu(onnx::LeakyReluOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    return s.select(s.compare(Order::Less, x, number(0)), s.mul(number(alpha), x), x);
  });
}

Lowered lowerSelu(onnx::SeluOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha(), gamma = op.getGamma();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    Value negative = s.mul(number(alpha), expMinusOne(s, s.min(x, number(0))));
    return s.mul(number(gamma), s.select(s.compare(Order::GreaterOrEqual, x, number(0)), x, negative));
  });
}

Lowered lowerShrink(onnx::ShrinkOp op, Operands operands, GenericBuilder &b) {
  double bias = op.getBias(), lambd = op.getLambd();
  Sign sign = signOf(op.getInput());
  Type element = resultElement(op);
  // Integers are compared and shifted by numbers that need not be integers.
  Type type = isa<FloatType>(element) ? computeType(element) : Type(b.getF64Type());
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value integer, Number) {
    Value x = s.convert(integer, type, sign);
    auto number = [&](double value) { return s.number(type, value); };
    Value below = s.select(s.compare(Order::Less, x, number(-lambd)), s.add(x, number(bias)), number(0));
    Value result = s.select(s.compare(Order::Greater, x, number(lambd)), s.sub(x, number(bias)), below);
    return s.convert(result, computeType(element), Sign::Signed, sign);
  });
}

Lowered lowerSwish(onnx::SwishOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    return s.mul(x, s.sigmoid(alpha == 1 ? x : s.mul(number(alpha), x)));
  });
}

Lowered lowerSwiGLU(onnx::SwiGLUOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha();
  return one(b.elementwise(resultShape(op), resultElement(op), operands, [&](ScalarBuilder &s, ValueRange x) {
    Value scaled = alpha == 1 ? x[0] : s.mul(s.number(x[0].getType(), alpha), x[0]);
    return s.mul(s.mul(x[0], s.sigmoid(scaled)), x[1]);
  }));
}

Lowered lowerThresholdedRelu(onnx::ThresholdedReluOp op, Operands operands, GenericBuilder &b) {
  double alpha = op.getAlpha();
  return lowerActivation(op, operands, b, [&](ScalarBuilder &s, Value x, Number number) {
    return s.select(s.compare(Order::Greater, x, number(alpha)), x, number(0));
  });
}

} // namespace

void addActivations(LoweringTable &table) {
  table.add(lowerCelu);
  table.add(lowerElu);
  table.add(lowerGelu);
  table.add(lowerHardSigmoid);
  table.add(lowerLeakyRelu);
  table.add(lowerSelu);
  table.add(lowerShrink);
  table.add(lowerSwiGLU);
  table.add(lowerSwish);
  table.add(lowerThresholdedRelu);
}

} // namespace cameo::lower
