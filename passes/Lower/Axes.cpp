#include "passes/Lower/Axes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace cameo::lower {

std::optional<Ints> knownInts(Value onnxOperand) {
  if (onnx::isAbsent(onnxOperand))
    return Ints();
  // An empty tensor has no value worth asking for.
  if (sizeOf(shapeOf(onnxOperand)) == 0)
    return Ints();
  std::optional<SmallVector<int64_t>> values = onnx::getKnownInts(onnxOperand);
  return values ? std::optional(Ints(*values)) : std::nullopt;
}

Ints allAxes(int64_t rank) { return axesFrom(0, rank); }

Ints axesFrom(int64_t first, int64_t rank) { return llvm::to_vector<6>(llvm::seq<int64_t>(first, std::max(first, rank))); }

Ints spatialAxes(Value activation, bool channelsLast) {
  int64_t rank = rankOf(activation);
  return channelsLast ? axesFrom(1, rank - 1) : axesFrom(2, rank);
}

Value alongReadAxis(GenericBuilder &b, Value axis, int64_t rank, ArrayRef<int64_t> candidates,
                    llvm::function_ref<Value(int64_t)> along) {
  Value result = along(candidates.front());
  for (int64_t candidate : candidates.drop_front()) {
    SmallVector<Access> inputs = {b.single(axis), b.whole(along(candidate)), b.whole(result)};
    result = b.map(shapeOf(result), elementOf(result), inputs, [&](ScalarBuilder &s, ValueRange x) {
      Value isCandidate = s.compare(Order::Equal, s.wrapIndex(s.toIndex(x[0]), rank), s.indexConstant(candidate));
      return s.select(isCandidate, x[1], x[2]);
    });
  }
  return result;
}

/// Collects every way to drop dimensions of `from` so that `to` is left. A name may stand for a number; two names are two sizes.
static void matchDropped(ShapeRef from, ShapeRef to, unsigned at, unsigned next, Ints dropped, SmallVectorImpl<Ints> &found) {
  if (found.size() > 1)
    return;
  if (at == from.size()) {
    if (next == to.size())
      found.push_back(dropped);
    return;
  }
  if (next < to.size() && (from[at] == to[next] || from[at].isStatic() != to[next].isStatic()))
    matchDropped(from, to, at + 1, next + 1, dropped, found);
  dropped.push_back(at);
  matchDropped(from, to, at + 1, next, dropped, found);
}

std::optional<Ints> inferReducedAxes(ShapeRef from, ShapeRef to, bool keepDims) {
  if (!keepDims) {
    SmallVector<Ints> found;
    matchDropped(from, to, 0, 0, {}, found);
    return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
  }
  if (from.size() != to.size())
    return std::nullopt;
  // An axis of size 1 may count as reduced or not: the elements are the same either way for all but composite reductions of
  // nothing, and those are applied to every element anyway.
  Ints axes;
  for (unsigned axis = 0; axis < from.size(); ++axis) {
    if (from[axis] == to[axis])
      continue;
    if (to[axis] == 1)
      axes.push_back(axis);
    else if (!to[axis].isStatic())
      return std::nullopt; // it may be 1
  }
  return axes;
}

} // namespace cameo::lower
