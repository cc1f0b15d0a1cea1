// Resize: each dimension is interpolated on its own, from tables of indices and weights. Nearest takes all dimensions at
// once; where every element is just repeated it needs no table.
#include "passes/Lower/Axes.h"
#include "passes/Lower/InterpolationTable.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// More taps than this are a loop instead of straight code.
constexpr int64_t kMaxUnrolledTaps = 8;

/// Where the axis of ONNX's order is in the operand.
int64_t positionOf(int64_t axis, int64_t rank, bool channelsLast) {
  if (!channelsLast || axis == 0)
    return axis;
  return axis == 1 ? rank - 1 : axis - 1;
}

std::optional<SmallVector<double>> knownFloats(Value operand) {
  if (onnx::isAbsent(operand) || sizeOf(shapeOf(operand)) == 0)
    return SmallVector<double>();
  return onnx::getKnownFloats(operand);
}

/// The tables of the dimensions that change, by position.
class ResizePlan {
public:
  LogicalResult make(onnx::ResizeOp op, ShapeRef from, ShapeRef to);
  llvm::SmallVector<std::pair<int64_t, InterpolationTable>> tables;

private:
  LogicalResult readScales(onnx::ResizeOp op, IntsRef axes, ShapeRef from, ShapeRef to, SmallVector<double> &scales);
};

LogicalResult ResizePlan::readScales(onnx::ResizeOp op, IntsRef axes, ShapeRef from, ShapeRef to,
                                     SmallVector<double> &scales) {
  auto known = onnx::isAbsent(op.getScales()) ? std::nullopt : knownFloats(op.getScales());
  bool hasScales = !onnx::isAbsent(op.getScales()) && sizeOf(shapeOf(op.getScales())) != 0;
  if (hasScales && (!known || known->size() != axes.size()))
    return unsupported(op, "scales that are not known at compile time");
  if (hasScales) {
    scales = *known;
    return success();
  }
  auto ratio = [&](int64_t position, int64_t size) {
    return static_cast<double>(size) / static_cast<double>(std::max<int64_t>(from[position].getSize(), 1));
  };
  for (int64_t axis : axes) {
    int64_t position = positionOf(axis, from.size(), op.getChannelsLast());
    // Two sizes of one name are one size.
    if (from[position] == to[position]) {
      scales.push_back(1);
      continue;
    }
    if (failed(expectStatic(op, {from[position], to[position]}, "a dimension that is resized to a size")))
      return failure();
    scales.push_back(ratio(position, to[position].getSize()));
  }
  if (op.getKeepAspectRatioPolicy() == "stretch")
    return success();
  std::optional<Ints> sizes = knownInts(op.getSizes());
  if (!sizes || sizes->size() != axes.size())
    return unsupported(op, "sizes that are not known at compile time");
  for (auto [scale, axis, size] : llvm::zip_equal(scales, axes, *sizes))
    scale = ratio(positionOf(axis, from.size(), op.getChannelsLast()), size);
  bool isSmaller = op.getKeepAspectRatioPolicy() == "not_larger";
  double common = isSmaller ? *llvm::min_element(scales) : *llvm::max_element(scales);
  scales.assign(axes.size(), common);
  return success();
}

LogicalResult ResizePlan::make(onnx::ResizeOp op, ShapeRef from, ShapeRef to) {
  Ints axes = op.getAxes() ? Ints(*op.getAxes()) : allAxes(from.size());
  for (int64_t &axis : axes)
    axis = normalizeAxis(axis, from.size());
  SmallVector<double> scales;
  if (failed(readScales(op, axes, from, to, scales)))
    return failure();
  bool crops = op.getCoordinateTransformationMode() == "tf_crop_and_resize";
  std::optional<SmallVector<double>> roi = crops ? knownFloats(op.getRoi()) : SmallVector<double>();
  if (crops && (!roi || roi->size() != 2 * axes.size()))
    return unsupported(op, "a region of interest that is not known at compile time");
  for (auto [number, axis] : llvm::enumerate(axes)) {
    int64_t position = positionOf(axis, from.size(), op.getChannelsLast());
    if (from[position] == to[position] && scales[number] == 1 && !crops)
      continue;
    if (failed(expectStatic(op, {from[position], to[position]}, "a dimension that is resized")))
      return failure();
    Interpolation interpolation{from[position].getSize(), to[position].getSize(), scales[number]};
    if (crops) {
      interpolation.roiStart = (*roi)[number];
      interpolation.roiEnd = (*roi)[axes.size() + number];
    }
    interpolation.mode = op.getMode();
    interpolation.coordinateMode = op.getCoordinateTransformationMode();
    interpolation.nearestMode = op.getNearestMode();
    interpolation.cubicCoefficient = op.getCubicCoeffA();
    interpolation.excludeOutside = op.getExcludeOutside() != 0;
    interpolation.antialias = op.getAntialias() != 0;
    tables.push_back({position, makeTable(interpolation)});
  }
  return success();
}

