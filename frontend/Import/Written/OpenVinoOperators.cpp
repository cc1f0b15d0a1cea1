// Rewrites FakeQuantize of org.openvinotoolkit, which NNCF writes into models that it has trained for few bits.
#include "frontend/Import/Written/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Limits to the input range, rounds to one of the levels, and maps these to the output range. An empty input range has
/// one level.
WrittenResults writeFakeQuantize(NodeWriter &w) {
  int64_t levels = w.takeInt("levels", 0);
  std::string broadcast = w.takeString("auto_broadcast", "numpy");
  auto type = dyn_cast<FloatType>(w.elementOf(w.operand(0)));
  w.expect(levels >= 2 && levels <= 1 << 24, "expected 'levels' in [2, 2^24], got " + Twine(levels));
  w.expect(broadcast == "numpy", "expected 'auto_broadcast' numpy, got '" + Twine(broadcast) + "'");
  w.expect(type != nullptr, "expected floats");
  if (w.hasFailed())
    return {};
  Value low = w.operand(1), high = w.operand(2), outLow = w.operand(3), outHigh = w.operand(4);
  double least = llvm::APFloat::getSmallestNormalized(type.getFloatSemantics()).convertToDouble();
  Value width = w.make("Max", {w.make("Sub", {high, low}), w.number(least, type)});
  Value steps = w.number(static_cast<double>(levels - 1), type);
  Value limited = w.make("Min", {w.make("Max", {w.operand(0), low}), high});
  Value place = w.make("Div", {w.make("Sub", {limited, low}), width});
  Value part = w.make("Div", {w.make("Round", w.make("Mul", {place, steps})), steps});
  return {w.make("Add", {w.make("Mul", {part, w.make("Sub", {outHigh, outLow})}), outLow})};
}

constexpr WrittenOperator kOpenVinoOperators[] = {
    {"FakeQuantize", 5, writeFakeQuantize},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getOpenVinoOperators() { return kOpenVinoOperators; }
