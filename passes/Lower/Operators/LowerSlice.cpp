// Strided slices. Bounds that are known at compile time give a slice or, for negative steps, a map; dynamic ones are
// read and clamped in the body.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// First element and step per dimension. The number of elements is that of the result.
struct Start {
  SmallVector<OpFoldResult> offsets;
  Ints steps;
};

/// Returns the first element in a dimension of this extent. Adding the extent cannot overflow, because only negative
/// numbers get it.
OpFoldResult firstElement(GenericBuilder &b, const Dim &extent, int64_t start, bool isForward) {
  if (extent.isStatic()) {
    int64_t size = extent.getSize(), first = start < 0 ? start + size : start;
    return b.getIndexAttr(std::clamp<int64_t>(first, 0, isForward ? size : std::max<int64_t>(size - 1, 0)));
  }
  // A start beyond the end leaves no elements, so nothing is read there.
  if (start >= 0 && isForward)
    return b.getIndexAttr(start);
  ScalarBuilder s(b, b.getLoc());
  // An expression of dynamic sizes, in which addresses are linear.
  if (isForward)
    return s.size(extent - minDims(extent, -std::max(start, -std::numeric_limits<int64_t>::max())));
  return s.clampIndex(start < 0 ? s.add(s.size(extent), s.indexConstant(start)) : s.indexConstant(start), extent);
}

Start startOf(GenericBuilder &b, ShapeRef from, IntsRef starts, IntsRef axes, IntsRef steps) {
  Start start{SmallVector<OpFoldResult>(from.size(), b.getIndexAttr(0)), Ints(from.size(), 1)};
  for (auto [number, unsafeAxis] : llvm::enumerate(axes)) {
    int64_t axis = normalizeAxis(unsafeAxis, from.size());
    start.offsets[axis] = firstElement(b, from[axis], starts[number], steps[number] > 0);
    start.steps[axis] = steps[number];
  }
  return start;
}

/// Reads backward steps through a map, from starts that are known at compile time.
Value mapBackwards(GenericBuilder &b, Value data, ShapeRef shape, const Start &start) {
  Exprs index;
  for (auto [i, step] : llvm::enumerate(start.steps))
    index.push_back(step < 0 ? b.dim(i) * step + *getConstantIntValue(start.offsets[i]) : b.dim(i));
  return b.map(shape, elementOf(data), {{data, index}}, [](ScalarBuilder &, ValueRange x) { return x[0]; });
}

/// Reads backward steps from starts that are computed.
Value readBackwards(GenericBuilder &b, Value data, ShapeRef shape, const Start &start) {
  return b.map(shape, elementOf(data), {}, [&](ScalarBuilder &s, ValueRange) {
    SmallVector<Value> at;
    for (auto [i, step] : llvm::enumerate(start.steps)) {
      at.push_back(s.position(i));
      if (step < 0)
        at[i] = s.add(getValueOrCreateConstantIndexOp(s.builder, s.loc, start.offsets[i]),
                      s.mul(at[i], s.indexConstant(step)));
    }
    return s.extract(data, at);
  });
}

Value sliceAt(GenericBuilder &b, Value data, ShapeRef shape, Start start) {
  // A step beyond the end of a dimension of one element is never taken.
  for (auto [extent, step] : llvm::zip_equal(shape, start.steps))
    if (extent == 0 || extent == 1)
      step = 1;
  // Forward steps are a slice; backward ones are read from its result.
  SmallVector<OpFoldResult> offsets = start.offsets;
  Shape sizes(shape), extents = shapeOf(data);
  Ints steps = start.steps;
  bool isBackward = false, isKnown = true;
  for (unsigned i = 0; i < shape.size(); ++i) {
    if (start.steps[i] >= 0)
      continue;
    isBackward = true;
    isKnown &= getConstantIntValue(offsets[i]).has_value();
    offsets[i] = b.getIndexAttr(0);
    sizes[i] = extents[i];
    steps[i] = 1;
  }
  bool isWhole = sizes == extents && llvm::all_of(steps, [](int64_t step) { return step == 1; });
  if (!isWhole)
    data = b.sliceAt(data, offsets, sizes, steps);
  if (!isBackward)
    return data;
  return isKnown ? mapBackwards(b, data, shape, start) : readBackwards(b, data, shape, start);
}