/// A table as a tensor of (output, tap).
Value tableTensor(GenericBuilder &b, Value flat, const InterpolationTable &table) {
  return b.reshape(flat, {static_cast<int64_t>(table.outside.size()), table.taps});
}

Value boolTensor(GenericBuilder &b, ArrayRef<bool> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, b.getI1Type());
  return b.constant(DenseElementsAttr::get(type, values));
}

/// Every element is repeated along the changed dimensions: (element, repetition) pairs, joined again.
Value repeat(GenericBuilder &b, Value data, ShapeRef shape, const ResizePlan &plan) {
  Shape split;
  Ints repetitions(shape.size(), 1);
  for (const auto &[position, table] : plan.tables)
    repetitions[position] = table.repetition(shapeOf(data)[position].getSize());
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
  SmallVector<Access> inputs;
  for (const auto &[position, table] : plan.tables)
    inputs.push_back({b.constantInts(table.indices), {b.dim(position)}});
  for (const auto &[position, table] : plan.tables)
    if (table.hasOutside())
      inputs.push_back({boolTensor(b, table.outside), {b.dim(position)}});
  return b.map(shape, elementOf(data), inputs, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> at;
    for (unsigned i = 0; i < shape.size(); ++i)
      at.push_back(s.position(i));
    for (auto [number, entry] : llvm::enumerate(plan.tables))
      at[entry.first] = s.toIndex(x[number]);
    Value result = s.extract(data, at);
    for (Value outside : x.drop_front(plan.tables.size()))
      result = s.select(outside, s.constant(extrapolation), result);
    return result;
  });
}

/// Interpolates one dimension of `data`, whose elements are of the compute type.
Value interpolate(GenericBuilder &b, Value data, int64_t axis, const InterpolationTable &table, double extrapolation) {
  Shape shape = shapeOf(data);
  shape[axis] = static_cast<int64_t>(table.outside.size());
  unsigned rank = shape.size();
  Type type = elementOf(data);
  Value indices = tableTensor(b, b.constantInts(table.indices), table);
  Value weights = tableTensor(b, b.constantFloats(type, table.weights), table);
  auto read = [&](ScalarBuilder &s, Value index) {
    SmallVector<Value> at;
    for (unsigned i = 0; i < rank; ++i)
      at.push_back(s.position(i));
    at[axis] = s.toIndex(index);
    return s.extract(data, at);
  };
  Value sums;
  if (table.taps > kMaxUnrolledTaps) {
    Exprs entry = {b.dim(axis), b.dim(rank)};
    Access start{b.filled(shape, b.getZeroAttr(type)), b.dims(rank)};
    sums = b.generic({rank, 1}, {{indices, entry}, {weights, entry}}, {start}, [&](ScalarBuilder &s, ValueRange x) {
              return Values{s.add(x[2], s.mul(read(s, x[0]), x[1]))};
            }).front();
  } else {
    SmallVector<Access> inputs;
    for (Value tensor : {indices, weights})
      for (int64_t tap = 0; tap < table.taps; ++tap)
        inputs.push_back({tensor, {b.dim(axis), b.fixed(tap)}});
    sums = b.map(shape, type, inputs, [&](ScalarBuilder &s, ValueRange x) {
      Value sum;
      for (int64_t tap = 0; tap < table.taps; ++tap) {
        Value term = s.mul(read(s, x[tap]), x[table.taps + tap]);
        sum = sum ? s.add(sum, term) : term;
      }
      return sum;
    });
  }
  if (!table.hasOutside())
    return sums;
  return b.map(shape, type, {b.whole(sums), {boolTensor(b, table.outside), {b.dim(axis)}}},
               [&](ScalarBuilder &s, ValueRange x) { return s.select(x[1], s.number(type, extrapolation), x[0]); });
}

Lowered lowerResize(onnx::ResizeOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(data)) == 0)
    return one(b.empty(shape, resultElement(op)));
  ResizePlan plan;
  if (failed(plan.make(op, shapeOf(data), shape)))
    return failure();
  if (plan.tables.empty())
    return one(data);
  Type element = resultElement(op);
  if (op.getMode() == "nearest") {
    bool repeats = llvm::all_of(plan.tables, [&](const auto &entry) {
      return entry.second.repetition(shapeOf(data)[entry.first].getSize()) != 0;
    });
    return one(repeats ? repeat(b, data, shape, plan)
                       : takeNearest(b, data, shape, plan, numberAttr(element, op.getExtrapolationValue())));
  }
  Sign sign = signOf(op.getX());
  Type type = isa<FloatType>(element) ? computeType(element) : Type(b.getF32Type());
  Value result = b.convert(data, type, sign);
  for (const auto &[position, table] : plan.tables)
    result = interpolate(b, result, position, table, op.getExtrapolationValue());
  return one(b.convert(result, element, Sign::Signed, sign));
}

} // namespace

void addResizes(LoweringTable &table) { table.add(lowerResize); }

} // namespace cameo::lower
