// Products of a few points with a large matrix that is read where it lies, row by row: the keys of a decoder's step.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_ROWSTREAM_H
#define CAMEO_PASSES_SCHEDULE_RULES_ROWSTREAM_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The number of points that may multiply a row: one sum each, beside the vectors of all of them in memory.
constexpr int64_t mostPointsOfRow = 8;

struct RowStream {
  unsigned rows;                  ///< the dimension over rows of the matrix, each of which lies along the vectors
  std::optional<unsigned> shared; ///< the dimension over points that multiply the same row
  int64_t vectors;                ///< of a row that are multiplied at once
  int64_t rowsPerPiece;           ///< of the parallel range
};

/// Returns the stream of a reduction whose vectors lie along it, if one of the two operands comes from memory and each
/// of its rows is multiplied by so few points that a block has them all.
std::optional<RowStream> findRowStream(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule,
                                       const Machine &machine);

} // namespace cameo::schedule

#endif
