// Partial sums of a cluster of blocks that divide a reduction. They stay in shared memory, and each block adds up those
// of some points, in the order of the parts.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_CLUSTERSUMS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_CLUSTERSUMS_H

#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

class ClusterSums {
public:
  /// Thread number `thread` of the `threads` of each of `blocks` blocks has `sums`, of the same points in all blocks.
  /// `memory` is shared memory with room for those of all threads. All arguments must outlive this object; code is
  /// inserted at the builder's insertion point.
  ClusterSums(mlir::OpBuilder &builder, const LoopNest &nest, mlir::Value memory, int64_t blocks, mlir::Value thread,
              int64_t threads, llvm::ArrayRef<mlir::Value> sums);

  /// Stores the sums behind a barrier, since other threads may still read `memory`, and meets the cluster.
  void publish();
  /// Returns the number of the first sum that block number `block` adds up; those of the next block follow.
  size_t firstOf(int64_t block) const;
  /// Returns the sums of `block`, which executes this: `initial` plus those of all blocks.
  llvm::SmallVector<mlir::Value> add(int64_t block, llvm::ArrayRef<mlir::Value> initial);
  /// Meets the cluster again: others have read what this block has stored.
  void leave();

private:
  mlir::OpBuilder &builder;
  const LoopNest &nest;
  int64_t blocks, threads;
  llvm::ArrayRef<mlir::Value> sums;
  mlir::Value begin; ///< pointer to the first vector of the thread
};

} // namespace cameo::schedule

#endif
