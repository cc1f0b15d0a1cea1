// Rewrites support vector machines to weighted sums of kernels of the input and the support vectors.
#include "frontend/Import/Written/MlOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Returns the kernel K(x, s) of all rows x and support vectors s. The columns are the support vectors.
Value kernel(NodeWriter &w, Value x, ArrayRef<float> vectors, int64_t count) {
  SmallVector<float> params = w.takeFloats("kernel_params");
  params.resize(3);
  std::string type = w.takeString("kernel_type", "LINEAR");
  auto number = [&](double value) { return w.number(value, w.f32()); };
  Value support = w.floats(vectors, {count, int64_t(vectors.size()) / count});
  if (type == "RBF") {
    Value difference = w.make("Sub", {w.make("Unsqueeze", {x, w.ints(1)}), support});
    Value distance = w.make("ReduceSumSquare", {difference, w.ints(-1)}, w.attr("keepdims", 0));
    return w.make("Exp", w.make("Mul", {distance, number(-params[0])}));
  }
  Value product = w.make("Gemm", {x, support}, w.attr("transB", 1));
  if (type == "LINEAR")
    return product;
  w.expect(type == "POLY" || type == "SIGMOID",
           "expected 'kernel_type' LINEAR, POLY, RBF or SIGMOID, got " + Twine(type));
  Value line = w.make("Add", {w.make("Mul", {product, number(params[0])}), number(params[1])});
  return type == "POLY" ? w.make("Pow", {line, number(params[2])}) : w.make("Tanh", line);
}

/// Returns kernels @ matrix in f64, because the result can be a small difference of large terms of both signs.
Value combine(NodeWriter &w, Value kernels, ArrayRef<double> matrix, int64_t columns) {
  Type f64 = w.builder().getF64Type();
  return w.make("MatMul", {w.cast(kernels, f64), w.numbers(matrix, {int64_t(matrix.size()) / columns, columns}, f64)});
}

Value addBias(NodeWriter &w, Value sums, ArrayRef<float> rho) {
  if (w.hasFailed())
    return {};
  SmallVector<double> bias(rho.begin(), rho.end());
  return w.make("Add", {sums, w.numbers(bias, {int64_t(rho.size())}, w.elementOf(sums))});
}

/// Removes the attributes of the kernel from a node without support vectors, which is a linear model.
void skipKernel(NodeWriter &w) {
  w.takeFloats("kernel_params");
  w.takeString("kernel_type", "LINEAR");
}

//===- Classifiers ---------------------------------------------------------===//

struct SupportAttributes {
  SmallVector<float> vectors, coefficients, rho, probA, probB;
  SmallVector<int64_t> perClass;
  int64_t count = 0; ///< number of support vectors
  bool hasProbabilities() const { return !probA.empty() && count > 0; }
};

SupportAttributes takeSupport(NodeWriter &w, int64_t classes) {
  SupportAttributes a{w.takeFloats("support_vectors"), w.takeFloats("coefficients"), w.takeFloats("rho"),
                      w.takeFloats("prob_a"),          w.takeFloats("prob_b"),       w.takeInts("vectors_per_class")};
  for (int64_t count : a.perClass) {
    w.expect(count >= 0 && count < (1 << 30), "expected 'vectors_per_class' of 0 or more, got " + Twine(count));
    a.count += count;
  }
  int64_t machines = classes * (classes - 1) / 2, coefficients = a.coefficients.size();
  if (w.hasFailed())
    return a;
  if (a.count == 0) {
    w.expect(coefficients > 0 && coefficients % classes == 0 && a.rho.size() == 1,
             "expected coefficients for each of " + Twine(classes) + " classes and one value of 'rho'");
    return a;
  }
  w.expect(classes >= 2 && int64_t(a.perClass.size()) == classes,
           "expected 'vectors_per_class' for each of 2 or more labels");
  w.expect(!a.vectors.empty() && int64_t(a.vectors.size()) % a.count == 0,
           "expected vectors of one length, got " + Twine(a.vectors.size()) + " numbers for " + Twine(a.count) +
               " vectors");
  w.expect(coefficients == (classes - 1) * a.count, "expected " + Twine((classes - 1) * a.count) +
                                                        " coefficients, one less than labels for each vector, got " +
                                                        Twine(coefficients));
  w.expect(int64_t(a.rho.size()) == machines,
           "expected a value of 'rho' for each of " + Twine(machines) + " pairs of labels, got " + Twine(a.rho.size()));
  bool isForPairs = a.probA.empty() || int64_t(a.probA.size()) == machines;
  w.expect(isForPairs && a.probA.size() == a.probB.size(),
           "expected no 'prob_a' and 'prob_b', or one for each pair of labels");
  return a;
}

