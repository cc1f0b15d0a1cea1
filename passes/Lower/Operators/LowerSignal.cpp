// Fourier transforms as products with a matrix of cosines and sines, windows and mel filters, for sizes that are
// dynamic:
// --decompose-ops and --fold-constants replace others. The task computes matrices and windows in f64.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <numbers>

using namespace mlir;

namespace cameo::lower {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

Value toDouble(ScalarBuilder &s, Value integer) { return s.convert(integer, s.builder.getF64Type()); }
Value positionOf(ScalarBuilder &s, unsigned loop) { return s.fromIndex(s.position(loop), s.builder.getI64Type()); }

/// A transform of `terms` elements of the input to `frequencies` elements of the output.
struct Transform {
  Dim terms, frequencies;
  /// The length as a tensor of one integer; null if it is `terms`.
  Value length;
  bool isInverse = false;
  /// Whether the input is one half of a symmetric spectrum, so that the result is real.
  bool isMirrored = false;
};

/// Returns the matrix element (n, in, k, out): the factor of part `in` of term n in part `out` of frequency k.
Value transformElement(ScalarBuilder &s, const Transform &t, Value length) {
  Type f64 = s.builder.getF64Type(), i64 = s.builder.getI64Type();
  Value term = positionOf(s, 0), frequency = positionOf(s, 2);
  // Only the remainder of the turns matters, and it is exact for signals of any length.
  Value remainder = s.rem(s.mul(term, frequency), length);
  Value angle = s.mul(s.div(toDouble(s, remainder), toDouble(s, length)), s.number(f64, kTurn));
  Value cosine = s.apply<math::CosOp>(angle), sine = s.apply<math::SinOp>(angle);
  Value fromImaginary = s.compare(Order::Equal, positionOf(s, 1), s.integer(i64, 1));
  Value toImaginary = s.compare(Order::Equal, positionOf(s, 3), s.integer(i64, 1));
  Value isSame = s.compare(Order::Equal, positionOf(s, 1), positionOf(s, 3));
  // exp(-i angle) = cos - i sin; the inverse has the opposite sign.
  Value crossed = s.select(t.isInverse ? toImaginary : fromImaginary, sine, s.negate(sine));
  Value element = s.select(isSame, cosine, crossed);
  if (t.isInverse)
    element = s.div(element, toDouble(s, length));
  if (t.isMirrored) {
    Value isOwnImage = s.compare(Order::Equal, s.rem(s.mul(term, s.integer(i64, 2)), length), s.integer(i64, 0));
    element = s.select(isOwnImage, element, s.add(element, element));
  }
  return s.select(s.compare(Order::Less, term, length), element, s.number(f64, 0));
}

/// Returns the matrix with dimensions (term, part in, frequency, part out).
Value transformMatrix(GenericBuilder &b, const Transform &t, Dim partsIn, Dim partsOut, Type type) {
  SmallVector<Access> inputs;
  if (t.length)
    inputs.push_back(b.single(t.length));
  return b.map({t.terms, partsIn, t.frequencies, partsOut}, type, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value length = t.length ? s.convert(x[0], b.getI64Type()) : s.size(t.terms, b.getI64Type());
    return s.convert(transformElement(s, t, length), type);
  });
}

/// Transforms dimension `axis` of `signal`, whose last dimension holds real and imaginary parts.
Value transform(GenericBuilder &b, Value signal, int64_t axis, const Transform &t, const Dim &partsOut) {
  Shape shape = shapeOf(signal);
  unsigned rank = shape.size();
  Type type = elementOf(signal);
  Value matrix = transformMatrix(b, t, shape.back(), partsOut, type);
  shape[axis] = t.frequencies;
  shape.back() = partsOut;
  // The loops are the dimensions of the result, then term and part of the input.
  Exprs read = b.dims(rank);
  read[axis] = b.dim(rank);
  read.back() = b.dim(rank + 1);
  Exprs weight = {b.dim(rank), b.dim(rank + 1), b.dim(axis), b.dim(rank - 1)};
  Access start{b.filled(shape, b.getZeroAttr(type)), b.dims(rank)};
  return b
      .generic({rank, 2}, {{signal, read}, {matrix, weight}}, {start},
               [&](ScalarBuilder &s, ValueRange x) { return Values{s.add(x[2], s.mul(x[0], x[1]))}; })
      .front();
}