/// Returns the element of `vector` whose axis is `axis`, as an index; `otherwise` if there is none. `axes` are
/// normalized indices.
Value pick(ScalarBuilder &s, ValueRange vector, ArrayRef<Value> axes, int64_t axis, Value otherwise) {
  Value result = otherwise;
  for (auto [candidate, element] : llvm::zip_equal(axes, vector))
    result = s.select(s.compare(Order::Equal, candidate, s.indexConstant(axis)), s.toIndex(element), result);
  return result;
}

/// The bounds of a Slice, read in the body of a linalg.generic.
struct RunBounds {
  /// Per slice: `axes` are normalized, and -1 for slices that a run does not have. `steps` is empty if all are 1.
  SmallVector<Value> starts, axes, steps;
};

RunBounds readBounds(ScalarBuilder &s, Value starts, Value axes, Value steps, int64_t rank) {
  Dim length = sizeOf(shapeOf(starts));
  // A dynamic number of slices is at most one per axis.
  int64_t count = length.isStatic() ? length.getSize() : rank;
  RunBounds bounds;
  for (int64_t number = 0; number < count; ++number) {
    Value at = s.indexConstant(number), position = length.isStatic() ? at : s.clampIndex(at, length);
    bounds.starts.push_back(s.extract(starts, {position}));
    if (steps)
      bounds.steps.push_back(s.extract(steps, {position}));
    Value axis = axes ? s.wrapIndex(s.toIndex(s.extract(axes, {position})), rank) : at;
    bounds.axes.push_back(
        length.isStatic() ? axis : s.select(s.compare(Order::Less, at, s.size(length)), axis, s.indexConstant(-1)));
  }
  return bounds;
}

/// Slices with dynamic bounds. `axes` and `steps` may be null.
Value sliceDynamically(GenericBuilder &b, Value data, ShapeRef shape, Value starts, Value axes, Value steps) {
  int64_t rank = shape.size();
  return b.map(shape, elementOf(data), {}, [&](ScalarBuilder &s, ValueRange) {
    RunBounds bounds = readBounds(s, starts, axes, steps, rank);
    SmallVector<Value> indices;
    Value zero = s.indexConstant(0), unit = s.indexConstant(1);
    for (int64_t axis = 0; axis < rank; ++axis) {
      Dim extent = shapeOf(data)[axis];
      Value step = steps ? pick(s, bounds.steps, bounds.axes, axis, unit) : unit;
      Value start = pick(s, bounds.starts, bounds.axes, axis, zero);
      start = s.select(s.compare(Order::Less, start, zero), s.add(start, s.size(extent)), start);
      // With backward steps, a start beyond the end is the last element.
      Value last = extent == 0 ? zero : s.size(extent - 1);
      Value limit = s.select(s.compare(Order::Greater, step, zero), s.size(extent), last);
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
  std::optional<Ints> starts = knownInts(op.getStarts()), axes = knownInts(op.getAxes()),
                      steps = knownInts(op.getSteps());
  if (starts && onnx::isAbsent(op.getAxes()))
    axes = allAxes(starts->size());
  if (starts && onnx::isAbsent(op.getSteps()))
    steps = Ints(starts->size(), 1);
  if (starts && axes && steps)
    return one(sliceAt(b, data, shape, startOf(b, shapeOf(data), *starts, *axes, *steps)));
  Value axesOperand = operands.size() > 3 ? operands[3] : Value(),
        stepsOperand = operands.size() > 4 ? operands[4] : Value();
  return one(sliceDynamically(b, data, shape, operands[1], axesOperand, stepsOperand));
}

} // namespace

void addSlices(LoweringTable &table) { table.add(lowerSlice); }

} // namespace cameo::lower
