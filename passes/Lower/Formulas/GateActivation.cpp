#include "passes/Lower/Formulas/GateActivation.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace cameo::lower {

bool usesAlpha(StringRef name) {
  return StringSwitch<bool>(name.lower())
      .Cases({"affine", "leakyrelu", "thresholdedrelu", "scaledtanh", "hardsigmoid", "elu"}, true)
      .Default(false);
}

bool usesBeta(StringRef name) {
  return StringSwitch<bool>(name.lower()).Cases({"affine", "scaledtanh", "hardsigmoid"}, true).Default(false);
}

std::optional<GateActivation> makeGateActivation(StringRef name, std::optional<double> alpha,
                                                 std::optional<double> beta, std::optional<double> clip) {
  std::string lower = name.lower();
  bool isKnown = StringSwitch<bool>(lower)
                     .Cases({"relu", "tanh", "sigmoid", "affine", "leakyrelu", "thresholdedrelu"}, true)
                     .Cases({"scaledtanh", "hardsigmoid", "elu", "softsign", "softplus"}, true)
                     .Default(false);
  if (!isKnown)
    return std::nullopt;
  double defaultAlpha = lower == "hardsigmoid" ? 0.2 : lower == "leakyrelu" ? 0.01 : 1.0;
  double defaultBeta = lower == "hardsigmoid" ? 0.5 : lower == "affine" ? 0.0 : 1.0;
  return GateActivation{lower, alpha.value_or(defaultAlpha), beta.value_or(defaultBeta), clip};
}

Value GateActivation::apply(ScalarBuilder &s, Value x) const {
  auto number = [&](double value) { return s.number(x.getType(), value); };
  if (clip)
    x = s.max(s.min(x, number(*clip)), number(-*clip));
  if (name == "sigmoid")
    return s.sigmoid(x);
  if (name == "tanh")
    return s.tanh(x);
  if (name == "relu")
    return s.max(x, number(0));
  if (name == "affine")
    return s.add(s.mul(number(alpha), x), number(beta));
  if (name == "leakyrelu")
    return s.select(s.compare(Order::Less, x, number(0)), s.mul(number(alpha), x), x);
  if (name == "thresholdedrelu")
    return s.select(s.compare(Order::GreaterOrEqual, x, number(alpha)), x, number(0));
  if (name == "scaledtanh")
    return s.mul(number(alpha), s.tanh(s.mul(number(beta), x)));
  if (name == "hardsigmoid")
    return s.max(number(0), s.min(number(1), s.add(s.mul(number(alpha), x), number(beta))));
  if (name == "elu") {
    Value negative = s.mul(number(alpha), s.apply<math::ExpM1Op>(s.min(x, number(0))));
    return s.select(s.compare(Order::GreaterOrEqual, x, number(0)), x, negative);
  }
  return name == "softsign" ? s.div(x, s.add(number(1), s.abs(x))) : s.softplus(x);
}

} // namespace cameo::lower
