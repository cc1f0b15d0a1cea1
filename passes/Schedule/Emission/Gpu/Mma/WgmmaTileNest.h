// Emits a product in which each block computes a tile of points, and four warps at a time 64 rows of it, by products
// that read both operands from shared memory while the warps go on: wgmma.mma_async of the PTX ISA.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_WGMMATILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_WGMMATILENEST_H

#include "passes/Schedule/Emission/Gpu/Mma/MmaTileNest.h"

#include "dialects/Task/TaskMatrixOps.h"

namespace cameo::schedule {

/// A warp has the points that it has by mma.sync, with the sums in the same order.
class WgmmaTileNest : public MmaTileNest {
public:
  using MmaTileNest::MmaTileNest;

protected:
  /// The products of a step are under way while the next ones are started.
  int64_t stagesRead() const override { return wgmmaStagesRead; }
  void prepareOperands() override;
  void publishCopies() override;
  Values startStep(Values sums, mlir::Value read) override;
  Values finishStep(Values sums, mlir::Value read) override;
  Values finishSteps(Values sums) override;

private:
  mlir::Value offsetInWindow(mlir::Value group);
  task::GroupMatrix matrixOf(const SharedOperand &operand, int64_t step) const;
  mlir::Value pointerOf(SharedOperand &operand, mlir::Value begin, mlir::Value read);

  mlir::Value leftBegin, rightBegin; ///< addresses in the first stage
};

} // namespace cameo::schedule

#endif
