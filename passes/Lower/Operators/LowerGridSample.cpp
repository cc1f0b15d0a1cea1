// GridSample: the coordinates are data, so the body computes taps and weights, once per output element.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Samples along one spatial dimension.
class Sampler {
public:
  Sampler(ScalarBuilder &s, onnx::GridSampleOp op, Type type, Dim extent)
      : s(s), type(type), extent(extent), padding(op.getPaddingMode()), mode(op.getMode()),
        alignsCorners(op.getAlignCorners() != 0) {}

  struct Tap {
    Value index, weight;
    /// Null if the tap is always in bounds.
    Value isInside;
  };

  SmallVector<Tap> sample(Value coordinate);

private:
  Value number(double value) { return s.number(type, value); }
  /// Returns extent * factor + offset.
  Value length(double factor, double offset) {
    if (extent.isStatic())
      return number(static_cast<double>(extent.getSize()) * factor + offset);
    return s.add(s.mul(s.size(extent, type), number(factor)), number(offset));
  }
  Value denormalize(Value coordinate);
  Value reflect(Value x);
  Value bringInside(Value x);
  Value bringCloser(Value x);
  Tap makeTap(Value position, Value weight);
  Value cubicWeight(Value distance);

  ScalarBuilder &s;
  Type type;
  Dim extent;
  StringRef padding, mode;
  bool alignsCorners;
};

/// Maps a coordinate in [-1, 1] to elements.
Value Sampler::denormalize(Value x) {
  Value fromOne = s.add(x, number(1));
  if (alignsCorners)
    return s.mul(fromOne, length(0.5, -0.5));
  return s.mul(s.sub(s.mul(fromOne, length(1, 0)), number(1)), number(0.5));
}

/// Reflects the coordinate at both borders until it is between them.
Value Sampler::reflect(Value x) {
  double low = alignsCorners ? 0 : -0.5;
  if (alignsCorners && extent == 1)
    return number(low);
  auto range = [&] { return length(1, alignsCorners ? -1 : 0); };
  Value distance = s.abs(s.sub(x, number(low)));
  Value folds = s.apply<math::FloorOp>(s.div(distance, range()));
  Value rest = s.sub(distance, s.mul(folds, range()));
  Value half = s.mul(folds, number(0.5));
  Value isEven = s.compare(Order::Equal, s.apply<math::FloorOp>(half), half);
  Value mirrored = s.select(isEven, s.add(number(low), rest), s.sub(length(1, alignsCorners ? -1 : -0.5), rest));
  if (!alignsCorners || extent.isStatic())
    return mirrored;
  // With aligned corners, a single element has no range to reflect in.
  return s.select(s.compare(Order::Equal, range(), number(0)), number(low), mirrored);
}

Value Sampler::bringInside(Value x) {
  if (padding == "border")
    return s.min(s.max(x, number(0)), length(1, -1));
  return padding == "reflection" ? reflect(x) : x;
}

/// Brings the coordinate of taps on both sides into the input. Unless corners are aligned, the border is half an
/// element outside of the outermost elements, and coordinates within it stay unchanged, because a cubic curve continues
/// there, as in ONNX's reference implementation.
Value Sampler::bringCloser(Value x) {
  Value inside = bringInside(x);
  if (padding != "border" || alignsCorners)
    return inside;
  Value isBeyond = s.logicalOr(s.compare(Order::Less, x, number(-0.5)), s.compare(Order::Greater, x, length(1, -0.5)));
  return s.select(isBeyond, inside, x);
}

Sampler::Tap Sampler::makeTap(Value position, Value weight) {
  Value inside;
  if (padding == "zeros")
    inside = s.logicalAnd(s.compare(Order::GreaterOrEqual, position, number(0)),
                          s.compare(Order::LessOrEqual, position, length(1, -1)));
  Value integer = s.convert(bringInside(position), s.builder.getI64Type());
  return {s.clampIndex(s.toIndex(integer), extent), weight, inside};
}

