// RoiAlign (He et al., Mask R-CNN, 2017): how many points a bin is sampled at may depend on the region, so bins are loops.
#include "passes/Lower/LoopBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// A region along one spatial dimension.
struct Extent {
  Value start, binSize, points; ///< points: samples per bin, an index
};

/// One sample along one dimension: the elements on both sides, with their weights. The weights are 0 outside of the image.
struct Sample {
  Value low, high, lowWeight, highWeight;
};

class RegionSampler {
public:
  RegionSampler(onnx::RoiAlignOp op, Operands operands)
      : op(op), x(operands[0]), rois(operands[1]), batches(operands[2]), type(computeType(elementOf(x))) {}

  Value element(ScalarBuilder &s, ValueRange at);

private:
  Value number(ScalarBuilder &s, double value) { return s.number(type, value); }
  Extent extentOf(ScalarBuilder &s, Value region, int64_t coordinate, int64_t bins);
  Sample sampleAt(ScalarBuilder &s, const Extent &extent, Value bin, Value point, const Dim &size);

  onnx::RoiAlignOp op;
  Value x, rois, batches;
  Type type;
};

Extent RegionSampler::extentOf(ScalarBuilder &s, Value region, int64_t coordinate, int64_t bins) {
  bool shifts = op.getCoordinateTransformationMode() == "half_pixel";
  auto place = [&](int64_t column) {
    Value stated = s.widen(s.extract(rois, {region, s.indexConstant(column)}));
    return s.sub(s.mul(stated, number(s, op.getSpatialScale())), number(s, shifts ? 0.5 : 0));
  };
  Value start = place(coordinate), length = s.sub(place(coordinate + 2), start);
  if (!shifts)
    length = s.max(length, number(s, 1));
  Value binSize = s.div(length, number(s, static_cast<double>(bins)));
  if (op.getSamplingRatio() > 0)
    return {start, binSize, s.indexConstant(op.getSamplingRatio())};
  Value points = s.convert(s.apply<math::CeilOp>(binSize), s.builder.getI64Type());
  return {start, binSize, s.toIndex(s.max(points, s.integer(s.builder.getI64Type(), 0)))};
}

Sample RegionSampler::sampleAt(ScalarBuilder &s, const Extent &extent, Value bin, Value point, const Dim &size) {
  Type i64 = s.builder.getI64Type();
  auto real = [&](Value index) { return s.convert(s.fromIndex(index, i64), type); };
  Value part = s.div(s.mul(s.add(real(point), number(s, 0.5)), extent.binSize), real(extent.points));
  Value at = s.add(s.add(extent.start, s.mul(real(bin), extent.binSize)), part);
  Value isInside = s.logicalAnd(s.compare(Order::GreaterOrEqual, at, number(s, -1)),
                                s.compare(Order::LessOrEqual, at, s.size(size, type)));
  at = s.max(at, number(s, 0));
  Value last = s.sub(s.size(size), s.indexConstant(1));
  Value low = s.toIndex(s.convert(at, i64)), isLast = s.compare(Order::GreaterOrEqual, low, last);
  low = s.select(isLast, last, low);
  Value high = s.select(isLast, last, s.add(low, s.indexConstant(1)));
  Value rest = s.select(isLast, number(s, 0), s.sub(at, real(low))), zero = number(s, 0);
  return {s.clampIndex(low, size), s.clampIndex(high, size), s.select(isInside, s.sub(number(s, 1), rest), zero),
          s.select(isInside, rest, zero)};
}

/// The element of the result at (region, channel, row, column): mean or maximum over the samples of its bin.
Value RegionSampler::element(ScalarBuilder &s, ValueRange at) {
  bool isMax = op.getMode() == "max";
  Shape image = shapeOf(x);
  Value batch = s.wrapIndex(s.toIndex(s.extract(batches, {at[0]})), image[0]);
  Extent rows = extentOf(s, at[0], 1, op.getOutputHeight()), columns = extentOf(s, at[0], 0, op.getOutputWidth());
  TypedAttr start = isMax ? lowestAttr(type) : s.builder.getZeroAttr(type);
  Values sum = buildLoop(s, rows.points, {s.constant(start)}, [&](ScalarBuilder &outer, Value row, ValueRange carried) {
    Sample down = sampleAt(outer, rows, at[2], row, image[2]);
    return buildLoop(outer, columns.points, carried, [&](ScalarBuilder &inner, Value column, ValueRange total) {
      Sample across = sampleAt(inner, columns, at[3], column, image[3]);
      Value result = total[0];
      for (auto [rowIndex, rowWeight] : {std::pair(down.low, down.lowWeight), std::pair(down.high, down.highWeight)})
        for (auto [columnIndex, columnWeight] : {std::pair(across.low, across.lowWeight), std::pair(across.high, across.highWeight)}) {
          Value pixel = inner.widen(inner.extract(x, {batch, at[1], rowIndex, columnIndex}));
          Value part = inner.mul(inner.mul(rowWeight, columnWeight), pixel);
          result = isMax ? inner.max(result, part) : inner.add(result, part);
        }
      return Values{result};
    });
  });
  Value count = s.mul(rows.points, columns.points), none = s.compare(Order::Equal, count, s.indexConstant(0));
  if (isMax)
    return s.select(none, number(s, 0), sum[0]);
  Value divisor = s.select(none, s.indexConstant(1), count);
  return s.div(sum[0], s.convert(s.fromIndex(divisor, s.builder.getI64Type()), type));
}

Lowered lowerRoiAlign(onnx::RoiAlignOp op, Operands operands, GenericBuilder &b) {
  ScalarBuilder s(b, b.getLoc());
  Shape shape = resultShape(op);
  Value result = b.empty(shape, resultElement(op));
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(operands[0])) == 0)
    return one(b.filled(shape, b.getZeroAttr(resultElement(op))));
  RegionSampler sampler(op, operands);
  return one(buildLoops(s, shape, {result}, [&](ScalarBuilder &inner, ValueRange place, ValueRange carried) {
    Value value = inner.convert(sampler.element(inner, place), resultElement(op));
    return Values{insertElement(inner, value, carried[0], place)};
  })[0]);
}

} // namespace

void addRoiAligns(LoweringTable &table) { table.add(lowerRoiAlign); }

} // namespace cameo::lower
