// Emits two products of which a block computes both (Chain.h): it keeps its rows of the first result in shared memory.
// The right operand of the second product is copied over those of the first one while results of the first one are
// computed from its sums.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_CHAINNEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_CHAINNEST_H

#include "passes/Schedule/Emission/Gpu/DependentLaunch.h"
#include "passes/Schedule/Emission/Gpu/KernelMemory.h"
#include "passes/Schedule/Rules/Gpu/Chain.h"

namespace cameo::schedule {

class ChainNest {
public:
  /// `early` as in DependentLaunch.h. All arguments must outlive this object; code is inserted at the builder's
  /// insertion point.
  ChainNest(mlir::OpBuilder &builder, const Chain &chain, const ChainSchedules &schedules,
            llvm::ArrayRef<mlir::Value> buffers, const EarlyBuffers *early);

  /// Returns the types of the shared memory of a block, in the order in which `emit` takes it.
  llvm::SmallVector<mlir::MemRefType> memory() const;
  /// Emits the work of thread number `thread` of block number `block`.
  void emit(mlir::Value block, mlir::Value thread, KernelMemory &kernelMemory);

  int64_t blocks() const { return first.blocks; }
  int64_t threads() const { return first.threads; }
  /// Returns the sums of a thread, those of the product with more of them, and the products of a block.
  int64_t sums() const { return std::max(first.points, second.points); }
  int64_t products() const;

private:
  using Memory = llvm::SmallVector<mlir::Value>;
  int64_t parts() const { return second.blocks / first.blocks; }
  size_t largestOperand() const;

  mlir::OpBuilder &builder;
  const Chain &chain;
  ChainSchedules schedules;
  llvm::ArrayRef<mlir::Value> buffers;
  const EarlyBuffers *early;
  BlockTile first, second;
};

} // namespace cameo::schedule

#endif
