// Emits a product in which each block computes a tile of points, and each warp some points of the tile by the matrix
// unit.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMATILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMATILENEST_H

#include "passes/Schedule/Emission/Gpu/DepthSteps.h"
#include "passes/Schedule/Emission/Gpu/Mma/MmaCopies.h"
#include "passes/Schedule/Emission/Gpu/Mma/MmaOperand.h"
#include "passes/Schedule/Emission/Gpu/TileNest.h"

namespace cameo::schedule {

class MmaTileNest : public TileNest {
public:
  MmaTileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
              const GpuSchedule &gpuSchedule, llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared,
              SplitParts parts, const EarlyBuffers *early);

  /// Of a chained product (Chain.h), in place of `emitSums`: starts the copies of what the block does not keep, and
  /// returns the sums, which begin when the copies and the kept rows of all threads are there.
  void startCopies();
  Values multiplyKept();

protected:
  /// Returns how many stages warps may read at the end of a step: the others are written.
  virtual int64_t stagesRead() const { return 1; }
  /// Emits what makes the copies of this thread that have arrived visible to the matrix unit, before a barrier.
  virtual void publishCopies() {}
  /// Starts and finishes a step whose stage has the place `read`; the copies of a later step are started in between.
  /// Both return the sums.
  virtual Values startStep(Values sums, mlir::Value /*read*/) { return sums; }
  virtual Values finishStep(Values sums, mlir::Value read);
  /// Returns the sums behind all steps.
  virtual Values finishSteps(Values sums) { return sums; }

  void locateThread(mlir::Value thread) override;
  void prepareOperands() override;
  Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums) override;
  void copyFirstSteps(bool isEarly) override;
  Values emitAsyncSteps(Values sums) override;

  mlir::Value offsetOf(const SharedOperand &operand, mlir::Value stage);
  SharedOperand &operandOf(NodeId load);
  int64_t pointsAlong(llvm::ArrayRef<unsigned> dims) const;
  int64_t stepsOfDepth() const;
  mlir::Value divide(mlir::Value number, int64_t by);
  mlir::Value remainder(mlir::Value number, int64_t by);

  Contraction contraction;

private:
  /// Returns how many steps before theirs copies are started.
  int64_t stepsAhead() const { return gpuSchedule.stages - stagesRead(); }
  void prepareCopies();
  void copyStep(llvm::ArrayRef<mlir::Value> at, mlir::Value stage, std::optional<bool> early = {});
  Values multiply(Values sums);
  int64_t stageBytes(const SharedOperand &operand) const;
  int64_t stageUnit() const;
  mlir::Value word(int64_t value);
  mlir::Value asIndex(mlir::Value number);
  MmaOperand factorOf(NodeId load, bool isLeft);
  void addOffsets(llvm::ArrayRef<unsigned> dims, int64_t number, Point &point) const;
  void addLanes(llvm::ArrayRef<unsigned> dims, mlir::Value number, int64_t count, int64_t apart);

  mlir::Value lane; ///< number of the thread in its warp
  MmaProduct product;
  std::optional<MmaOperand> left, right;
  std::vector<MmaCopies> copies;   ///< of each operand
  std::optional<DepthSteps> steps; ///< that are copied
  std::vector<Values> firstSteps;  ///< those before the loop, and the next one
};

} // namespace cameo::schedule

#endif
