// Emits products of which a block computes all (Chain.h): it keeps its rows of each result but the last one in shared
// memory. The right operand of the next product is copied over those of the first one while results are computed from
// sums.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_CHAINNEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_MMA_CHAINNEST_H

#include "passes/Schedule/Emission/Gpu/DependentLaunch.h"
#include "passes/Schedule/Emission/Gpu/KernelMemory.h"
#include "passes/Schedule/Emission/Gpu/Mma/MmaTileNest.h"
#include "passes/Schedule/Rules/Gpu/Chain.h"

namespace cameo::schedule {

class ChainNest {
public:
  /// `early` as in DependentLaunch.h. All arguments must outlive this object; code is inserted at the builder's
  /// insertion point.
  ChainNest(mlir::OpBuilder &builder, llvm::ArrayRef<Chain> chains, const ChainSchedules &schedules,
            llvm::ArrayRef<mlir::Value> buffers, const EarlyBuffers *early);

  /// Returns the types of the shared memory of a block, in the order in which `emit` takes it.
  llvm::SmallVector<mlir::MemRefType> memory() const;
  /// Emits the work of thread number `thread` of block number `block`.
  void emit(mlir::Value block, mlir::Value thread, KernelMemory &kernelMemory);

  int64_t blocks() const { return tiles[0].blocks; }
  int64_t threads() const { return tiles[0].threads; }
  /// Returns the sums of a thread, those of the product with most of them, and the products of a block.
  int64_t sums() const;
  int64_t products() const;

private:
  using Memory = llvm::SmallVector<mlir::Value>;
  const LoopNest &nestOf(size_t product) const { return product == 0 ? *chains[0].first : *chains[product - 1].second; }
  const GpuSchedule &threadsOf(size_t product) const { return *schedules[product].threads; }
  int64_t partsOf(size_t product) const { return tiles[product].blocks / tiles[0].blocks; }
  bool isStored(size_t product) const { return product == chains.size() || chains[product].isStored; }
  size_t largestOperand() const;
  size_t rowsPlace(size_t product) const;
  llvm::SmallVector<Memory> takeMemory(KernelMemory &kernelMemory) const;
  std::unique_ptr<MmaTileNest> makeTile(size_t product, llvm::ArrayRef<mlir::Value> memory);

  mlir::OpBuilder &builder;
  llvm::ArrayRef<Chain> chains;
  ChainSchedules schedules;
  llvm::ArrayRef<mlir::Value> buffers;
  const EarlyBuffers *early;
  llvm::SmallVector<BlockTile, 3> tiles; ///< of the products
};

} // namespace cameo::schedule

#endif
