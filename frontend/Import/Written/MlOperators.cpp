#include "frontend/Import/Written/MlOperators.h"

#include "dialects/Onnx/ConstantData.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

WrittenResults extractFeatures(NodeWriter &w) {
  Value places = w.make("Reshape", {w.operand(1), w.ints(-1)});
  return {w.make("Gather", {w.rows(w.operand(0)), places}, w.attr("axis", -1))};
}

WrittenResults binarize(NodeWriter &w) {
  Type f64 = w.builder().getF64Type(), type = w.elementOf(w.operand(0));
  Value x = isa<FloatType>(type) ? w.operand(0) : w.cast(w.operand(0), f64);
  Value isAbove = w.make("Greater", {x, w.number(w.takeFloat("threshold", 0), w.elementOf(x))});
  return {w.cast(isAbove, type)};
}

WrittenResults joinFeatures(NodeWriter &w) {
  unsigned count = w.operandCount();
  SmallVector<int64_t> sizes = w.takeInts("inputdimensions");
  w.expect(sizes.empty() || sizes.size() == count, "expected one of 'inputdimensions' per input");
  SmallVector<Value> parts;
  for (unsigned i = 0; i < count && !w.hasFailed(); ++i)
    parts.push_back(w.cast(w.rows(w.operand(i)), w.f32()));
  return {w.make("Concat", parts, w.attr("axis", 1))};
}

WrittenResults impute(NodeWriter &w) {
  Value x = w.operand(0);
  Type type = w.elementOf(x);
  bool isFloat = isa<FloatType>(type);
  SmallVector<float> floats = w.takeFloats("imputed_value_floats");
  SmallVector<int64_t> ints = w.takeInts("imputed_value_int64s");
  float replaced = w.takeFloat("replaced_value_float", 0);
  int64_t replacedInt = w.takeInt("replaced_value_int64", 0);
  w.expect(isFloat ? !floats.empty() : !ints.empty(), "expected imputed values of the kind of the input");
  if (w.hasFailed())
    return {};
  Value imputed = w.cast(isFloat ? w.floats(floats) : w.ints(ints), type);
  Value old = w.cast(isFloat ? w.floats(replaced) : w.ints(replacedInt), type);
  Value isOld = isFloat && std::isnan(replaced) ? w.make("IsNaN", x) : w.make("Equal", {x, old});
  return {w.make("Where", {isOld, imputed, x})};
}

/// Returns x @ coefficients^T + intercepts in f32, with one column per score. With `mayBeOne` there may be coefficients
/// for a single score, that of the second of two classes.
Value linearScores(NodeWriter &w, int64_t count, bool mayBeOne = false) {
  SmallVector<float> coefficients = w.takeFloats("coefficients"), intercepts = w.takeFloats("intercepts");
  Value x = w.rows(w.operand(0));
  auto type = x ? dyn_cast<RankedTensorType>(x.getType()) : RankedTensorType();
  bool isRow = intercepts.empty() && type && type.getRank() == 2 && type.getDimSize(1) == int64_t(coefficients.size());
  if (mayBeOne && (intercepts.size() == 1 || isRow))
    count = 1;
  w.expect(count > 0 && !coefficients.empty() && int64_t(coefficients.size()) % count == 0,
           "expected coefficients for each of " + Twine(count) + " scores, got " + Twine(coefficients.size()));
  w.expect(intercepts.empty() || int64_t(intercepts.size()) == count,
           "expected one intercept for each of " + Twine(count) + " scores, got " + Twine(intercepts.size()));
  if (w.hasFailed())
    return {};
  Value matrix = w.floats(coefficients, {count, int64_t(coefficients.size()) / count});
  SmallVector<Value> operands = {w.cast(x, w.f32()), matrix};
  if (!intercepts.empty())
    operands.push_back(w.floats(intercepts));
  return w.make("Gemm", operands, w.attr("transB", 1));
}

WrittenResults regressLinearly(NodeWriter &w) {
  Value scores = linearScores(w, w.takeInt("targets", 1));
  return {transformScores(w, scores, w.takeString("post_transform", "NONE"))};
}

/// Classifies two classes by one score. The specification does not define this. As in ONNX Runtime, a score above 0
/// selects the second class, the score of the first class is 1 - score, and a Softmax is not applied.
WrittenResults classifyByOne(NodeWriter &w, Value score, Value labels, StringRef transform) {
  Value isSecond = w.make("Greater", {score, w.number(0, w.f32())});
  Value label = w.make("Squeeze", {w.make("Gather", {labels, w.cast(isSecond, w.i64())}), w.ints(1)});
  score = transformScores(w, score, transform.starts_with("SOFTMAX") ? "NONE" : transform);
  return {label, w.make("Concat", {w.make("Sub", {w.number(1, w.f32()), score}), score}, w.attr("axis", 1))};
}

