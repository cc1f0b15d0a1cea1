// Loads the operands of a warp's products from shared memory: matrices by ldmatrix of the PTX ISA, or elements one by
// one.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMAOPERAND_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMAOPERAND_H

#include "passes/Schedule/Emission/Gpu/Mma/MmaProduct.h"
#include "passes/Schedule/Emission/Gpu/SharedOperand.h"

namespace cameo::schedule {

/// A warp's part of an operand. One load reads 16 points along its rows or columns by 32 bytes along the depth, which
/// are four matrices of 8 rows of 16 bytes.
struct MmaSide {
  bool isLeft;
  int64_t points; ///< number of points of the warp, a multiple of 16
  int64_t steps;  ///< number of steps of a stage
  /// For the right operand of a product whose sums are the left operand of another product: columns 2 t and 2 t + 1 of
  /// the instruction get points t and t + 4 of each 8 points (`MmaProduct::convertSums`).
  bool isInterleaved = false;
  /// For an operand with a window: the number of points of the warp along each dimension, the last one varying fastest,
  /// and the distance in elements between them. Otherwise points are equally far apart.
  llvm::SmallVector<std::pair<int64_t, int64_t>> parts = {};
};

class MmaOperand {
public:
  using Registers = MmaProduct::Registers;

  /// `lane` is the number of the thread in its warp. The operand and the product must outlive this object. Code that
  /// does not depend on the step is inserted at the builder's insertion point.
  MmaOperand(mlir::OpBuilder &builder, const LoopNest &nest, SharedOperand &operand, MmaProduct &product,
             const MmaSide &side, mlir::Value lane);

  /// Makes `load` read the stage that begins `bytes` behind the first one, or the first one if that is null.
  void readFrom(mlir::Value bytes) { stage = bytes; }
  /// Returns, for each 16 points of the warp, the registers that one instruction takes from step `step` on, with the
  /// element type of shared memory.
  std::vector<Registers> load(int64_t step);
  /// Converts these registers to those that the instruction takes.
  std::vector<MmaProduct::Factors> convert(llvm::ArrayRef<Registers> all);

private:
  bool hasMatrices() const;
  mlir::Value offsetOfPoint(mlir::Value number, int64_t count);
  int64_t offsetOfPoint(int64_t number) const;
  int64_t offsetOfStep(int64_t number) const;
  mlir::Value addressOf(int64_t offset);
  void loadMatrices(int64_t offset, Registers &registers);
  void loadNumbers(int64_t offset, Registers &registers);
  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value scale(mlir::Value value, int64_t factor);
  mlir::Value divide(mlir::Value number, int64_t by);
  mlir::Value remainder(mlir::Value number, int64_t by);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  SharedOperand &operand;
  MmaProduct &product;
  MmaSide side;
  int64_t pointStride, stepStride; ///< distance in elements between points, and between steps of the depth
  mlir::Value place; ///< index in a stage of the matrix row whose address this thread passes to ldmatrix, or of its
                     ///< first element
  mlir::Value stage; ///< offset in bytes of the current stage; null means 0
};

} // namespace cameo::schedule

#endif