Value Sampler::cubicWeight(Value distance) {
  constexpr double a = -0.75;
  Value x = s.abs(distance);
  Value nearPart = s.sub(s.mul(number(a + 2), x), number(a + 3));
  nearPart = s.add(s.mul(s.mul(nearPart, x), x), number(1));
  Value farPart = s.add(s.mul(s.sub(s.mul(number(a), x), number(5 * a)), x), number(8 * a));
  farPart = s.sub(s.mul(farPart, x), number(4 * a));
  Value beyond = s.compare(Order::Less, x, number(2));
  return s.select(s.compare(Order::LessOrEqual, x, number(1)), nearPart, s.select(beyond, farPart, number(0)));
}

SmallVector<Sampler::Tap> Sampler::sample(Value coordinate) {
  Value x = denormalize(coordinate);
  if (mode == "nearest")
    return {makeTap(bringInside(s.apply<math::RoundEvenOp>(x)), number(1))};
  x = mode == "linear" ? bringInside(x) : bringCloser(x);
  Value floor = s.apply<math::FloorOp>(x), fraction = s.sub(x, floor);
  if (mode == "linear")
    return {makeTap(floor, s.sub(number(1), fraction)), makeTap(s.add(floor, number(1)), fraction)};
  SmallVector<Tap> taps;
  for (int offset = -1; offset <= 2; ++offset)
    taps.push_back(makeTap(s.add(floor, number(offset)), cubicWeight(s.sub(fraction, number(offset)))));
  return taps;
}

/// Returns the sum over the taps of the dimensions from `dim` on. `first` is the first spatial dimension.
Value sumTaps(ScalarBuilder &s, Value data, ArrayRef<SmallVector<Sampler::Tap>> taps, SmallVector<Value> &at,
              unsigned first, unsigned dim) {
  if (dim == taps.size())
    return s.convert(s.widen(s.extract(data, at)), taps[0][0].weight.getType());
  Value sum;
  for (const Sampler::Tap &tap : taps[dim]) {
    at[first + dim] = tap.index;
    Value value = sumTaps(s, data, taps, at, first, dim + 1);
    if (tap.isInside)
      value = s.select(tap.isInside, value, s.number(value.getType(), 0));
    if (taps[dim].size() > 1)
      value = s.mul(value, tap.weight);
    sum = sum ? s.add(sum, value) : value;
  }
  return sum;
}

Lowered lowerGridSample(onnx::GridSampleOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op), from = shapeOf(data);
  if (sizeOf(shape) == 0 || sizeOf(from) == 0)
    return one(b.empty(shape, resultElement(op)));
  unsigned spatial = shape.size() - 2, first = op.getChannelsLast() ? 1 : 2,
           channel = op.getChannelsLast() ? 1 + spatial : 1;
  Type type = computeType(elementOf(operands[1]));
  SmallVector<Access> inputs;
  // The grid has the coordinate of the last dimension first.
  for (unsigned dim = 0; dim < spatial; ++dim) {
    Exprs index = {b.dim(0)};
    index.append(b.dims(spatial, first));
    index.push_back(b.fixed(spatial - 1 - dim));
    inputs.push_back({operands[1], index});
  }
  return one(b.compute(shape, resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<SmallVector<Sampler::Tap>> taps;
    for (unsigned dim = 0; dim < spatial; ++dim)
      taps.push_back(Sampler(s, op, type, from[first + dim]).sample(x[dim]));
    SmallVector<Value> at(shape.size());
    at[0] = s.position(0);
    at[channel] = s.position(channel);
    Type wide = computeType(resultElement(op));
    return s.convert(sumTaps(s, data, taps, at, first, 0), wide);
  }));
}

} // namespace

void addGridSamples(LoweringTable &table) { table.add(lowerGridSample); }

} // namespace cameo::lower
