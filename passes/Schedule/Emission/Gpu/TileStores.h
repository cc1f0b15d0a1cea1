// What a thread of a block with a tile does with its sums: results, or parts of them, neighbours in memory together, of
// a block at an edge those that exist.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILESTORES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILESTORES_H

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/SplitParts.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

class TileStores {
public:
  /// `positions` are where the points of the thread begin, `neighbours` how many of these lie side by side along each
  /// dimension. All of these outlive the object; the code goes to the builder's insertion point.
  TileStores(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers, const BlockTile &tile,
             llvm::ArrayRef<Position> positions, llvm::ArrayRef<int64_t> neighbours);

  /// Stores what `sums`, the running results of each of `points`, are.
  void emit(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums);
  /// Leaves them as part number `part`.
  void emitParts(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums, SplitParts parts, mlir::Value part);
  /// Stores what all blocks have left of `points`, behind what the sums of some of these begin with.
  using Initial = llvm::function_ref<llvm::SmallVector<mlir::Value>(llvm::ArrayRef<Point> points)>;
  void emitWhole(llvm::ArrayRef<Point> points, SplitParts parts, Initial emitInitial);

private:
  Lanes lanesAlong(unsigned dim, mlir::Type type) const;
  Lanes chooseLanes(bool ofParts) const;
  bool divides(llvm::ArrayRef<Point> points, size_t half) const;
  llvm::SmallVector<mlir::Value> addAll(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums,
                                        SplitParts parts);
  llvm::SmallVector<unsigned> raggedDims() const;
  mlir::Value exists(const Point &point);
  /// What is built from here on is done where `point` exists.
  void enterWhereExists(const Point &point);
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
  std::map<std::pair<unsigned, int64_t>, mlir::Value> inside;
};

} // namespace cameo::schedule

#endif
