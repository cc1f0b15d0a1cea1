// Stores the sums of a thread in a block with a tile, as results or as parts: contiguous points by one access, and in
// blocks at an edge only the points that exist.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILESTORES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILESTORES_H

#include "passes/Schedule/Emission/Gpu/KeptRows.h"
#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/SplitParts.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

class TileStores {
public:
  /// `positions` are those of the thread's first point, `neighbours` the number of contiguous points along each
  /// dimension, and `vectors` what lies in shared memory, or null. All arguments must outlive this object; code is
  /// inserted at the builder's insertion point.
  TileStores(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers, const BlockTile &tile,
             llvm::ArrayRef<Position> positions, llvm::ArrayRef<int64_t> neighbours,
             const BlockVectors *vectors = nullptr);

  /// Stores the outputs for `sums`, the final accumulators of `points`. With `kept` the block keeps them, too.
  void emit(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums, const KeptRows *kept = nullptr);
  /// Keeps the output for `sums` in the block, also of points beyond an edge.
  void keep(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums, const KeptRows &kept);
  /// Stores `sums` as part number `part`.
  void emitParts(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums, SplitParts parts, mlir::Value part);
  /// Adds the parts of all blocks to the initial sums and stores the outputs of `points`. `emitInitial` returns the
  /// initial sums of the points that it is given.
  using Initial = llvm::function_ref<llvm::SmallVector<mlir::Value>(llvm::ArrayRef<Point> points)>;
  void emitWhole(llvm::ArrayRef<Point> points, SplitParts parts, Initial emitInitial);

private:
  void keepLanes(LaneEvaluator &evaluator, Lanes lanes, Point point, llvm::ArrayRef<Point> points,
                 llvm::ArrayRef<mlir::Value> sums, const KeptRows &kept);
  Lanes lanesAlong(unsigned dim, mlir::Type type) const;
  Lanes chooseLanes(bool ofParts) const;
  bool divides(llvm::ArrayRef<Point> points, size_t half) const;
  llvm::SmallVector<mlir::Value> addAll(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums,
                                        SplitParts parts);
  /// Where the last block of a dimension has fewer points, which of the points of a thread exist: all or none, if it
  /// has whole threads, or any.
  enum class Edges { AllOrNone, Any };
  llvm::SmallVector<unsigned> raggedDims(Edges edges) const;
  mlir::Value exists(const Point &point, llvm::ArrayRef<unsigned> ragged);
  mlir::Value exists(const Point &point);
  /// Sets the insertion point to code that is executed only if `point` exists along the dimensions in `ragged`.
  void enterWhereExists(const Point &point, llvm::ArrayRef<unsigned> ragged);
  void enterThread(llvm::ArrayRef<Point> points, llvm::ArrayRef<unsigned> ragged);
  mlir::Value placeAlong(unsigned dim, int64_t offset);
  mlir::Value numberOf(const Point &at);
  mlir::Value isInside(unsigned dim, int64_t offset);
  mlir::Value constant(int64_t value);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  llvm::ArrayRef<mlir::Value> buffers;
  const BlockTile &tile;
  llvm::ArrayRef<Position> positions;
  llvm::ArrayRef<int64_t> neighbours;
  const BlockVectors *vectors;
  std::map<std::pair<unsigned, int64_t>, mlir::Value> inside;
};

} // namespace cameo::schedule

#endif
