// Writes a product of which each block computes a tile of points, and each warp some of these by mma.sync. How the
// numbers of an instruction lie in the registers of a warp's threads is from the PTX ISA, "Matrix multiply-accumulate
// operation using mma instruction" and "ldmatrix".
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMATILENEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMATILENEST_H

#include "passes/Schedule/Emission/Gpu/TileNest.h"
#include "passes/Schedule/Nests/Contraction.h"

namespace cameo::schedule {

class MmaTileNest : public TileNest {
public:
  MmaTileNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
              const GpuSchedule &gpuSchedule, llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> shared,
              SplitParts parts);

protected:
  void locateThread(mlir::Value thread) override;
  void prepareOperands() override;
  Values computeStep(llvm::ArrayRef<mlir::Value> begins, mlir::Value stage, Values sums) override;

private:
  /// What a warp reads of an operand: 16 points of it along its rows or columns by 16 steps of the depth at a time,
  /// which are four matrices of 8 x 8.
  struct Side {
    SharedOperand *operand = nullptr;
    int64_t points = 0; ///< of the warp
    mlir::Value row;    ///< where in a stage the row of a matrix lies whose address this thread gives
    mlir::Value stage;  ///< where the stage of the step begins; null: at 0
  };
  using Registers = llvm::SmallVector<mlir::Value, 4>;

  void prepareSide(Side &side, NodeId load, bool isLeft);
  std::pair<int64_t, int64_t> stridesOf(const SharedLayout &layout) const;
  Registers multiply(const Registers &a, llvm::ArrayRef<mlir::Value> b, llvm::ArrayRef<mlir::Value> sums);
  std::vector<Registers> loadMatrices(const Side &side, int64_t step);
  mlir::Value bitsOf(mlir::Value bits);
  int64_t pointsAlong(llvm::ArrayRef<unsigned> dims) const;
  int64_t stepsOfDepth() const;
  void addOffsets(llvm::ArrayRef<unsigned> dims, int64_t number, Point &point) const;
  void addLanes(llvm::ArrayRef<unsigned> dims, mlir::Value number, int64_t count, int64_t apart);
  mlir::Value divide(mlir::Value number, int64_t by);
  mlir::Value remainder(mlir::Value number, int64_t by);

  Contraction contraction;
  mlir::Value lane; ///< number of the thread in its warp
  Side left, right;
};

} // namespace cameo::schedule

#endif
