// RoiAlign (He et al., Mask R-CNN, 2017). The number of samples of a bin may depend on the region, so bins are loops.
#include "passes/Lower/Builders/LoopBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// A region along one spatial dimension.
struct Extent {
  Value start, binSize, points; ///< points: number of samples per bin, an index
};

/// One sample along one dimension: the two neighbouring elements with their weights, which are 0 outside of the image.
struct Sample {
  Value low, high, lowWeight, highWeight;
};

class RegionSampler {
public:
  RegionSampler(onnx::RoiAlignOp op, Operands operands)
      : op(op), x(operands[0]), rois(operands[1]), batches(operands[2]), type(computeType(elementOf(x))),
        channelsLast(op.getChannelsLast()) {}

  /// Computes all channels of the result at (region, row, column) `bin`. `state` is the result and one sum per channel.
  Values fillBin(ScalarBuilder &s, ValueRange bin, ValueRange state);
  Type sumType() const { return type; }

private:
  Value number(ScalarBuilder &s, double value) { return s.number(type, value); }
  Extent extentOf(ScalarBuilder &s, Value region, int64_t coordinate, int64_t bins);
  Sample sampleAt(ScalarBuilder &s, const Extent &extent, Value bin, Value point, const Dim &size);
  Values addSample(ScalarBuilder &s, Value batch, const Sample &down, const Sample &across, ValueRange sums);
  Dim channels() const { return shapeOf(x)[channelsLast ? 3 : 1]; }
  Dim spaceOf(unsigned dim) const { return shapeOf(x)[(channelsLast ? 1 : 2) + dim]; }
  Values place(Value first, Value channel, Value row, Value column) const {
    return channelsLast ? Values{first, row, column, channel} : Values{first, channel, row, column};
  }

  onnx::RoiAlignOp op;
  Value x, rois, batches;
  Type type;
  bool channelsLast;
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

/// Adds a sample to the sums of all channels. Its position and weights are the same for all of them.
Values RegionSampler::addSample(ScalarBuilder &s, Value batch, const Sample &down, const Sample &across,
                                ValueRange sums) {
  struct Corner {
    Value row, column, weight;
  };
  SmallVector<Corner> corners;
  for (auto [row, rowWeight] : {std::pair(down.low, down.lowWeight), std::pair(down.high, down.highWeight)})
    for (auto [column, columnWeight] :
         {std::pair(across.low, across.lowWeight), std::pair(across.high, across.highWeight)})
      corners.push_back({row, column, s.mul(rowWeight, columnWeight)});
  return buildLoop(s, s.size(channels()), sums, [&](ScalarBuilder &inner, Value channel, ValueRange carried) {
    Value sum = inner.extract(carried[0], {channel});
    for (const Corner &corner : corners) {
      Value part =
          inner.mul(corner.weight, inner.widen(inner.extract(x, place(batch, channel, corner.row, corner.column))));
      sum = op.getMode() == "max" ? inner.max(sum, part) : inner.add(sum, part);
    }
    return Values{insertElement(inner, sum, carried[0], {channel})};
  });
}

Values RegionSampler::fillBin(ScalarBuilder &s, ValueRange bin, ValueRange state) {
  bool isMax = op.getMode() == "max";
  Value batch = s.wrapIndex(s.toIndex(s.extract(batches, {bin[0]})), shapeOf(x)[0]);
  Extent rows = extentOf(s, bin[0], 1, op.getOutputHeight()), columns = extentOf(s, bin[0], 0, op.getOutputWidth());
  Value start = s.constant(isMax ? lowestAttr(type) : s.builder.getZeroAttr(type));
  Values sums =
      buildLoop(s, s.size(channels()), {state[1]}, [&](ScalarBuilder &inner, Value channel, ValueRange carried) {
        return Values{insertElement(inner, start, carried[0], {channel})};
      });
  sums = buildLoop(s, rows.points, sums, [&](ScalarBuilder &outer, Value row, ValueRange carried) {
    Sample down = sampleAt(outer, rows, bin[1], row, spaceOf(0));
    return buildLoop(outer, columns.points, carried, [&](ScalarBuilder &inner, Value column, ValueRange total) {
      return addSample(inner, batch, down, sampleAt(inner, columns, bin[2], column, spaceOf(1)), total);
    });
  });
  Value count = s.mul(rows.points, columns.points), none = s.compare(Order::Equal, count, s.indexConstant(0));
  Value divisor = s.convert(s.fromIndex(s.select(none, s.indexConstant(1), count), s.builder.getI64Type()), type);
  return buildLoop(
      s, s.size(channels()), {state[0], sums[0]}, [&](ScalarBuilder &inner, Value channel, ValueRange carried) {
        Value sum = inner.extract(carried[1], {channel});
        Value value = inner.convert(isMax ? inner.select(none, number(inner, 0), sum) : inner.div(sum, divisor),
                                    resultElement(op));
        return Values{insertElement(inner, value, carried[0], place(bin[0], channel, bin[1], bin[2])), carried[1]};
      });
}

/// The loops over bins are outside of those over channels, which share the positions of the samples.
Lowered lowerRoiAlign(onnx::RoiAlignOp op, Operands operands, GenericBuilder &b) {
  ScalarBuilder s(b, b.getLoc());
  Shape shape = resultShape(op);
  Value result = b.empty(shape, resultElement(op));
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(operands[0])) == 0)
    return one(b.filled(shape, b.getZeroAttr(resultElement(op))));
  RegionSampler sampler(op, operands);
  unsigned first = op.getChannelsLast() ? 1 : 2;
  Value sums = b.empty({shape[op.getChannelsLast() ? 3 : 1]}, sampler.sumType());
  return one(buildLoops(
      s, {shape[0], shape[first], shape[first + 1]}, {result, sums},
      [&](ScalarBuilder &inner, ValueRange bin, ValueRange state) { return sampler.fillBin(inner, bin, state); })[0]);
}

} // namespace

void addRoiAligns(LoweringTable &table) { table.add(lowerRoiAlign); }

} // namespace cameo::lower
