// Rewrites MaxRoiPool to a maximum over the columns and then over the rows of each bin.
#include "frontend/Import/Written/WrittenOperators.h"

using namespace mlir;
using namespace cameo;

namespace {

/// The bins of all regions along one axis. A region is a row of (batch entry, x1, y1, x2, y2).
struct Bins {
  Value isInside; ///< whether a position is in a bin, of shape [regions, bins, positions along the axis]
  Value hasAny;   ///< whether a bin has any position, of shape [regions, bins]
};

/// Returns a coordinate of each region, scaled and rounded, ties away from zero.
Value roundCoordinate(NodeWriter &w, Value regions, int64_t column, float scale) {
  Value scaled =
      w.make("Mul", {w.make("Gather", {regions, w.scalar(column)}, w.attr("axis", 1)), w.number(scale, w.f32())});
  Value rounded = w.make("Floor", w.make("Add", {w.make("Abs", scaled), w.number(0.5, w.f32())}));
  return w.make("Mul", {w.make("Sign", scaled), rounded});
}

/// Divides each region along an axis into bins of equal length between two rounded coordinates. The length is not
/// rounded, and a position belongs to each bin that it overlaps.
Bins cutBins(NodeWriter &w, Value regions, int64_t column, Value extent, int64_t count, float scale) {
  auto number = [&](double value) { return w.number(value, w.f32()); };
  auto perBin = [&](Value perRegion) { return w.make("Unsqueeze", {perRegion, w.ints(1)}); };
  auto perPlace = [&](Value perBin) { return w.make("Unsqueeze", {perBin, w.ints(2)}); };
  Value first = roundCoordinate(w, regions, column, scale), last = roundCoordinate(w, regions, column + 2, scale);
  Value length = w.make("Max", {w.make("Add", {w.make("Sub", {last, first}), number(1)}), number(1)});
  Value step = perBin(w.make("Div", {length, number(count)})), start = perBin(first);
  Value bins = w.cast(w.make("Range", {w.scalar(0), w.scalar(count), w.scalar(1)}), w.f32());
  Value begin = w.make("Add", {w.make("Floor", w.make("Mul", {bins, step})), start});
  Value end = w.make("Add", {w.make("Ceil", w.make("Mul", {w.make("Add", {bins, number(1)}), step})), start});
  Value places = w.cast(w.make("Range", {w.scalar(0), extent, w.scalar(1)}), w.f32());
  Value isInside =
      w.make("And", {w.make("GreaterOrEqual", {places, perPlace(begin)}), w.make("Less", {places, perPlace(end)})});
  return {isInside, w.make("ReduceMax", {isInside, w.ints(2)}, w.attr("keepdims", 0))};
}

} // namespace

WrittenResults cameo::importMaxRoiPool(NodeWriter &w) {
  SmallVector<int64_t> bins = w.takeInts("pooled_shape");
  float scale = w.takeFloat("spatial_scale", 1);
  auto rankIs = [&](Value value, int64_t rank) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() == rank;
  };
  w.expect(rankIs(w.operand(0), 4) && rankIs(w.operand(1), 2), "expected images of rank 4 and regions of rank 2");
  if (w.hasFailed())
    return {};
  auto regionsType = cast<RankedTensorType>(w.operand(1).getType());
  w.expect(regionsType.isDynamicDim(1) || regionsType.getDimSize(1) == 5, "expected five numbers for each region");
  w.expect(bins.size() == 2 && bins[0] >= 1 && bins[1] >= 1 && bins[0] < (1 << 24) && bins[1] < (1 << 24),
           "expected two sizes in [1, 2^24) in 'pooled_shape'");
  if (w.hasFailed())
    return {};
  Type type = w.elementOf(w.operand(0));
  w.expect(isa<FloatType>(type), "expected images of floats");
  if (w.hasFailed())
    return {};
  Value regions = w.cast(w.operand(1), w.f32());
  Bins rows = cutBins(w, regions, 2, w.sizeOf(w.operand(0), 2), bins[0], scale),
       columns = cutBins(w, regions, 1, w.sizeOf(w.operand(0), 3), bins[1], scale);
  Value entry = w.cast(w.make("Gather", {regions, w.scalar(0)}, w.attr("axis", 1)), w.i64());
  Value images = w.make("Unsqueeze", {w.make("Gather", {w.operand(0), entry}), w.ints(3)});
  Value least = w.number(-std::numeric_limits<double>::infinity(), type);
  // [regions, channels, rows, bins of columns, columns]
  Value inColumns = w.make("Where", {w.make("Unsqueeze", {columns.isInside, w.ints({1, 2})}), images, least});
  Value ofRows = w.make("Unsqueeze", {w.make("ReduceMax", {inColumns, w.ints(4)}, w.attr("keepdims", 0)), w.ints(2)});
  // [regions, channels, bins of rows, rows, bins of columns]
  Value inRows = w.make("Where", {w.make("Unsqueeze", {rows.isInside, w.ints({1, 4})}), ofRows, least});
  Value greatest = w.make("ReduceMax", {inRows, w.ints(3)}, w.attr("keepdims", 0));
  Value isFilled = w.make("And", {w.make("Unsqueeze", {rows.hasAny, w.ints({1, 3})}),
                                  w.make("Unsqueeze", {columns.hasAny, w.ints({1, 2})})});
  return {w.make("Where", {isFilled, greatest, w.number(0, type)})};
}
