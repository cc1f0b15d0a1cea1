// Resize: interpolates one dimension after the other, from tables of indices and weights. Nearest handles all
// dimensions at once; where every element is repeated it needs no table.
#include "passes/Lower/Formulas/ResizePlan.h"
#include "passes/Lower/LoweringTable.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Longer interpolations become a loop instead of straight-line code.
constexpr int64_t kMaxUnrolledTaps = 8;

/// Repeats every element along the changed dimensions: as (element, repetition) pairs, which are collapsed.
Value repeat(GenericBuilder &b, Value data, ShapeRef shape, const ResizePlan &plan) {
  Shape split;
  Ints repetitions(shape.size(), 1);
  for (const ResizedAxis &axis : plan.resized)
    repetitions[axis.position] = axis.table->repetition(shapeOf(data)[axis.position].getSize());
  Exprs index;
  for (auto [extent, repetition] : llvm::zip_equal(shapeOf(data), repetitions)) {
    index.push_back(b.dim(split.size()));
    split.push_back(extent);
    if (repetition != 1)
      split.push_back(repetition);
  }
  Value repeated = b.map(split, elementOf(data), {{data, index}}, [](ScalarBuilder &, ValueRange x) { return x[0]; });
  return b.reshape(repeated, shape);
}

Value takeNearest(GenericBuilder &b, Value data, ShapeRef shape, const ResizePlan &plan, TypedAttr extrapolation) {
  SmallVector<Access> inputs, outside;
  for (const ResizedAxis &axis : plan.resized) {
    InterpolationTaps taps = plan.tapsOf(axis, Type());
    inputs.push_back({taps.indices, {b.dim(axis.position), b.fixed(0)}});
    if (taps.outside)
      outside.push_back({taps.outside, {b.dim(axis.position)}});
  }
  inputs.append(outside);
  return b.map(shape, elementOf(data), inputs, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> at;
    for (unsigned i = 0; i < shape.size(); ++i)
      at.push_back(s.position(i));
    for (auto [number, axis] : llvm::enumerate(plan.resized))
      at[axis.position] = s.toIndex(x[number]);
    Value result = s.extract(data, at);
    for (Value isOutside : x.drop_front(plan.resized.size()))
      result = s.select(isOutside, s.constant(extrapolation), result);
    return result;
  });
}

/// Interpolates one dimension of `data`, whose elements have the compute type.
Value interpolate(GenericBuilder &b, Value data, int64_t axis, const Dim &size, const InterpolationTaps &taps,
                  double extrapolation) {
  Shape shape = shapeOf(data);
  shape[axis] = size;
  unsigned rank = shape.size();
  Type type = elementOf(data);
  auto read = [&](ScalarBuilder &s, Value index) {
    SmallVector<Value> at;
    for (unsigned i = 0; i < rank; ++i)
      at.push_back(s.position(i));
    at[axis] = s.toIndex(index);
    return s.extract(data, at);
  };
  Value sums;
  if (!taps.count.isStatic() || taps.count.getSize() > kMaxUnrolledTaps) {
    Exprs entry = {b.dim(axis), b.dim(rank)};
    Access start{b.filled(shape, b.getZeroAttr(type)), b.dims(rank)};
    sums = b.generic({rank, 1}, {{taps.indices, entry}, {taps.weights, entry}}, {start},
                     [&](ScalarBuilder &s, ValueRange x) { return Values{s.add(x[2], s.mul(read(s, x[0]), x[1]))}; })
               .front();
  } else {
    int64_t count = taps.count.getSize();
    SmallVector<Access> inputs;
    for (Value tensor : {taps.indices, taps.weights})
      for (int64_t tap = 0; tap < count; ++tap)
        inputs.push_back({tensor, {b.dim(axis), b.fixed(tap)}});
    sums = b.map(shape, type, inputs, [&](ScalarBuilder &s, ValueRange x) {
      Value sum;
      for (int64_t tap = 0; tap < count; ++tap) {
        Value term = s.mul(read(s, x[tap]), x[count + tap]);
        sum = sum ? s.add(sum, term) : term;
      }
      return sum;
    });
  }
  if (!taps.outside)
    return sums;
  return b.map(shape, type, {b.whole(sums), {taps.outside, {b.dim(axis)}}},
               [&](ScalarBuilder &s, ValueRange x) { return s.select(x[1], s.number(type, extrapolation), x[0]); });
}

/// Rounds to the next integer, and halves up.
Value roundToInteger(GenericBuilder &b, Value data) {
  return b.map(shapeOf(data), elementOf(data), {b.whole(data)}, [&](ScalarBuilder &s, ValueRange x) {
    return s.apply<math::FloorOp>(s.add(x[0], s.number(x[0].getType(), 0.5)));
  });
}

/// Interpolates integers, dimension by dimension, as float32. With antialiasing the result of each dimension is an
/// integer of their type, and the last dimension comes first (RATIONALE.md).
Value interpolateIntegers(onnx::ResizeOp op, GenericBuilder &b, Value data, const ResizePlan &plan) {
  Sign sign = signOf(op.getX());
  Type element = elementOf(data), type = b.getF32Type();
  Shape shape = resultShape(op);
  auto pass = [&](Value from, const ResizedAxis &axis) {
    return interpolate(b, from, axis.position, shape[axis.position], plan.tapsOf(axis, type),
                       op.getExtrapolationValue());
  };
  if (op.getAntialias()) {
    for (const ResizedAxis &axis : llvm::reverse(plan.resized))
      data = b.convert(roundToInteger(b, pass(b.convert(data, type, sign), axis)), element, Sign::Signed, sign);
    return data;
  }
  Value result = b.convert(data, type, sign);
  for (const ResizedAxis &axis : plan.resized)
    result = pass(result, axis);
  return b.convert(result, element, Sign::Signed, sign);
}

Lowered lowerResize(onnx::ResizeOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(data)) == 0)
    return one(b.empty(shape, resultElement(op)));
  ResizePlan plan(op, operands, b);
  if (failed(plan.make()))
    return failure();
  if (plan.resized.empty())
    return one(data);
  Type element = resultElement(op);
  if (op.getMode() == "nearest") {
    bool repeats = llvm::all_of(plan.resized, [&](const ResizedAxis &axis) {
      return axis.table && axis.table->repetition(shapeOf(data)[axis.position].getSize()) != 0;
    });
    return one(repeats ? repeat(b, data, shape, plan)
                       : takeNearest(b, data, shape, plan, numberAttr(element, op.getExtrapolationValue())));
  }
  if (!isa<FloatType>(element))
    return one(interpolateIntegers(op, b, data, plan));
  Type type = computeType(element);
  Value result = b.convert(data, type);
  for (const ResizedAxis &axis : plan.resized)
    result = interpolate(b, result, axis.position, shape[axis.position], plan.tapsOf(axis, type),
                         op.getExtrapolationValue());
  return one(b.convert(result, element));
}

} // namespace

void addResizes(LoweringTable &table) { table.add(lowerResize); }

} // namespace cameo::lower
