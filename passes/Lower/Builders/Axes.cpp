#include "passes/Lower/Builders/Axes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/StatedShapes.h"

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

Ints axesFrom(int64_t first, int64_t rank) {
  return llvm::to_vector<6>(llvm::seq<int64_t>(first, std::max(first, rank)));
}

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

std::optional<Ints> inferReducedAxes(ShapeRef from, ShapeRef to, bool keepDims) {
  std::optional<SmallVector<int64_t>> axes = onnx::inferReducedAxes(from, to, keepDims);
  return axes ? std::optional(Ints(*axes)) : std::nullopt;
}

} // namespace cameo::lower
