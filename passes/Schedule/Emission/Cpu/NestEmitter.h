// Emits one scheduled nest: loops over the parallel dimensions and around the register block (EmitNest.cpp), the
// reductions of a block (BlockReduction.cpp) and its outputs (BlockOutputs.cpp).
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
  /// All arguments must outlive the emitter; code is inserted at the builder's insertion point. setRow must be called
  /// for the first `rowDims` dimensions. `isInRange` says whether emitRange is called.
  NestEmitter(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
              llvm::ArrayRef<mlir::Value> buffers, const Machine &machine, unsigned rowDims, bool isInRange);

  /// Sets the index of a row dimension of the nest's group.
  void setRow(unsigned dim, mlir::Value index);
  /// Makes all loops run forwards in even rows and backwards in odd ones; `row` is the number of the current row.
  void turnEveryRow(mlir::Value row);
  /// Prefetches `fetch` while the loops run (see RowFetches.cpp).
  void fetchBeside(const RowFetch &fetch);
  /// Emits the loops from `level` on, the parallel ones for [begin, end) of their range.
  void emitRange(mlir::Value begin, mlir::Value end, unsigned level = 0);
  /// Emits all iterations of the loops from `level` on.
  void emitLoops(unsigned level);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  /// The part of a block's computation that the loops over blocks perform.
  enum class Stage { All, Start, Continue, Finish };

  mlir::Value constant(int64_t value);
  Values emitEach(unsigned level, Values carried, llvm::function_ref<Values(Values)> body);
  mlir::Value pieceInTurn(mlir::Value before, mlir::Value count);
  void enter(unsigned level);
  void inEach(unsigned level, llvm::function_ref<void()> body);
  void emitPiecesBetween(mlir::Value begin, mlir::Value end,
                         llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);
  void emitPieces(llvm::ArrayRef<mlir::Value> pieces, unsigned level);
  llvm::SmallVector<Segment, 2> partsOf(unsigned level) const;
  void emitPart(llvm::ArrayRef<mlir::Value> pieces, unsigned level, const Segment &part, int64_t firstPiece);
  void emitStages(unsigned level);
  void fetchShare();
  void emitBlock();
  llvm::SmallVector<Point> pointsOf(bool reduction) const;

  Values startBlock();
  void setChains();
  Values emitReduction(unsigned level, Values accumulators);
  Values emitInnerReduction(unsigned level, Values accumulators);
  Combiner combinerOf(size_t accumulator) const;
  bool combinesTogether(const Reduction &reduction) const;
  Values identityValues();
  Values addPartial(Values accumulators, llvm::ArrayRef<mlir::Value> partial);
  Values emitUpdates(Values accumulators);
  Values emitSteps(PointEvaluator &body, Values accumulators);
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
  llvm::SmallVector<Position> panel; ///< the positions at the begin of the current block of the packed operands
  std::optional<PointShare> share;   ///< set if every kernel call uses all blocks
  std::optional<RowFetch> rowFetch;
  unsigned fetchDepth = 0;                    ///< number of loops whose pieces share the fetch
  std::pair<mlir::Value, mlir::Value> called; ///< the part of the parallel range of this call
  mlir::Value isOddRow;                       ///< 0 or 1, if rows alternate directions
  llvm::SmallVector<Point> blockPoints;
  Values kept;                         ///< see keepOnStack
  llvm::SmallVector<NodeId> functions; ///< long functions in the outputs
  unsigned rowDims = 0;
  unsigned parallelDepth = 0; ///< the loops from here on are reduction loops around the updates
  Stage stage = Stage::All;
  std::optional<PartialResults> partials; ///< set if blocks do not run the whole reduction at once
  unsigned chains = 1;                    ///< per point, if lanes are reduced
};

} // namespace cameo::schedule

#endif
