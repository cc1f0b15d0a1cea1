// Writes a product of which each block computes a tile of points, and each warp some of these by mma.sync. How the
// numbers of an instruction lie in the registers of a warp's threads is from the PTX ISA, "Matrix multiply-accumulate
// operation using mma instruction" and "ldmatrix". Products of numbers in two parts are those of Ootomo and Yokota,
// "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak performance",
// 2022.
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
  /// What a warp reads of an operand: 16 points of it along its rows or columns by 32 bytes along the depth at a time,
  /// which are four matrices of 8 rows of 16 bytes.
  struct Side {
    SharedOperand *operand = nullptr;
    bool isLeft = false;
    int64_t points = 0; ///< of the warp
    mlir::Value place;  ///< where in a stage the row of a matrix lies whose address this thread gives, or its number
    mlir::Value stage;  ///< where the stage of the step begins; null: at 0
  };
  using Registers = llvm::SmallVector<mlir::Value, 4>;

  /// Of an operand, for the sums of 16 points: what instructions take, four registers, of which half are for 8 columns
  /// each where it is the right one; and of numbers in two parts the small ones.
  struct Factors {
    Registers numbers, rest;
  };

  void prepareSide(Side &side, NodeId load, bool isLeft);
  std::pair<int64_t, int64_t> stridesOf(const SharedLayout &layout) const;
  Registers multiply(llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b, llvm::ArrayRef<mlir::Value> sums);
  Registers addProducts(const Factors &row, const Factors &column, size_t half, Registers sums);
  mlir::Value placeIn(const Side &side, int64_t offset);
  void loadMatrices(const Side &side, int64_t offset, Registers &registers);
  void loadNumbers(const Side &side, int64_t offset, Registers &registers);
  std::vector<Registers> load(const Side &side, int64_t step);
  std::vector<Factors> convert(const Side &side, llvm::ArrayRef<Registers> all);
  Registers roundToHalves(const Side &side, const Registers &read);
  mlir::Value roundToTf32(mlir::Value number);
  void split(mlir::Value bits, Factors &factors);
  mlir::Value bitcast(mlir::Value value, mlir::Type type);
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
