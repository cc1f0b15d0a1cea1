// Emits a nest in which each block computes a tile of points, and each thread some points of the tile.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKTILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_BLOCKTILENEST_H

#include "passes/Schedule/Emission/Gpu/TileNest.h"

namespace cameo::schedule {

class BlockTileNest : public TileNest {
public:
  BlockTileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                const GpuSchedule &gpuSchedule, llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared,
                SplitParts parts, const EarlyBuffers *early);

protected:
  void locateThread(mlir::Value thread) override;
  Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums) override;

private:
  Values addProducts(int64_t steps, Values sums);
  Values addGroups(int64_t steps, Values sums);
  SharedOperand &operandOf(NodeId load);

  std::optional<unsigned> lastStep; ///< the innermost reduction
};

} // namespace cameo::schedule

#endif