Value transformAlong(onnx::DFTOp op, Operands operands, GenericBuilder &b, int64_t axis) {
  Value signal = operands[0];
  Shape shape = resultShape(op);
  Transform t{shapeOf(signal)[axis], shape[axis], {}, op.getInverse() != 0, op.getInverse() && op.getOnesided()};
  if (!onnx::isAbsent(op.getDftLength()))
    t.length = operands[1];
  else if (t.isMirrored)
    t.length = b.map({1}, b.getI64Type(), {},
                     [&](ScalarBuilder &s, ValueRange) { return s.size(t.frequencies, b.getI64Type()); });
  Type type = computeType(elementOf(signal));
  Value result = transform(b, b.convert(signal, type), axis, t, shape.back());
  return b.convert(result, resultElement(op));
}

/// Returns the axes along which a transform may map a signal to a result of these shapes: all other dimensions, except
/// the parts, stay. Returns none if it is open whether a static and a symbolic dimension are equal.
Ints possibleAxes(ShapeRef from, ShapeRef to) {
  Ints axes;
  for (auto [before, after] : llvm::zip_equal(from.drop_back(), to.drop_back()))
    if (before.isStatic() != after.isStatic())
      return axes;
  for (int64_t axis : allAxes(from.size() - 1)) {
    Shape changed = llvm::to_vector(from.drop_back());
    changed[axis] = to[axis];
    if (ShapeRef(changed) == to.drop_back())
      axes.push_back(axis);
  }
  return axes;
}

Lowered lowerDft(onnx::DFTOp op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  if (std::optional<int64_t> axis = op.getKnownAxis(rank))
    return one(transformAlong(op, operands, b, *axis));
  Ints axes = possibleAxes(shapeOf(operands[0]), resultShape(op));
  if (axes.empty())
    return unsupported(op, "an axis known only at run time");
  return one(
      alongReadAxis(b, operands[2], rank, axes, [&](int64_t axis) { return transformAlong(op, operands, b, axis); }));
}

/// Returns the frames (batch, frame, element, part). Frame i begins at element i * `step` of the signal.
Value cutFrames(GenericBuilder &b, Value signal, Access step, Shape shape) {
  Dim extent = shapeOf(signal)[1];
  return b.map(shape, elementOf(signal), {step}, [&](ScalarBuilder &s, ValueRange x) {
    Value first = s.mul(s.convert(x[0], b.getI64Type()), positionOf(s, 1));
    Value at = s.clampIndex(s.toIndex(s.add(first, positionOf(s, 2))), extent);
    return s.extract(signal, {s.position(0), at, s.position(3)});
  });
}

Lowered lowerFrames(onnx::FramesOp op, Operands operands, GenericBuilder &b) {
  Exprs read = {b.dim(0), b.dim(1) * op.getStep() + b.dim(2), b.dim(3)};
  return one(b.map(resultShape(op), resultElement(op), {{operands[0], read}},
                   [](ScalarBuilder &, ValueRange x) { return x[0]; }));
}

Lowered lowerStft(onnx::STFTOp op, Operands operands, GenericBuilder &b) {
  Value signal = operands[0];
  Shape shape = resultShape(op);
  bool hasWindow = !onnx::isAbsent(op.getWindow()), hasLength = !onnx::isAbsent(op.getFrameLength());
  Transform t;
  t.frequencies = shape[2];
  t.length = hasLength ? operands[3] : Value();
  // If a frame is longer than the transform, the matrix is zero for the rest.
  t.terms = hasWindow ? shapeOf(operands[2])[0] : op.getOnesided() ? shape[2] + shape[2] - Dim(1) : shape[2];
  Type type = computeType(elementOf(signal));
  Value frames = cutFrames(b, signal, b.single(operands[1]), {shape[0], shape[1], t.terms, shapeOf(signal)[2]});
  frames = b.convert(frames, type);
  if (hasWindow)
    frames = b.map(shapeOf(frames), type, {b.whole(frames), b.along(operands[2], 2)},
                   [&](ScalarBuilder &s, ValueRange x) { return s.mul(x[0], s.convert(x[1], type)); });
  return one(b.convert(transform(b, frames, 2, t, shape[3]), resultElement(op)));
}