WrittenResults classifyLinearly(NodeWriter &w) {
  Value labels = takeClassLabels(w, "classlabels_ints");
  std::string transform = w.takeString("post_transform", "NONE");
  w.takeInt("multi_class", 0);
  if (w.hasFailed())
    return {};
  int64_t classes = cast<RankedTensorType>(labels.getType()).getNumElements();
  Value scores = linearScores(w, classes, /*mayBeOne=*/classes == 2);
  if (w.hasFailed())
    return {};
  if (classes == 2 && cast<RankedTensorType>(scores.getType()).getDimSize(1) == 1)
    return classifyByOne(w, scores, labels, transform);
  Value best = w.make("ArgMax", scores, {w.attr("axis", 1), w.attr("keepdims", 0)});
  Value label = w.make("Gather", {labels, best});
  return {label, transformScores(w, scores, transform)};
}

WrittenResults normalize(NodeWriter &w) {
  Value x = w.cast(w.operand(0), w.f32());
  std::string norm = w.takeString("norm", "MAX");
  Value axis = w.ints(-1), size;
  if (norm == "MAX")
    size = w.make("ReduceMax", {w.make("Abs", x), axis});
  else if (norm == "L1" || norm == "L2")
    size = w.make(norm == "L1" ? "ReduceL1" : "ReduceL2", {x, axis});
  else
    w.expect(false, "expected 'norm' MAX, L1 or L2, got " + Twine(norm));
  if (w.hasFailed())
    return {};
  Value isZero = w.make("Equal", {size, w.number(0, w.f32())});
  return {w.make("Div", {x, w.make("Where", {isZero, w.number(1, w.f32()), size})})};
}

WrittenResults scale(NodeWriter &w) {
  SmallVector<float> offset = w.takeFloats("offset"), factor = w.takeFloats("scale");
  w.expect(!offset.empty() && offset.size() == factor.size(), "expected as many scales as offsets, and one at least");
  if (w.hasFailed())
    return {};
  Value moved = w.make("Sub", {w.cast(w.operand(0), w.f32()), w.floats(offset)});
  return {w.make("Mul", {moved, w.floats(factor)})};
}

constexpr WrittenOperator kMlOperators[] = {
    {"ArrayFeatureExtractor", 2, extractFeatures},
    {"Binarizer", 1, binarize},
    {"CastMap", 1, importCastMap, /*takesMaps=*/true},
    {"CategoryMapper", 1, importCategoryMapper},
    {"DictVectorizer", 1, importDictVectorizer, /*takesMaps=*/true},
    {"FeatureVectorizer", kAnyNumber, joinFeatures},
    {"Imputer", 1, impute},
    {"LabelEncoder", 1, importLabelEncoder},
    {"LinearClassifier", 1, classifyLinearly},
    {"LinearRegressor", 1, regressLinearly},
    {"Normalizer", 1, normalize},
    {"OneHotEncoder", 1, importOneHotEncoder},
    {"SVMClassifier", 1, importSupportClassifier},
    {"SVMRegressor", 1, importSupportRegressor},
    {"Scaler", 1, scale},
    {"TreeEnsemble", 1, importTreeEnsemble},
    {"TreeEnsembleClassifier", 1, importTreeClassifier},
    {"TreeEnsembleRegressor", 1, importTreeRegressor},
    {"ZipMap", 1, importZipMap},
};

} // namespace

ArrayRef<WrittenOperator> cameo::getMlOperators() { return kMlOperators; }

Value cameo::transformScores(NodeWriter &w, Value scores, StringRef transform) {
  auto number = [&](double value) { return w.number(value, w.elementOf(scores)); };
  if (w.hasFailed() || transform == "NONE")
    return scores;
  if (transform == "SOFTMAX")
    return w.make("Softmax", scores, w.attr("axis", -1));
  if (transform == "LOGISTIC")
    return w.make("Sigmoid", scores);
  if (transform == "SOFTMAX_ZERO") {
    // Scores of 0 are excluded from the Softmax and stay 0.
    Value isZero = w.make("Equal", {scores, number(0)});
    Value shifted = w.make("Sub", {scores, w.make("ReduceMax", {scores, w.ints(-1)})});
    Value exponentials = w.make("Where", {isZero, number(0), w.make("Exp", shifted)});
    Value sum = w.make("ReduceSum", {exponentials, w.ints(-1)});
    return w.make("Div", {exponentials, w.make("Max", {sum, number(std::numeric_limits<float>::min())})});
  }
  w.expect(transform == "PROBIT",
           "expected 'post_transform' NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT, got " + transform);
  if (w.hasFailed())
    return {};
  // sqrt(2) * erfinv(2x - 1), after S. Winitzki, A handy approximation for the error function and its inverse (2008).
  constexpr double a = 0.147;
  Value x = w.make("Sub", {w.make("Mul", {scores, number(2)}), number(1)});
  Value logarithm = w.make("Log", w.make("Sub", {number(1), w.make("Mul", {x, x})}));
  Value sum = w.make("Add", {w.make("Mul", {logarithm, number(0.5)}), number(2 / (M_PI * a))});
  Value inner = w.make("Sub", {w.make("Mul", {sum, sum}), w.make("Div", {logarithm, number(a)})});
  Value root = w.make("Sqrt", w.make("Sub", {w.make("Sqrt", inner), sum}));
  return w.make("Mul", {w.make("Mul", {w.make("Sign", x), root}), number(M_SQRT2)});
}
