// What a thread of a block with a tile does with its sums: results, or parts of them, neighbours in memory together, of
// a block at an edge those that exist.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILESTORES_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_TILESTORES_H

#include "passes/Schedule/Emission/Gpu/LaneEvaluator.h"
#include "passes/Schedule/Emission/Gpu/SplitReduction.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

class TileStores {
public:
  /// `positions` are where the points of the thread begin, `neighbours` how many of these lie side by side along each
  /// dimension. `part` is the number of the block's part, null where it has all. All of these outlive the object; the
  /// code goes to the builder's insertion point.
  TileStores(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers, const BlockTile &tile,
             llvm::ArrayRef<Position> positions, llvm::ArrayRef<int64_t> neighbours, SplitParts parts,
             mlir::Value part);

  /// Stores what `sums`, the running results of each of `points`, are.
  void emit(llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> sums);

private:
  Lanes lanesAlong(unsigned dim, mlir::Type type) const;
  Lanes chooseLanes() const;
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
  SplitParts parts;
  mlir::Value part;
  std::map<std::pair<unsigned, int64_t>, mlir::Value> inside;
};

} // namespace cameo::schedule

#endif
