// Divides the part of a dimension that outer loops leave into the pieces of a loop; its extent may be dynamic.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_DIVIDEPOSITION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_DIVIDEPOSITION_H

#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

namespace cameo::schedule {

/// Consecutive pieces of a dimension.
struct Pieces {
  Position first;      ///< if `length` is set, it is the number of points in all pieces, and the last piece may be
                       ///< smaller
  mlir::Value count;   ///< number of pieces; null: one
  bool isLast = false; ///< whether there is one piece at most, of `length` points
};

/// Whether a loop inside of loop `level` is over the same dimension.
bool isDividedInside(const NestSchedule &schedule, unsigned level);

/// Divides `whole` into the pieces of loop `level`, in order.
llvm::SmallVector<Pieces, 2> dividePosition(mlir::OpBuilder &builder, const LoopNest &nest,
                                            const NestSchedule &schedule, unsigned level, const Position &whole);

/// Returns piece number `piece` of at most `size` points of `whole`, whose length is dynamic.
Position cutPiece(mlir::OpBuilder &builder, mlir::Location loc, const Position &whole, mlir::Value piece, int64_t size);

} // namespace cameo::schedule

#endif