/// The pairs of classes i < j, each with its own machine, in the order (0, 1), (0, 2), ..., (1, 2), ...
struct Pairs {
  explicit Pairs(int64_t classes) : classes(classes) {
    for (int64_t i = 0; i < classes; ++i)
      for (int64_t j = i + 1; j < classes; ++j)
        list.push_back({i, j});
  }
  int64_t classes;
  SmallVector<std::pair<int64_t, int64_t>> list;
};

/// Returns the decision value of each pair, which is above 0 for the first class. A vector only takes part in the
/// machines of its class. Row r of the coefficients is for the pair with the r-th other class.
Value decide(NodeWriter &w, Value kernels, const SupportAttributes &a, const Pairs &pairs) {
  int64_t others = pairs.classes - 1, start = 0;
  SmallVector<Value> sums;
  for (int64_t count : a.perClass) {
    SmallVector<double> coefficients;
    for (int64_t vector = start; vector < start + count; ++vector)
      for (int64_t other = 0; other < others; ++other)
        coefficients.push_back(a.coefficients[other * a.count + vector]);
    Value own = w.make("Slice", {kernels, w.ints(start), w.ints(start + count), w.ints(1)});
    sums.push_back(combine(w, own, coefficients, others));
    start += count;
  }
  Value all = w.make("Concat", sums, w.attr("axis", 1));
  SmallVector<int64_t> firsts, seconds;
  for (auto [i, j] : pairs.list) {
    firsts.push_back(i * others + j - 1);
    seconds.push_back(j * others + i);
  }
  Value first = w.make("Gather", {all, w.ints(firsts)}, w.attr("axis", 1)),
        second = w.make("Gather", {all, w.ints(seconds)}, w.attr("axis", 1));
  return w.cast(addBias(w, w.make("Add", {first, second}), a.rho), w.f32());
}

/// Returns the number of pairs that each class wins. If the first class of a pair does not win, the second does.
Value countVotes(NodeWriter &w, Value decisions, const Pairs &pairs) {
  SmallVector<float> signs(pairs.list.size() * pairs.classes, 0), losses(pairs.classes, 0);
  for (auto [pair, both] : llvm::enumerate(pairs.list)) {
    signs[pair * pairs.classes + both.first] = 1;
    signs[pair * pairs.classes + both.second] = -1;
    losses[both.second] += 1;
  }
  Value wins = w.cast(w.make("Greater", {decisions, w.number(0, w.f32())}), w.f32());
  return w.make("Gemm", {wins, w.floats(signs, {int64_t(pairs.list.size()), pairs.classes}), w.floats(losses)});
}

/// Returns r[i, j] for each row, the probability of class i if the class is i or j. After J. Platt, Probabilistic
/// outputs for support vector machines (1999).
Value pairProbabilities(NodeWriter &w, Value decisions, const SupportAttributes &a, const Pairs &pairs) {
  constexpr double kLeast = 1e-7;
  auto number = [&](double value) { return w.number(value, w.f32()); };
  Value line = w.make("Add", {w.make("Mul", {decisions, w.floats(a.probA)}), w.floats(a.probB)});
  Value first = w.make("Clip", {w.make("Sigmoid", w.make("Neg", line)), number(kLeast), number(1 - kLeast)});
  Value second = w.make("Sub", {number(1), first});
  int64_t machines = pairs.list.size();
  SmallVector<int64_t> places(pairs.classes * pairs.classes, 2 * machines);
  for (auto [pair, both] : llvm::enumerate(pairs.list)) {
    places[both.first * pairs.classes + both.second] = pair;
    places[both.second * pairs.classes + both.first] = machines + pair;
  }
  Value all =
      w.make("Pad", {w.make("Concat", {first, second}, w.attr("axis", 1)), w.ints({0, 1}), w.none(), w.ints(1)});
  Value matrix = w.make("Gather", {all, w.ints(places)}, w.attr("axis", 1));
  return w.make("Reshape", {matrix, w.ints({0, pairs.classes, pairs.classes})});
}

