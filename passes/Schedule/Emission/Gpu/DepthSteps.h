// The steps in which a block fetches the depth of a product, as values that a loop carries: how far the steps have
// moved along each dimension of the depth, and in the source of each operand.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_DEPTHSTEPS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_DEPTHSTEPS_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

class DepthSteps {
public:
  using Values = llvm::SmallVector<mlir::Value>;

  /// `loads` are the operands of `nest`, which must outlive this object, as must `tile`. Code is inserted at the
  /// builder's insertion point.
  DepthSteps(mlir::OpBuilder &builder, const LoopNest &nest, const BlockTile &tile, llvm::ArrayRef<NodeId> loads);

  /// Returns the values of the first step: i32 numbers, or i64 where an operand moves further than these count.
  Values first();
  /// Returns the values of the step after the one with the values `now`.
  Values next(llvm::ArrayRef<mlir::Value> now);
  size_t size() const { return operands.size() + digits.size(); }

  /// Returns the number of elements that operand number `operand` has moved since the first step.
  mlir::Value movedBy(llvm::ArrayRef<mlir::Value> now, size_t operand) const { return now[operand]; }
  /// Returns the index along reduction `dim` at which the step begins, from the first index of the block's share on.
  mlir::Value beginOf(llvm::ArrayRef<mlir::Value> now, unsigned dim);

private:
  mlir::Value number(int64_t value);

  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const BlockTile &tile;
  unsigned bits = 32;
  llvm::SmallVector<unsigned>
      digits; ///< dimensions of the depth with several fetches, the one that varies fastest first
  /// For each operand, by how many elements the step moves in which this digit is increased and all before it return to
  /// 0.
  llvm::SmallVector<llvm::SmallVector<int64_t>> operands;
};

} // namespace cameo::schedule

#endif
