// Lists the tiles of a product by the matrix unit, each with its work.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORTILEOPTIONS_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORTILEOPTIONS_H

#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"
#include "passes/Schedule/Rules/Gpu/TensorModel.h"

namespace cameo::schedule {

/// A possible tile of a nest, whose cycles are those of a launch of its own.
struct TensorTileOption {
  BlockTileOption tile;
  TensorWork work;
  int64_t sums; ///< of a thread
};

/// Returns all tiles of `nest`, a nest of `program`; none if the matrix unit cannot multiply it (TensorProduct.h). With
/// `pool`, that behind the nest, blocks compute it, too.
std::vector<TensorTileOption> tensorTilesOf(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                            const Pool *pool = nullptr);

/// Returns all tiles of `nest`, a chained product (Chain.h), for blocks of `threads` threads with `rows` points along
/// each dimension of the rows.
std::vector<TensorTileOption> chainedTilesOf(const TaskProgram &program, const LoopNest &nest,
                                             llvm::ArrayRef<int64_t> rows, int64_t threads, const GpuMachine &gpu);

} // namespace cameo::schedule

#endif
