// Products of matrices that a warp of a GPU multiplies by mma.sync: numbers as its instructions take them, and what
// comes of these. How the numbers of an instruction lie in the registers of a warp's threads is from the PTX ISA,
// "Matrix multiply-accumulate operation using mma instruction". Products of numbers in two parts are those of Ootomo
// and Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak
// performance", 2022.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMAPRODUCT_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMAPRODUCT_H

#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Rows of the matrices that ldmatrix reads, and of which an instruction has twice as many.
inline constexpr int64_t matrixSide = 8;
/// Sums of an instruction that a thread has: two neighbouring columns of a row, and the same of the row eight below.
/// Four neighbouring threads have a row.
inline constexpr int64_t sumsOfThread = 4, sumColumns = 2, threadsOfRow = mmaColumns / sumColumns;
/// Registers of a thread for 16 points of an operand and the steps of an instruction.
inline constexpr int64_t factorRegisters = 4;

class MmaProduct {
public:
  using Registers = llvm::SmallVector<mlir::Value, 4>;

  /// Of an operand, for the sums of 16 points: what instructions take, four registers, of which half are for 8 columns
  /// each where it is the right one; and of numbers in two parts the small ones.
  struct Factors {
    Registers numbers, rest;
  };

  /// `product` is that of `nest`, which `shape` multiplies (TensorProduct.h). The nest outlives the object; the code
  /// goes to the builder's insertion point.
  MmaProduct(mlir::OpBuilder &builder, const LoopNest &nest, const Contraction &product, const TensorShape &shape);

  const TensorShape &getShape() const { return shape; }
  /// Whether operands are f32 in memory.
  bool readsFloats() const { return shape.kind != TensorKind::Mma; }

  /// What instructions take of registers as they were read, of the 16 points of an operand.
  Factors convert(bool isLeft, llvm::ArrayRef<mlir::Value> read);
  /// What they take of sums of another product, of 16 rows and of as many columns as an instruction has steps: the left
  /// operand. Where operands are f32 in memory, a thread reads steps t and t + 4, and so its sums, of columns 2 t and
  /// 2 t + 1, have to be; of others columns are steps.
  Factors convertSums(llvm::ArrayRef<mlir::Value> sums);

  /// `sums`, those of 16 rows and 8 columns that this thread has, and what comes from `row` and `column` with them;
  /// `half` is the number of the first register of these columns.
  Registers add(const Factors &row, const Factors &column, size_t half, Registers sums);

  /// Numbers of f16 as two each, all else as 32 bits.
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
