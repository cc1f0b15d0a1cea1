#include "passes/Lower/Formulas/InterpolationTaps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// An f64 value in generated code.
struct RunNumber {
  ScalarBuilder *s;
  Value value;

  RunNumber lift(double number) const { return {s, s->number(value.getType(), number)}; }
};

struct RunTruth {
  ScalarBuilder *s;
  Value value;
};

RunNumber operator+(RunNumber a, RunNumber b) { return {a.s, a.s->add(a.value, b.value)}; }
RunNumber operator-(RunNumber a, RunNumber b) { return {a.s, a.s->sub(a.value, b.value)}; }
RunNumber operator*(RunNumber a, RunNumber b) { return {a.s, a.s->mul(a.value, b.value)}; }
RunNumber operator/(RunNumber a, RunNumber b) { return {a.s, a.s->div(a.value, b.value)}; }
RunNumber operator+(RunNumber a, double b) { return a + a.lift(b); }
RunNumber operator-(RunNumber a, double b) { return a - a.lift(b); }
RunNumber operator/(RunNumber a, double b) { return a / a.lift(b); }
RunNumber operator-(double a, RunNumber b) { return b.lift(a) - b; }
RunNumber operator*(double a, RunNumber b) { return b.lift(a) * b; }
RunTruth operator<(RunNumber a, RunNumber b) { return {a.s, a.s->compare(Order::Less, a.value, b.value)}; }
RunTruth operator<(RunNumber a, double b) { return a < a.lift(b); }
RunTruth operator<=(RunNumber a, double b) { return {a.s, a.s->compare(Order::LessOrEqual, a.value, a.lift(b).value)}; }
RunTruth operator||(RunTruth a, RunTruth b) { return {a.s, a.s->logicalOr(a.value, b.value)}; }

RunNumber choose(RunTruth condition, RunNumber a, RunNumber b) {
  return {a.s, a.s->select(condition.value, a.value, b.value)};
}
RunNumber floorOf(RunNumber x) { return {x.s, x.s->apply<math::FloorOp>(x.value)}; }
RunNumber ceilOf(RunNumber x) { return {x.s, x.s->apply<math::CeilOp>(x.value)}; }
RunNumber magnitudeOf(RunNumber x) { return {x.s, x.s->abs(x.value)}; }
RunNumber roundToFloat(RunNumber x) {
  Type f64 = x.value.getType();
  return {x.s, x.s->convert(x.s->convert(x.value, Float32Type::get(f64.getContext())), f64)};
}

/// Emits the tables of one dimension.
class TapsEmitter {
public:
  TapsEmitter(GenericBuilder &b, const InterpolationModes &modes, const RunInterpolation &run)
      : b(b), modes(modes), run(run), f64(b.getF64Type()) {}
  InterpolationTaps emit(Type weightType);

private:
  Value emitCoordinates();
  Value emitWeights(Value coordinates, const Dim &taps, Type type);

  RunNumber fromIndex(ScalarBuilder &s, Value index) {
    return {&s, s.convert(s.fromIndex(index, b.getI64Type()), f64)};
  }
  RunNumber last(ScalarBuilder &s) { return fromIndex(s, s.size(run.input)) - 1.0; }
  /// Returns the index in the input of this tap; it may be out of bounds.
  RunNumber place(ScalarBuilder &s, RunNumber x) {
    Dim before = run.reach - Dim(1);
    RunNumber first =
        floorOf(x) - (before.isStatic() ? x.lift(static_cast<double>(before.getSize())) : fromIndex(s, s.size(before)));
    return first + fromIndex(s, s.position(1));
  }

  GenericBuilder &b;
  const InterpolationModes &modes;
  const RunInterpolation &run;
  Type f64;
};

