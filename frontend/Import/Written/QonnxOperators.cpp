// Rewrites the quantisers of QONNX, which Brevitas writes for models of few bits.
#include "frontend/Import/Written/WrittenOperators.h"

#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

/// Returns 1 where `x` is 0 or more, else -1. Operations that fold make this of weights, too.
Value signOf(NodeWriter &w, Value x, Type type) {
  Value side = w.make("Min", {w.make("Max", {w.make("Floor", x), w.number(-1, type)}), w.number(0, type)});
  return w.make("Add", {w.make("Mul", {side, w.number(2, type)}), w.number(1, type)});
}

/// Returns the number of bits; fails after an error if it is no constant of 1 to 32.
int64_t bitsOf(NodeWriter &w, Value bits) {
  DenseElementsAttr elements;
  double count = 0;
  if (matchPattern(bits, m_Constant(&elements)) && elements.getNumElements() == 1 &&
      isa<FloatType>(elements.getElementType()))
    count = (*elements.getValues<APFloat>().begin()).convertToDouble();
  w.expect(count >= 1 && count <= 32 && count == std::floor(count), "expected a constant number of bits from 1 to 32");
  return static_cast<int64_t>(count);
}

Value roundBy(NodeWriter &w, Value x, StringRef mode) {
  if (mode == "CEIL")
    return w.make("Ceil", x);
  if (mode == "FLOOR")
    return w.make("Floor", x);
  if (mode == "ROUND_TO_ZERO")
    return w.make("Mul", {w.make("Sign", x), w.make("Floor", w.make("Abs", x))});
  w.expect(mode == "ROUND", "expected 'rounding_mode' ROUND, CEIL, FLOOR or ROUND_TO_ZERO, got '" + Twine(mode) + "'");
  return w.hasFailed() ? Value() : w.make("Round", x);
}

/// Limits steps to those that the bits count, rounds, and multiplies by the size of a step.
WrittenResults writeQuant(NodeWriter &w) {
  bool isSigned = w.takeInt("signed", 1) != 0, isNarrow = w.takeInt("narrow", 0) != 0;
  std::string mode = StringRef(w.takeString("rounding_mode", "ROUND")).upper();
  auto type = dyn_cast<FloatType>(w.elementOf(w.operand(0)));
  w.expect(type != nullptr, "expected floats");
  int64_t bits = bitsOf(w, w.operand(3));
  if (w.hasFailed())
    return {};
  Value scale = w.operand(1), zero = w.operand(2);
  Value steps = w.make("Add", {w.make("Div", {w.operand(0), scale}), zero});
  if (isSigned && bits == 1) {
    steps = signOf(w, steps, type);
  } else {
    double half = std::ldexp(1.0, bits - 1);
    double least = isSigned ? isNarrow - half : 0, most = isSigned ? half - 1 : 2 * half - 1 - isNarrow;
    Value limited = w.make("Max", {w.make("Min", {steps, w.number(most, type)}), w.number(least, type)});
    steps = roundBy(w, limited, mode);
  }
  return {w.hasFailed() ? Value() : w.make("Mul", {w.make("Sub", {steps, zero}), scale})};
}

WrittenResults writeBipolarQuant(NodeWriter &w) {
  auto type = dyn_cast<FloatType>(w.elementOf(w.operand(0)));
  w.expect(type != nullptr, "expected floats");
  if (w.hasFailed())
    return {};
  return {w.make("Mul", {signOf(w, w.operand(0), type), w.operand(1)})};
}

constexpr WrittenOperator kQonnxOperators[] = {
    {"BipolarQuant", 2, writeBipolarQuant},
    {"IntQuant", 4, writeQuant},
    {"Quant", 4, writeQuant},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getQonnxOperators() { return kQonnxOperators; }
