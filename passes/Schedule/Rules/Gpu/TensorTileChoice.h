// The tiles of one product by one instruction of the matrix unit, and the work of each.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORTILECHOICE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORTILECHOICE_H

#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"
#include "passes/Schedule/Rules/Gpu/TensorTileOptions.h"
#include "passes/Schedule/Rules/Gpu/TileSizes.h"

namespace cameo::schedule {

class TensorTileChoice {
public:
  TensorTileChoice(const LoopNest &nest, const Contraction &contraction, const TensorShape &instruction,
                   const GpuMachine &gpu)
      : nest(nest), contraction(contraction), instruction(instruction), gpu(gpu), canAddParts(canReduceTogether(nest)),
        inGroups(instruction.kind == TensorKind::Wgmma) {}

  /// Returns all tiles whose points are powers of two along each dimension, or those with other points along the rows
  /// or columns.
  std::vector<TensorTileOption> options(bool evenPoints);
  /// Returns the tiles of a chained product (Chain.h) for blocks of `threads` threads with `rows` points along each
  /// dimension of the rows.
  std::vector<TensorTileOption> chainedOptions(llvm::ArrayRef<int64_t> rows, int64_t threads);

private:
  std::optional<TensorTileOption> makeChained(const BlockShape &shape, llvm::ArrayRef<int64_t> rows,
                                              int64_t threads) const;
  void addWarps(int64_t blockRows, int64_t blockColumns, std::vector<TensorTileOption> &all) const;
  void addGroups(int64_t blockRows, int64_t blockColumns, std::vector<TensorTileOption> &all) const;
  void addTiles(const BlockShape &shape, llvm::ArrayRef<int64_t> rows, std::vector<TensorTileOption> &all) const;
  void addWindows(BlockShape shape, std::vector<TensorTileOption> &all) const;
  std::optional<TensorTileOption> makeOption(const BlockShape &shape, llvm::ArrayRef<int64_t> rows, unsigned stages,
                                             int64_t splits) const;
  std::optional<TensorTileOption> inCluster(TensorTileOption option) const;
  llvm::SmallVector<int64_t> columnSizes(const BlockShape &shape) const {
    return sizesAlong(contraction.columns, shape.columns);
  }
  llvm::SmallVector<int64_t> sizesAlong(llvm::ArrayRef<unsigned> dims, int64_t points) const;
  llvm::SmallVector<int64_t> divideDepth(const BlockShape &shape) const;
  double loadsOf(NodeId load, int64_t points, int64_t steps, const BlockTile &tile) const;
  /// The copies of a thread in a step, and those whose addresses are no constants behind others.
  struct Copies {
    double all, addressed;
  };
  Copies copiesOf(const BlockShape &shape, const BlockTile &tile) const;
  int64_t copiedBytes(const BlockShape &shape, const BlockTile &tile) const;
  double copiedOfWarp(const BlockShape &shape, const BlockTile &tile) const;
  double registersOf(const BlockShape &shape) const;
  struct Behind {
    int64_t fetched, shared; // bytes beyond shared memory and from there
  };
  Behind behindSums(const BlockShape &shape, const GpuSchedule &threads, const BlockTile &tile) const;
  int64_t productsOfStep(const BlockShape &shape) const;
  double addressesOf(NodeId load, int64_t points, const BlockTile &tile) const;
  TensorWork::Code stepOf(const BlockShape &shape, const BlockTile &tile, bool copies) const;
  TensorWork::Code restOf(const BlockShape &shape, const BlockTile &tile, int64_t stepsAhead) const;
  TensorWork workOf(const BlockShape &shape, int64_t tiles, const GpuSchedule &threads, const BlockTile &tile) const;
  ThreadSchedule scheduleFor(const BlockShape &shape, llvm::ArrayRef<int64_t> rows, int64_t splits) const;

  const LoopNest &nest;
  const Contraction &contraction;
  const TensorShape &instruction;
  const GpuMachine &gpu;
  bool canAddParts;
  bool inGroups;          ///< whether four warps multiply together
  bool keepsLeft = false; ///< whether the block has the left operand, as of a chained product
};

} // namespace cameo::schedule

#endif
