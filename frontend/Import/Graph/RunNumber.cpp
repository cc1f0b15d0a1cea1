#include "frontend/Import/Graph/RunNumber.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace cameo;
using cameo::onnx::DimList;

Dim cameo::getKnownElement(RunElement element) {
  std::optional<cameo::onnx::KnownTensor> known = cameo::onnx::getKnownValue(element.tensor);
  if (!known || element.index < 0 || element.index >= static_cast<int64_t>(known->elements.size()))
    return Dim::unknown();
  const cameo::onnx::Number &number = known->elements[element.index];
  bool isWhole = number.real && std::abs(*number.real) < 0x1p53 && *number.real == std::trunc(*number.real);
  return isWhole ? Dim(static_cast<int64_t>(*number.real)) : known->isReal() ? Dim::unknown() : number.integer;
}

namespace {

/// Limit of the operations that are followed for one number. Exporters compute sizes with few operations.
constexpr int kMaxSteps = 256;

int64_t countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : -1;
}

/// Returns the element of `operand` that broadcasts to `element`; nothing unless the operand has one element, or as
/// many as the result.
std::optional<RunElement> getOperandElement(Value operand, RunElement element) {
  int64_t count = countElements(operand);
  if (count == 1)
    return RunElement{operand, 0};
  return count > 0 && count == countElements(element.tensor) ? std::optional(RunElement{operand, element.index})
                                                             : std::nullopt;
}

/// Returns the operand element that an operation copies to `element`; nothing if it computes the element otherwise.
std::optional<RunElement> getSource(RunElement element) {
  Operation *op = element.tensor.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (isa<cameo::onnx::ReshapeOp, cameo::onnx::SqueezeOp, cameo::onnx::UnsqueezeOp, cameo::onnx::IdentityOp>(op))
    return RunElement{op->getOperand(0), element.index};
  if (auto cast = dyn_cast<cameo::onnx::CastOp>(op)) {
    auto from = dyn_cast<IntegerType>(getElementTypeOrSelf(op->getOperand(0).getType()));
    auto to = dyn_cast<IntegerType>(getElementTypeOrSelf(element.tensor.getType()));
    // A cast to float rounds to the nearest float, which is close enough for an upper bound.
    if (from && from.getWidth() > 1 && isa<Float32Type, Float64Type>(getElementTypeOrSelf(element.tensor.getType())))
      return RunElement{op->getOperand(0), element.index};
    bool isKept =
        from && to && from.isSigned() == to.isSigned() && from.getWidth() <= to.getWidth() && from.getWidth() > 1;
    return isKept ? std::optional(RunElement{op->getOperand(0), element.index}) : std::nullopt;
  }
  if (auto concat = dyn_cast<cameo::onnx::ConcatOp>(op)) {
    for (Value part : concat->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(part.getType());
      if (!type || type.getRank() != 1 || !type.hasStaticShape())
        return std::nullopt;
      if (element.index < type.getDimSize(0))
        return RunElement{part, element.index};
      element.index -= type.getDimSize(0);
    }
  }
  if (auto gather = dyn_cast<cameo::onnx::GatherOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(gather.getData().getType());
    std::optional<SmallVector<int64_t>> indices = cameo::onnx::getKnownInts(gather.getIndices());
    if (!type || type.getRank() != 1 || type.isDynamicDim(0) || !indices ||
        element.index >= static_cast<int64_t>(indices->size()))
      return std::nullopt;
    int64_t index = (*indices)[element.index];
    index += index < 0 ? type.getDimSize(0) : 0;
    return index >= 0 && index < type.getDimSize(0) ? std::optional(RunElement{gather.getData(), index}) : std::nullopt;
  }
  return std::nullopt;
}

} // namespace

RunNumber RunNumber::plus(const RunNumber &other, int64_t factor) const {
  RunNumber sum = *this;
  sum.known = sum.known + other.known * Dim(factor);
  for (auto [element, coefficient] : other.others) {
    auto *same = llvm::find_if(sum.others, [&, e = element](const auto &term) { return term.first == e; });
    if (same == sum.others.end())
      sum.others.push_back({element, coefficient * factor});
    else if ((same->second += coefficient * factor) == 0)
      sum.others.erase(same);
  }
  return sum;
}

RunNumber RunNumber::of(RunElement element) {
  int steps = kMaxSteps;
  return find(element, steps);
}

RunNumber RunNumber::find(RunElement element, int &steps) {
  RunNumber number;
  if (Dim dim = getKnownElement(element); !dim.isUnknown()) {
    number.known = dim;
    return number;
  }
  Operation *op = --steps > 0 ? element.tensor.getDefiningOp() : nullptr;
  if (std::optional<RunElement> source = op ? getSource(element) : std::nullopt)
    return find(*source, steps);
  if (isa_and_nonnull<cameo::onnx::AddOp, cameo::onnx::SubOp>(op)) {
    std::optional<RunElement> left = getOperandElement(op->getOperand(0), element),
                              right = getOperandElement(op->getOperand(1), element);
    if (left && right)
      return find(*left, steps).plus(find(*right, steps), isa<cameo::onnx::AddOp>(op) ? 1 : -1);
  }
  number.others.push_back({element, 1});
  return number;
}

/// Returns the upper bound of an element that follows from its operation; unknown if there is none.
Dim RunNumber::findGreatest(RunElement element, int &steps) {
  Operation *op = element.tensor.getDefiningOp();
  if (!op || --steps <= 0)
    return Dim::unknown();
  auto greatestOf = [&](Value operand) {
    std::optional<RunElement> from = getOperandElement(operand, element);
    return from ? find(*from, steps).getGreatest(steps) : Dim::unknown();
  };
  if (isa<cameo::onnx::MinOp, cameo::onnx::MaxOp>(op)) {
    // A minimum is bounded by any operand with a bound. A maximum needs bounds of all operands.
    bool isMin = isa<cameo::onnx::MinOp>(op);
    Dim bound;
    for (Value operand : op->getOperands()) {
      Dim greatest = greatestOf(operand);
      if (greatest.isUnknown() && !isMin)
        return greatest;
      if (!greatest.isUnknown())
        bound = bound.isUnknown() ? greatest
                : isMin           ? cameo::minDims(bound, greatest)
                                  : cameo::maxDims(bound, greatest);
    }
    return bound;
  }
  if (auto clip = dyn_cast<cameo::onnx::ClipOp>(op); clip && !cameo::onnx::isAbsent(clip.getMax()))
    return greatestOf(clip.getMax());
  // An index is less than the size of its axis.
  auto below = [](Value data, int64_t axis) {
    std::optional<DimList> dims = cameo::onnx::getDims(data);
    return dims ? (*dims)[axis < 0 ? axis + static_cast<int64_t>(dims->size()) : axis] - Dim(1) : Dim::unknown();
  };
  if (auto most = dyn_cast<cameo::onnx::ArgMaxOp>(op))
    return below(most.getData(), most.getAxis());
  if (auto least = dyn_cast<cameo::onnx::ArgMinOp>(op))
    return below(least.getData(), least.getAxis());
  return Dim::unknown();
}

Dim RunNumber::getGreatest(int &steps) const {
  Dim sum = known;
  for (auto [element, coefficient] : others)
    if (coefficient > 0)
      sum = sum + findGreatest(element, steps) * Dim(coefficient);
  return sum;
}

Dim RunNumber::getGreatest() const {
  int steps = kMaxSteps;
  return getGreatest(steps);
}
