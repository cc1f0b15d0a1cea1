// How a loop of the emitter divides what the loops around it left of a dimension, known or counted by the run.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_DIVIDEPOSITION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_DIVIDEPOSITION_H

#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

namespace cameo::schedule {

/// Neighbouring pieces of a dimension.
struct Pieces {
  Position first;    ///< where its length is set, pieces have that many points together and a last one may be smaller
  mlir::Value count; ///< null: one
};

/// Whether a loop inside of loop `level` is over the same dimension.
bool isDividedInside(const NestSchedule &schedule, unsigned level);

/// What loop `level` makes of `whole`, in order.
llvm::SmallVector<Pieces, 2> dividePosition(mlir::OpBuilder &builder, const LoopNest &nest,
                                            const NestSchedule &schedule, unsigned level, const Position &whole);

/// Piece number `piece` of at most `size` points of `whole`, whose length is known only at run time.
Position cutPiece(mlir::OpBuilder &builder, mlir::Location loc, const Position &whole, mlir::Value piece, int64_t size);

} // namespace cameo::schedule

#endif
