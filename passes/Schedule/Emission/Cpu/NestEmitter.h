// Writes one scheduled nest: loops over the parallel dimensions and around the register block (EmitNest.cpp), the
// reductions of a block (BlockReduction.cpp) and what becomes of their results (BlockOutputs.cpp).
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_NESTEMITTER_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_NESTEMITTER_H

#include "passes/Schedule/Emission/Cpu/EmitNest.h"
#include "passes/Schedule/Emission/Cpu/PartialResults.h"
#include "passes/Schedule/Nests/Combiner.h"

namespace cameo::schedule {

struct ByteDot;
class ByteDotEmitter;

class NestEmitter {
public:
  /// All of these outlive the emitter; the code goes to the builder's insertion point. So many dimensions will be fixed
  /// by setRow; `isInRange`: emitRange follows.
  NestEmitter(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
              llvm::ArrayRef<mlir::Value> buffers, const Machine &machine, unsigned rowDims, bool isInRange);

  /// Fixes a dimension of the nest's group.
  void setRow(unsigned dim, mlir::Value index);
  /// All loops run forwards in even rows and backwards in odd ones, `row` being the number of this one.
  void turnEveryRow(mlir::Value row);
  /// Asks for `fetch` while the loops run (see RowFetches.cpp).
  void fetchBeside(const RowFetch &fetch);
  /// The loops from `level` on, of the parallel ones what [begin, end) has.
  void emitRange(mlir::Value begin, mlir::Value end, unsigned level = 0);
  /// The loops from `level` on, all of them.
  void emitLoops(unsigned level);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// What the loops over blocks do of each.
  enum class Stage { All, Start, Continue, Finish };

  mlir::Value constant(int64_t value);
  Values emitEach(unsigned level, Values carried, llvm::function_ref<Values(Values)> body);
  mlir::Value pieceInTurn(mlir::Value before, mlir::Value count);
  void enter(unsigned level);
  void inEach(unsigned level, llvm::function_ref<void()> body);
  void emitPieces(llvm::ArrayRef<mlir::Value> pieces, unsigned level);
  void emitStages(unsigned level);
  void fetchShare();
  void emitBlock();
  llvm::SmallVector<Point> pointsOf(bool reduction) const;

  Values startBlock();
  void setChains();
  Values emitReduction(unsigned level, Values accumulators);
  Values emitInnerReduction(unsigned level, Values accumulators);
  Combiner combinerOf(size_t accumulator) const;
  Values startAnew();
  Values addPartial(Values accumulators, llvm::ArrayRef<mlir::Value> partial);
  Values emitUpdates(Values accumulators);
  Values emitDots(PointEvaluator &body, Values accumulators);
  Values emitScaledDots(const ByteDot &dot, ByteDotEmitter &dots, PointEvaluator &body, Values accumulators);
  Values finishLanes(PointEvaluator &evaluator, Values accumulators);
  bool reducesLanes() const { return schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction; }

  void emitOutputs(Values accumulators);
  void finishPoints(PointEvaluator &evaluator, llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> accumulators);
  bool finishesInLoops() const;
  int64_t vectorsPerPoint() const;
  int64_t largestBlock() const;
  void keepOnStack(llvm::ArrayRef<mlir::Value> accumulators);
  void finishInLoops(unsigned dim, int64_t before);
  void finishKept(mlir::Value first);

  PointEvaluator evaluator() { return PointEvaluator(builder, loc, nest, schedule, buffers, positions, machine); }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const LoopNest &nest;
  const NestSchedule &schedule;
  llvm::ArrayRef<mlir::Value> buffers;
  const Machine &machine;
  llvm::SmallVector<Position> positions;
  llvm::SmallVector<Position> panel; ///< where the loops stood when they came to this block of the packed operands
  std::optional<PointShare> share;   ///< where every call of the kernel comes to all blocks
  std::optional<RowFetch> rowFetch;
  unsigned fetchDepth = 0;                    ///< the loops whose pieces share the fetch
  std::pair<mlir::Value, mlir::Value> called; ///< the part of the parallel range that a call has
  mlir::Value isOddRow;                       ///< 0 or 1, where rows change direction
  llvm::SmallVector<Point> blockPoints;
  Values kept;                         ///< see keepOnStack
  llvm::SmallVector<NodeId> functions; ///< long ones that the outputs are computed of
  unsigned rowDims = 0;
  unsigned parallelDepth = 0; ///< the loops from here on are those around the updates, over reductions
  Stage stage = Stage::All;
  std::optional<PartialResults> partials; ///< where blocks do not run through all of the reduction at once
  unsigned chains = 1;                    ///< per point, when lanes are reduced
};

} // namespace cameo::schedule

#endif
