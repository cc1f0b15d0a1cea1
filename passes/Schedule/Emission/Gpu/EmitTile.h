// Emits nests whose blocks have tiles, by what multiplies.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITTILE_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_EMITTILE_H

#include "passes/Schedule/Emission/Gpu/KernelMemory.h"
#include "passes/Schedule/Emission/Gpu/Mma/MmaTileNest.h"

#include <memory>

namespace cameo::schedule {

/// A nest with its schedule; both must outlive what is made of them.
struct ScheduledNest {
  const LoopNest &nest;
  const NestSchedule &loops;
  const GpuSchedule &threads;
};

/// Returns the nest of a tile in which the matrix unit multiplies. All arguments as for TileNest.
std::unique_ptr<MmaTileNest> makeTensorTile(mlir::OpBuilder &builder, ScheduledNest of,
                                            llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> memory,
                                            SplitParts parts, const EarlyBuffers *early);

/// Emits the work of thread number `thread` of block number `block`, with shared memory of `kernelMemory`. With `pool`
/// the block pools its results.
void emitTile(mlir::OpBuilder &builder, ScheduledNest of, llvm::ArrayRef<mlir::Value> buffers,
              KernelMemory &kernelMemory, SplitParts parts, const EarlyBuffers *early, mlir::Value block,
              mlir::Value thread, const Pool *pool);

} // namespace cameo::schedule

#endif