/// Computes the class probabilities that fit those of the pairs best: algorithm 2 of T.-F. Wu, C.-J. Lin, R. C. Weng,
/// Probability estimates for multi-class classification by pairwise coupling (2004), with the limits of LIBSVM. A row
/// that has converged does not change any more.
class PairwiseCoupling {
public:
  PairwiseCoupling(NodeWriter &w, int64_t classes) : w(w), classes(classes) {}

  Value solve(Value pairs) {
    makeMatrix(pairs);
    Value rows = w.make("Slice", {w.make("Shape", pairs), w.ints(0), w.ints(1)});
    Value shape = w.make("Concat", {rows, w.ints(classes)}, w.attr("axis", 0));
    Value start = w.make("Expand", {number(1.0 / classes), shape});
    return w
        .repeat(w.scalar(kMaxIterations), start,
                [&](Value, ArrayRef<Value> carried) { return makeIteration(carried[0]); })
        .front();
  }

private:
  static constexpr int64_t kMaxIterations = 100;
  static constexpr double kAccuracy = 0.005; ///< error bound, to be divided by the number of classes

  Value number(double value) { return w.number(value, w.f32()); }
  Value sum(Value value) { return w.make("ReduceSum", {value, w.ints(-1)}); }

  /// Computes Q: Q[i, j] = -r[j, i] * r[i, j], and on the diagonal the sum of r[j, i]^2 over all j.
  void makeMatrix(Value pairs) {
    Value transposed = w.make("Transpose", pairs, w.attr("perm", {0, 2, 1}));
    Value diagonal = w.make("ReduceSumSquare", {transposed, w.ints(-1)});
    SmallVector<char> isDiagonal(classes * classes, 0);
    for (int64_t i = 0; i < classes; ++i)
      isDiagonal[i * classes + i] = 1;
    Value mask = w.make("Reshape", {w.flags(isDiagonal), w.ints({classes, classes})});
    matrix = w.make("Where", {mask, diagonal, w.make("Neg", w.make("Mul", {pairs, transposed}))});
  }

  /// Creates an iteration. Returns whether there is a next one, and the probabilities.
  SmallVector<Value> makeIteration(Value p) {
    Value product = w.make("ReduceSum", {w.make("Mul", {matrix, w.make("Unsqueeze", {p, w.ints(1)})}), w.ints(-1)},
                           w.attr("keepdims", 0));
    Value form = sum(w.make("Mul", {p, product}));
    Value error = w.make("ReduceMax", {w.make("Abs", w.make("Sub", {product, form})), w.ints(-1)});
    Value shouldContinue = w.make("GreaterOrEqual", {error, number(kAccuracy / classes)});
    SmallVector<Value> after = w.repeat(w.scalar(classes), {p, product, form},
                                        [&](Value step, ArrayRef<Value> carried) { return improve(step, carried); });
    Value isAny = w.make("ReduceMax", {w.cast(shouldContinue, w.f32()), w.none()}, w.attr("keepdims", 0));
    return {w.make("Greater", {isAny, number(0)}), w.make("Where", {shouldContinue, after[0], p})};
  }

  /// Optimises the probability of class `step`, with the others fixed, and scales all to a sum of 1. `carried` holds p,
  /// Q p and p^T Q p.
  SmallVector<Value> improve(Value step, ArrayRef<Value> carried) {
    Value p = carried[0], product = carried[1], form = carried[2], place = w.make("Reshape", {step, w.ints(1)});
    auto at = [&](Value columns) { return w.make("Gather", {columns, place}, w.attr("axis", 1)); };
    Value row = w.make("Squeeze", {at(matrix), w.ints(1)}), own = at(row), ownProduct = at(product);
    Value change = w.make("Div", {w.make("Sub", {form, ownProduct}), own}), total = w.make("Add", {change, number(1)});
    Value isOwn = w.make("Equal", {w.ints(llvm::to_vector(llvm::seq<int64_t>(0, classes))), step});
    Value moved = w.make("Add", {p, w.make("Where", {isOwn, change, number(0)})});
    Value slope = w.make("Add", {w.make("Mul", {change, own}), w.make("Mul", {ownProduct, number(2)})});
    Value movedForm = w.make("Add", {form, w.make("Mul", {change, slope})});
    Value movedProduct = w.make("Add", {product, w.make("Mul", {row, change})});
    return {Value(), w.make("Div", {moved, total}), w.make("Div", {movedProduct, total}),
            w.make("Div", {w.make("Div", {movedForm, total}), total})};
  }

