// Emits the products of matrices that a warp computes by mma.sync, and converts their operands. The layout of matrices
// in the registers of a warp's threads is from the PTX ISA, "Matrix multiply-accumulate operation using mma
// instruction". The products of numbers that are split in two parts are from Ootomo and Yokota, "Recovering single
// precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak performance", 2022.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMAPRODUCT_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_MMAPRODUCT_H

#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// The number of rows of a matrix that ldmatrix reads; the left operand of an instruction has twice as many.
inline constexpr int64_t matrixSide = 8;
/// The number of sums of an instruction per thread: two neighbouring columns of a row, and the same columns of the row
/// eight below. Four neighbouring threads share a row.
inline constexpr int64_t sumsOfThread = 4, sumColumns = 2, threadsOfRow = mmaColumns / sumColumns;
/// The number of registers of a thread for 16 points of an operand and the steps of one instruction.
inline constexpr int64_t factorRegisters = 4;

class MmaProduct {
public:
  using Registers = llvm::SmallVector<mlir::Value, 4>;

  /// The registers that instructions take for 16 points of an operand: four `numbers`, where each half of a right
  /// operand is for 8 columns. If numbers are split in two parts, `rest` has the small parts.
  struct Factors {
    Registers numbers, rest;
  };

  /// `product` is the contraction of `nest`, and `shape` the instruction that computes it (TensorProduct.h). `nest`
  /// must outlive this object; code is inserted at the builder's insertion point.
  MmaProduct(mlir::OpBuilder &builder, const LoopNest &nest, const Contraction &product, const TensorShape &shape);

  const TensorShape &getShape() const { return shape; }
  /// Whether operands are f32 in memory.
  bool readsFloats() const { return shape.kind != TensorKind::Mma; }

  /// Converts `read`, registers of 16 points of an operand as loaded from shared memory, to those that instructions
  /// take.
  Factors convert(bool isLeft, llvm::ArrayRef<mlir::Value> read);
  /// Converts `sums` of another product to the left operand: they have 16 rows, and as many columns as an instruction
  /// has steps. If operands are f32 in memory, a thread reads steps t and t + 4, so its sums of columns 2 t and 2 t + 1
  /// must be those of these steps; otherwise columns are steps.
  Factors convertSums(llvm::ArrayRef<mlir::Value> sums);

  /// Returns `sums`, this thread's sums of 16 rows and 8 columns, plus the products of `row` and `column`. `half` is
  /// the number of the first register of these columns.
  Registers add(const Factors &row, const Factors &column, size_t half, Registers sums);

  /// Casts `value` to a register type: a vector of two f16 if `number` is f16, i32 for every other type.
  mlir::Value asRegister(mlir::Value value, mlir::Type number);

private:
  bool areHalves() const;
  Registers multiply(llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b, llvm::ArrayRef<mlir::Value> sums);
  Registers roundToHalves(bool isLeft, llvm::ArrayRef<mlir::Value> read);
  void addNumber(mlir::Value bits, Factors &factors);
  mlir::Value pack(mlir::Value low, mlir::Value high);
  mlir::Value roundToTf32(mlir::Value number);
  void split(mlir::Value bits, Factors &factors);
  mlir::Value bitcast(mlir::Value value, mlir::Type type);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  Contraction product;
  TensorShape shape;
};

} // namespace cameo::schedule

#endif