template <typename WindowOp> Lowered lowerWindow(WindowOp op, Operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  Type f64 = b.getF64Type(), element = resultElement(op);
  return one(b.map(shape, element, {}, [&](ScalarBuilder &s, ValueRange) {
    Value length = toDouble(s, s.size(shape[0], b.getI64Type()));
    if (!op.getPeriodic())
      length = s.max(s.sub(length, s.number(f64, 1)), s.number(f64, 1));
    Value turn = s.div(s.mul(toDouble(s, positionOf(s, 0)), s.number(f64, kTurn)), length);
    auto cosine = [&](double factor, Value angle) { return s.mul(s.number(f64, factor), s.apply<math::CosOp>(angle)); };
    constexpr ArrayRef<double> factors = WindowOp::factors;
    Value sum = s.sub(s.number(f64, factors[0]), cosine(factors[1], turn));
    if (factors[2] != 0)
      sum = s.add(sum, cosine(factors[2], s.add(turn, turn)));
    return s.convert(sum, element);
  }));
}

/// Returns the bin of the spectrum at edge number `edge` of the filters. `x` is bands, length, rate, lowest, highest,
/// as f64.
Value melEdge(ScalarBuilder &s, Value edge, ValueRange x) {
  auto number = [&](double value) { return s.number(x[0].getType(), value); };
  auto toMel = [&](Value hertz) {
    Value ratio = s.add(number(1), s.div(hertz, number(700)));
    return s.mul(s.apply<math::Log10Op>(ratio), number(2595));
  };
  Value lowest = toMel(x[3]), step = s.div(s.sub(toMel(x[4]), lowest), s.add(x[0], number(2)));
  Value mel = s.add(lowest, s.mul(edge, step));
  Value hertz = s.mul(s.sub(s.pow(number(10), s.div(mel, number(2595))), number(1)), number(700));
  return s.apply<math::FloorOp>(s.div(s.mul(s.add(x[1], number(1)), hertz), x[2]));
}

Lowered lowerMelWeights(onnx::MelWeightMatrixOp op, Operands operands, GenericBuilder &b) {
  Type f64 = b.getF64Type(), element = resultElement(op);
  SmallVector<Access> inputs;
  for (Value operand : operands)
    inputs.push_back(b.single(operand));
  return one(b.map(resultShape(op), element, inputs, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> parameters;
    for (Value value : x)
      parameters.push_back(s.convert(value, f64));
    auto number = [&](double value) { return s.number(f64, value); };
    Value bin = toDouble(s, positionOf(s, 0)), band = toDouble(s, positionOf(s, 1));
    Value lower = melEdge(s, band, parameters), centre = melEdge(s, s.add(band, number(1)), parameters);
    Value upper = melEdge(s, s.add(band, number(2)), parameters);
    auto within = [&](Value least, Value most, Order order) {
      return s.logicalAnd(s.compare(Order::GreaterOrEqual, bin, least), s.compare(order, bin, most));
    };
    Value rise = s.sub(centre, lower), fall = s.sub(upper, centre);
    Value rising = s.select(s.compare(Order::Equal, rise, number(0)), number(1), s.div(s.sub(bin, lower), rise));
    Value weight = s.select(within(lower, centre, Order::LessOrEqual), rising, number(0));
    weight = s.select(within(centre, upper, Order::Less), s.div(s.sub(upper, bin), fall), weight);
    return s.convert(weight, element);
  }));
}

} // namespace

void addSignals(LoweringTable &table) {
  table.add(lowerWindow<onnx::BlackmanWindowOp>);
  table.add(lowerDft);
  table.add(lowerFrames);
  table.add(lowerWindow<onnx::HammingWindowOp>);
  table.add(lowerWindow<onnx::HannWindowOp>);
  table.add(lowerMelWeights);
  table.add(lowerStft);
}

} // namespace cameo::lower