  NodeWriter &w;
  int64_t classes;
  Value matrix;
};

/// Returns the scores of a model without probabilities: the decision values, or for two classes the negated value of
/// the only pair and the value. As in ONNX Runtime, a Softmax is not applied to the latter, and the first is 1 - value.
Value rawScores(NodeWriter &w, Value decisions, const Pairs &pairs, StringRef transform) {
  if (pairs.classes > 2)
    return transformScores(w, decisions, transform);
  if (transform.starts_with("SOFTMAX"))
    return w.make("Concat", {w.make("Sub", {w.number(1, w.f32()), decisions}), decisions}, w.attr("axis", 1));
  return transformScores(w, w.make("Concat", {w.make("Neg", decisions), decisions}, w.attr("axis", 1)), transform);
}

} // namespace

WrittenResults cameo::importSupportClassifier(NodeWriter &w) {
  Value labels = takeClassLabels(w, "classlabels_ints");
  std::string transform = w.takeString("post_transform", "NONE");
  if (w.hasFailed())
    return {};
  int64_t classes = cast<RankedTensorType>(labels.getType()).getNumElements();
  SupportAttributes a = takeSupport(w, classes);
  if (w.hasFailed())
    return {};
  Value x = w.cast(w.rows(w.operand(0)), w.f32()), scores, votes;
  if (a.count == 0) {
    skipKernel(w);
    Value matrix = w.floats(a.coefficients, {classes, int64_t(a.coefficients.size()) / classes});
    votes = w.make("Gemm", {x, matrix, w.floats(a.rho)}, w.attr("transB", 1));
    scores = transformScores(w, votes, transform);
  } else {
    Pairs pairs(classes);
    Value decisions = decide(w, kernel(w, x, a.vectors, a.count), a, pairs);
    votes = countVotes(w, decisions, pairs);
    scores = a.hasProbabilities()
                 ? transformScores(w, PairwiseCoupling(w, classes).solve(pairProbabilities(w, decisions, a, pairs)),
                                   transform)
                 : rawScores(w, decisions, pairs, transform);
  }
  Value best = w.make("ArgMax", votes, {w.attr("axis", 1), w.attr("keepdims", 0)});
  return {w.make("Gather", {labels, best}), scores};
}

WrittenResults cameo::importSupportRegressor(NodeWriter &w) {
  SmallVector<float> vectors = w.takeFloats("support_vectors"), coefficients = w.takeFloats("coefficients"),
                     rho = w.takeFloats("rho");
  int64_t count = w.takeInt("n_supports", 0);
  bool isOneClass = w.takeInt("one_class", 0) != 0;
  std::string transform = w.takeString("post_transform", "NONE");
  w.expect(!coefficients.empty(), "expected coefficients");
  w.expect(count <= 0 ||
               (int64_t(coefficients.size()) == count && int64_t(vectors.size()) % count == 0 && !vectors.empty()),
           "expected a coefficient and a vector for each of " + Twine(count) + " supports");
  w.expect(rho.size() <= 1, "expected one value of 'rho'");
  if (w.hasFailed())
    return {};
  Value x = w.cast(w.rows(w.operand(0)), w.f32()), sums;
  if (count > 0) {
    sums = combine(w, kernel(w, x, vectors, count), SmallVector<double>(coefficients.begin(), coefficients.end()), 1);
  } else {
    skipKernel(w);
    sums = w.make("MatMul", {x, w.floats(coefficients, {int64_t(coefficients.size()), 1})});
  }
  if (!rho.empty())
    sums = addBias(w, sums, rho);
  sums = w.cast(sums, w.f32());
  if (!isOneClass)
    return {transformScores(w, sums, transform)};
  Value isInside = w.make("Greater", {sums, w.number(0, w.f32())});
  return {w.make("Where", {isInside, w.number(1, w.f32()), w.number(-1, w.f32())})};
}
