// Strided parts. Bounds known at compile time give a slice or, for negative steps, a map; others are read and limited
// in the body.
#include "passes/Lower/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// First element and step per dimension; the number of elements is the result's.
struct Start {
  Ints offsets, steps;
};

Start startOf(Shape from, ArrayRef<int64_t> starts, ArrayRef<int64_t> axes, ArrayRef<int64_t> steps) {
  Start start{Ints(from.size(), 0), Ints(from.size(), 1)};
  for (auto [number, unsafeAxis] : llvm::enumerate(axes)) {
    int64_t axis = normalizeAxis(unsafeAxis, from.size()), extent = from[axis], step = steps[number];
    // Counting from the end cannot overflow: only negative numbers do.
    int64_t first = starts[number] < 0 ? starts[number] + extent : starts[number];
    start.offsets[axis] = std::clamp<int64_t>(first, 0, step > 0 ? extent : std::max<int64_t>(extent - 1, 0));
    start.steps[axis] = step;
  }
  return start;
}

Value sliceAt(GenericBuilder &b, Value data, Shape shape, Start start) {
  // A step past the end of a dimension of one element is never taken.
  for (auto [extent, step] : llvm::zip_equal(shape, start.steps))
    if (extent <= 1)
      step = 1;
  // Forward steps are a slice; backward ones are read through a map after that.
  Ints offsets = start.offsets, sizes(shape), steps = start.steps;
  Exprs index;
  for (unsigned i = 0; i < shape.size(); ++i) {
    bool isBackward = start.steps[i] < 0;
    index.push_back(isBackward ? b.dim(i) * start.steps[i] + start.offsets[i] : b.dim(i));
    if (!isBackward)
      continue;
    offsets[i] = 0;
    sizes[i] = shapeOf(data)[i];
    steps[i] = 1;
  }
  data = b.slice(data, offsets, sizes, steps);
  if (steps == start.steps)
    return data;
  return b.map(shape, elementOf(data), {{data, index}}, [](ScalarBuilder &, ValueRange x) { return x[0]; });
}

/// The element of `vector` whose axis is `axis`, as an index; `otherwise` where none is. `axes` are indices, wrapped.
Value pick(ScalarBuilder &s, ValueRange vector, ArrayRef<Value> axes, int64_t axis, Value otherwise) {
  Value result = otherwise;
  for (auto [candidate, element] : llvm::zip_equal(axes, vector))
    result = s.select(s.compare(Order::Equal, candidate, s.indexConstant(axis)), s.toIndex(element), result);
  return result;
}

/// Bounds known only at run time. `axes` and `steps` may be null.
Value sliceDynamically(GenericBuilder &b, Value data, Shape shape, Value starts, Value axes, Value steps) {
  int64_t count = sizeOf(shapeOf(starts)), rank = shape.size();
  SmallVector<Access> inputs;
  for (Value vector : {starts, axes, steps})
    for (int64_t number = 0; vector && number < count; ++number)
      inputs.push_back({vector, {b.fixed(number)}});
  return b.map(shape, elementOf(data), inputs, [&](ScalarBuilder &s, ValueRange x) {
    ValueRange rest = x.drop_front(count);
    SmallVector<Value> axisOf, indices;
    for (int64_t number = 0; number < count; ++number)
      axisOf.push_back(axes ? s.wrapIndex(s.toIndex(rest[number]), rank) : s.indexConstant(number));
    if (axes)
      rest = rest.drop_front(count);
    Value zero = s.indexConstant(0), unit = s.indexConstant(1);
    for (int64_t axis = 0; axis < rank; ++axis) {
      int64_t extent = shapeOf(data)[axis];
      Value step = steps ? pick(s, rest, axisOf, axis, unit) : unit;
      Value start = pick(s, x.take_front(count), axisOf, axis, zero);
      start = s.select(s.compare(Order::Less, start, zero), s.add(start, s.indexConstant(extent)), start);
      // A start behind the end is the last element when the steps go back.
      Value last = s.indexConstant(std::max<int64_t>(extent - 1, 0));
      Value limit = s.select(s.compare(Order::Greater, step, zero), s.indexConstant(extent), last);
      start = s.max(s.min(start, limit), zero);
      indices.push_back(s.clampIndex(s.add(start, s.mul(s.position(axis), step)), extent));
    }
    return s.extract(data, indices);
  });
}

Lowered lowerSlice(onnx::SliceOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0)
    return one(b.empty(shape, resultElement(op)));
  int64_t count = sizeOf(shapeOf(operands[1]));
  std::optional<Ints> starts = knownInts(op.getStarts()), axes = allAxes(count), steps = Ints(count, 1);
  if (!onnx::isAbsent(op.getAxes()))
    axes = knownInts(op.getAxes());
  if (!onnx::isAbsent(op.getSteps()))
    steps = knownInts(op.getSteps());
  if (starts && axes && steps)
    return one(sliceAt(b, data, shape, startOf(shapeOf(data), *starts, *axes, *steps)));
  Value axesOperand = operands.size() > 3 ? operands[3] : Value(), stepsOperand = operands.size() > 4 ? operands[4] : Value();
  return one(sliceDynamically(b, data, shape, operands[1], axesOperand, stepsOperand));
}

} // namespace

void addSlices(LoweringTable &table) { table.add(lowerSlice); }

} // namespace cameo::lower
