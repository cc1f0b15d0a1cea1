// Rewrites Adagrad, Adam and Momentum, one step of an optimiser, following the pseudocode of the specification.
#include "frontend/Import/Written/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Default of `epsilon`, which Adagrad and Adam add to a square root. The documentation rounds it to 0.0; this is the
/// value in the schemas.
constexpr float kEpsilon = 1e-6f;

/// Arithmetic in the element type of the tensors that are optimised.
struct Arithmetic {
  NodeWriter &w;
  Type type;

  Value number(double value) { return w.number(value, type); }
  Value add(Value a, Value b) { return w.make("Add", {a, b}); }
  Value sub(Value a, Value b) { return w.make("Sub", {a, b}); }
  Value mul(Value a, Value b) { return w.make("Mul", {a, b}); }
  Value div(Value a, Value b) { return w.make("Div", {a, b}); }
  Value sqrt(Value a) { return w.make("Sqrt", a); }
  /// Returns f * a + (1 - f) * b.
  Value blend(float f, Value a, Value b) { return add(mul(number(f), a), mul(number(1.0f - f), b)); }
};

/// Splits the variadic inputs, which are `kinds` consecutive lists with one tensor per variable, and returns the
/// results in the same order. `step` computes the results of one variable from its tensors.
WrittenResults optimizeAll(NodeWriter &w, unsigned kinds,
                           llvm::function_ref<SmallVector<Value>(Arithmetic &, ArrayRef<Value>)> step) {
  unsigned count = w.operandCount() < 2 ? 0 : w.operandCount() - 2;
  w.expect(count > 0 && count % kinds == 0, "expected a learning rate, a count and " + Twine(kinds) +
                                                " tensors for each variable, got " + Twine(w.operandCount()) +
                                                " inputs");
  if (w.hasFailed())
    return {};
  unsigned variables = count / kinds;
  WrittenResults results(variables * (kinds - 1));
  for (unsigned variable = 0; variable < variables; ++variable) {
    SmallVector<Value> tensors;
    for (unsigned kind = 0; kind < kinds; ++kind)
      tensors.push_back(w.operand(2 + kind * variables + variable));
    Arithmetic a{w, w.elementOf(tensors.front())};
    w.expect(isa<FloatType>(a.type), "expected variables of floats");
    if (w.hasFailed())
      return {};
    for (auto [kind, value] : llvm::enumerate(step(a, tensors)))
      results[kind * variables + variable] = value;
  }
  return results;
}

/// Returns the gradient plus the gradient of 0.5 * coefficient * ||x||^2.
Value regularize(Arithmetic &a, float coefficient, Value x, Value gradient) {
  return a.add(a.mul(a.number(coefficient), x), gradient);
}

WrittenResults writeAdagrad(NodeWriter &w) {
  float decay = w.takeFloat("decay_factor", 0), epsilon = w.takeFloat("epsilon", kEpsilon),
        norm = w.takeFloat("norm_coefficient", 0);
  return optimizeAll(w, 3, [&](Arithmetic &a, ArrayRef<Value> t) -> SmallVector<Value> {
    Value count = w.cast(w.operand(1), a.type);
    Value rate = a.div(w.cast(w.operand(0), a.type), a.add(a.number(1), a.mul(count, a.number(decay))));
    Value gradient = regularize(a, norm, t[0], t[1]), squares = a.add(t[2], a.mul(gradient, gradient));
    Value step = a.div(a.mul(rate, gradient), a.add(a.sqrt(squares), a.number(epsilon)));
    return {a.sub(t[0], step), squares};
  });
}

WrittenResults writeAdam(NodeWriter &w) {
  float alpha = w.takeFloat("alpha", 0.9f), beta = w.takeFloat("beta", 0.999f),
        epsilon = w.takeFloat("epsilon", kEpsilon);
  float norm = w.takeFloat("norm_coefficient", 0), normPost = w.takeFloat("norm_coefficient_post", 0);
  return optimizeAll(w, 4, [&](Arithmetic &a, ArrayRef<Value> t) -> SmallVector<Value> {
    Value rate = w.cast(w.operand(0), a.type), count = w.cast(w.operand(1), a.type);
    auto rest = [&](float factor) { return a.sub(a.number(1), w.make("Pow", {a.number(factor), count})); };
    Value adjusted = a.div(a.mul(rate, a.sqrt(rest(beta))), rest(alpha));
    rate = w.make("Where", {w.make("Greater", {count, a.number(0)}), adjusted, rate});
    Value gradient = regularize(a, norm, t[0], t[1]);
    Value mean = a.blend(alpha, t[2], gradient), squares = a.blend(beta, t[3], a.mul(gradient, gradient));
    Value moved = a.sub(t[0], a.div(a.mul(rate, mean), a.add(a.sqrt(squares), a.number(epsilon))));
    return {a.mul(a.number(1.0f - normPost), moved), mean, squares};
  });
}

WrittenResults writeMomentum(NodeWriter &w) {
  float alpha = w.takeFloat("alpha", 0), beta = w.takeFloat("beta", 0), norm = w.takeFloat("norm_coefficient", 0);
  std::string mode = w.takeString("mode", "");
  w.expect(mode == "standard" || mode == "nesterov", "expected 'mode' standard or nesterov, got '" + Twine(mode) + "'");
  return optimizeAll(w, 3, [&](Arithmetic &a, ArrayRef<Value> t) -> SmallVector<Value> {
    Value rate = w.cast(w.operand(0), a.type), count = w.cast(w.operand(1), a.type);
    Value factor = w.make("Where", {w.make("Greater", {count, a.number(0)}), a.number(beta), a.number(1)});
    Value gradient = regularize(a, norm, t[0], t[1]);
    Value momentum = a.add(a.mul(a.number(alpha), t[2]), a.mul(factor, gradient));
    Value direction = mode == "nesterov" ? a.add(gradient, a.mul(a.number(alpha), momentum)) : momentum;
    return {a.sub(t[0], a.mul(rate, direction)), momentum};
  });
}

constexpr WrittenOperator kTrainingOperators[] = {
    {"Adagrad", kAnyNumber, writeAdagrad},
    {"Adam", kAnyNumber, writeAdam},
    {"Momentum", kAnyNumber, writeMomentum},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getTrainingOperators() { return kTrainingOperators; }
