// Vector loads along a flattened dimension: lanes whose places are known at compile time, though they are not linear.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_FLATTENEDROWS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_FLATTENEDROWS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// The places of a gather along a dimension that was flattened out of rows of `width` points (FlattenDimensions.h): an
/// operand that repeats, one that rows share, or rows with gaps.
struct FlattenedRows {
  int64_t width;
  int64_t step;    ///< from a point to the next one of the row
  int64_t further; ///< beyond that step, from a row to the next one

  /// Returns the distance of `point` from point 0.
  int64_t offset(int64_t point) const { return step * point + further * (point / width); }
  /// Returns the distance from one row to the next; 0: all rows read the same.
  int64_t rowStride() const { return step * width + further; }
};

/// Returns how `node` reads along `dim`, if it is a gather whose only index is the row number along this dimension.
std::optional<FlattenedRows> flattenedRows(const LoopNest &nest, const Node &node, unsigned dim);

/// The number of the row of `width` points that holds a point along `dim`.
struct RowNumber {
  unsigned dim;
  int64_t width;

  /// Returns after how many vectors a row begins with the first lane again.
  int64_t vectorsPerPeriod(int64_t lanes) const;
};

/// Returns what node `id` counts if it is a row number as it stands in a flattened nest.
std::optional<RowNumber> rowNumber(const LoopNest &nest, NodeId id);

/// Returns the number of loads and shuffles per vector along `dim`, if `node` reads flattened rows and shuffles make
/// its vectors of few others.
std::optional<double> instructionsOfRows(const LoopNest &nest, const Node &node, unsigned dim, int64_t lanes);

/// Returns the number of vectors after which the lanes of all loads along `dim` that are shuffled out of rows are the
/// same again. Blocks must have a multiple of it, or all points.
int64_t vectorsPerPeriod(const LoopNest &nest, unsigned dim, int64_t lanes);

} // namespace cameo::schedule

#endif
