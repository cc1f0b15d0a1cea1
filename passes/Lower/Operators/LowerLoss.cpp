// Losses over classes: selects the score of the target's class, weights it, and sums.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/Formulas/Softmax.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

struct LossOptions {
  std::optional<int64_t> ignoredClass;
  StringRef reduction;
};

/// Returns, per target, the weight of its class, 0 for the ignored class.
Value weighTargets(GenericBuilder &b, Value target, Value weights, const Dim &classes, const LossOptions &options,
                   Type type) {
  return b.map(shapeOf(target), type, {b.whole(target)}, [&](ScalarBuilder &s, ValueRange x) {
    Value weight = s.number(type, 1);
    if (weights)
      weight = s.convert(s.extract(weights, {s.wrapIndex(s.toIndex(x[0]), classes)}), type);
    if (!options.ignoredClass)
      return weight;
    Value isIgnored = s.compare(Order::Equal, x[0], s.integer(x[0].getType(), *options.ignoredClass));
    return s.select(isIgnored, s.number(type, 0), weight);
  });
}

/// Returns the loss of log-probabilities N x C x D... for targets N x D....
Value lossOf(GenericBuilder &b, Value logProbabilities, Value target, Value weights, const LossOptions &options,
             Type element) {
  Dim classes = shapeOf(logProbabilities)[1];
  int64_t rank = rankOf(target);
  Type type = computeType(elementOf(logProbabilities));
  Value factors = weighTargets(b, target, weights, classes, options, type);
  Type lossType = options.reduction == "none" ? element : type;
  Value losses =
      b.compute(shapeOf(target), lossType, {b.whole(target), b.whole(factors)}, [&](ScalarBuilder &s, ValueRange x) {
        SmallVector<Value> at = {s.position(0), s.wrapIndex(s.toIndex(x[0]), classes)};
        for (int64_t dim = 1; dim < rank; ++dim)
          at.push_back(s.position(dim));
        // An ignored target need not be a valid class; the score read for it, perhaps infinite, must not count.
        Value zero = s.number(type, 0), score = s.widen(s.extract(logProbabilities, at));
        return s.select(s.compare(Order::Equal, x[1], zero), zero, s.mul(s.negate(score), x[1]));
      });
  if (options.reduction == "none")
    return losses;
  auto add = [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); };
  Value sum = b.reduce(losses, allAxes(rank), /*keepDims=*/false, b.getZeroAttr(type), add);
  if (options.reduction == "sum")
    return b.convert(sum, element);
  Value total = b.reduce(factors, allAxes(rank), /*keepDims=*/false, b.getZeroAttr(type), add);
  return b.elementwise({}, element, {sum, total}, [](ScalarBuilder &s, ValueRange x) { return s.div(x[0], x[1]); });
}

Lowered lowerLikelihood(onnx::NegativeLogLikelihoodLossOp op, Operands operands, GenericBuilder &b) {
  LossOptions options{op.getIgnoreIndex(), op.getReduction()};
  return one(
      lossOf(b, operands[0], operands[1], operands.size() > 2 ? operands[2] : Value(), options, resultElement(op)));
}

Lowered lowerCrossEntropy(onnx::SoftmaxCrossEntropyLossOp op, Operands operands, GenericBuilder &b) {
  LossOptions options{op.getIgnoreIndex(), op.getReduction()};
  Type element = resultElement(op);
  Value logProbabilities = logSoftmax(b, operands[0], 1, computeType(element));
  Value loss = lossOf(b, logProbabilities, operands[1], operands.size() > 2 ? operands[2] : Value(), options, element);
  bool isAsked = !onnx::isAbsent(op.getLogProb());
  return Values{loss, isAsked ? b.convert(logProbabilities, element) : Value()};
}

} // namespace

void addLosses(LoweringTable &table) {
  table.add(lowerLikelihood);
  table.add(lowerCrossEntropy);
}

} // namespace cameo::lower
