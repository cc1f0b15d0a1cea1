// How a warp of a GPU reads what it multiplies from shared memory: matrices by ldmatrix, as the PTX ISA has them, or
// numbers one by one.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMAOPERAND_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMAOPERAND_H

#include "passes/Schedule/Emission/Gpu/MmaProduct.h"
#include "passes/Schedule/Emission/Gpu/SharedOperand.h"

namespace cameo::schedule {

/// What a warp reads of an operand: 16 points of it along its rows or columns by 32 bytes along the depth at a time,
/// which are four matrices of 8 rows of 16 bytes.
struct MmaSide {
  bool isLeft;
  int64_t points; ///< of the warp, a multiple of 16
  int64_t steps;  ///< of a stage
  /// The right operand of a product whose sums are the left one of another: of each 8 points those that columns 2 t and
  /// 2 t + 1 have are t and t + 4 (`MmaProduct::convertSums`).
  bool isInterleaved = false;
};

class MmaOperand {
public:
  using Registers = MmaProduct::Registers;

  /// `lane` is the number of the thread in its warp. The operand and the product outlive the object. Code that no step
  /// changes goes to the builder's insertion point.
  MmaOperand(mlir::OpBuilder &builder, const LoopNest &nest, SharedOperand &operand, MmaProduct &product,
             const MmaSide &side, mlir::Value lane);

  /// Has `load` read stage number `stage`; null: the first one.
  void readFrom(mlir::Value stage);
  /// What one instruction takes of each 16 points of the warp, as it is in shared memory, from step `step` on.
  std::vector<Registers> load(int64_t step);
  /// What it takes of these.
  std::vector<MmaProduct::Factors> convert(llvm::ArrayRef<Registers> all);

private:
  bool hasMatrices() const;
  mlir::Value placeIn(int64_t offset);
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
  int64_t pointStride, stepStride; ///< elements from one point to the next, and from one step of the depth
  mlir::Value place; ///< where in a stage the row of a matrix lies whose address this thread gives, or its number
  mlir::Value stage; ///< where the stage of the step begins; null: at 0
};

} // namespace cameo::schedule

#endif