Value TapsEmitter::emitCoordinates() {
  SmallVector<Access> inputs = {b.single(run.scale)};
  if (run.roiStart)
    inputs.append({b.single(run.roiStart), b.single(run.roiEnd)});
  return b.map({run.output}, f64, inputs, [&](ScalarBuilder &s, ValueRange x) {
    RunNumber scale{&s, x[0]}, start = scale.lift(0), end = scale.lift(1);
    if (run.roiStart) {
      start.value = x[1];
      end.value = x[2];
    }
    InterpolatedRange<RunNumber> range{fromIndex(s, s.size(run.input)), fromIndex(s, s.size(run.output)), scale, start,
                                       end};
    return toInput(modes, range, fromIndex(s, s.position(0))).value;
  });
}

/// Computes weights whose sum is 1.
Value TapsEmitter::emitWeights(Value coordinates, const Dim &taps, Type type) {
  Shape shape = {run.output, taps};
  Value raw = b.map(shape, f64, {{coordinates, {b.dim(0)}}, b.single(run.scale)}, [&](ScalarBuilder &s, ValueRange x) {
    RunNumber coordinate{&s, x[0]}, scale{&s, x[1]}, at = place(s, coordinate), distance = at - coordinate;
    if (modes.antialias)
      distance = distance * choose(scale < 1.0, scale, scale.lift(1));
    RunNumber weight = weightAt(modes, distance);
    if (modes.excludeOutside)
      weight = choose(at < 0.0 || last(s) < at, weight.lift(0), weight);
    return weight.value;
  });
  Value sums =
      b.reduce(raw, {1}, true, b.getZeroAttr(f64), [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
  return b.map(shape, type, {b.whole(raw), {sums, {b.dim(0), b.fixed(0)}}}, [&](ScalarBuilder &s, ValueRange x) {
    Value isZero = s.compare(Order::Equal, x[1], s.number(f64, 0));
    return s.convert(s.select(isZero, x[1], s.div(x[0], x[1])), type);
  });
}

InterpolationTaps TapsEmitter::emit(Type weightType) {
  InterpolationTaps taps;
  bool isNearest = modes.mode == "nearest";
  if (!isNearest)
    taps.count = run.reach * Dim(2);
  Value coordinates = emitCoordinates();
  taps.indices =
      b.map({run.output, taps.count}, b.getI64Type(), {{coordinates, {b.dim(0)}}}, [&](ScalarBuilder &s, ValueRange x) {
        RunNumber coordinate{&s, x[0]}, at = isNearest ? toNearest(modes, coordinate) : place(s, coordinate);
        Value index = s.clampIndex(s.toIndex(s.convert(at.value, b.getI64Type())), run.input);
        return s.fromIndex(index, b.getI64Type());
      });
  if (!isNearest)
    taps.weights = emitWeights(coordinates, taps.count, weightType);
  if (modes.crops())
    taps.outside = b.map({run.output}, b.getI1Type(), {{coordinates, {b.dim(0)}}}, [&](ScalarBuilder &s, ValueRange x) {
      RunNumber coordinate{&s, x[0]};
      return (coordinate < 0.0 || last(s) < coordinate).value;
    });
  return taps;
}

} // namespace

InterpolationTaps makeTaps(GenericBuilder &b, const InterpolationTable &table, Type weightType) {
  int64_t output = table.outside.size();
  InterpolationTaps taps;
  taps.count = table.taps;
  taps.indices = b.reshape(b.constantInts(table.indices), {output, table.taps});
  if (weightType)
    taps.weights = b.reshape(b.constantFloats(weightType, table.weights), {output, table.taps});
  if (table.hasOutside())
    taps.outside = b.constant(
        DenseElementsAttr::get(RankedTensorType::get({output}, b.getI1Type()), ArrayRef<bool>(table.outside)));
  return taps;
}

InterpolationTaps makeTaps(GenericBuilder &b, const InterpolationModes &modes, const RunInterpolation &run,
                           Type weightType) {
  return TapsEmitter(b, modes, run).emit(weightType);
}

} // namespace cameo::lower
