// The step `pool`: the blocks of a product keep their results and compute the pool behind it.
#include "passes/Schedule/Rules/Gpu/PooledTile.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {
namespace {

std::optional<Pool> poolAt(const ScheduledProgram &state, unsigned nest) {
  return findPool(state.program, findNest(state.program, nest).group - state.program.groups.data());
}

struct PoolEffect : StepEffectInterface::ExternalModel<PoolEffect, PoolAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    unsigned nest = llvm::cast<PoolAttr>(attr).getNest();
    std::optional<Pool> pool = poolAt(state, nest);
    if (!pool)
      return llvm::createStringError("expected a nest of known sizes whose results only a pool reads");
    state.gpuSchedules[nest].pool = pool->windows;
    return llvm::Error::success();
  }

  std::string verify(mlir::Attribute attr, const ScheduledProgram &state, const Machine &) const {
    unsigned nest = llvm::cast<PoolAttr>(attr).getNest();
    std::optional<Pool> pool = poolAt(state, nest);
    for (unsigned other : pool->nests)
      if (!state.schedules[other].loops.empty() || state.schedules[other].vectorDim ||
          state.gpuSchedules[other] != GpuSchedule())
        return llvm::formatv("expected no steps of nest {0}, which the blocks of this one compute", other);
    return findPoolFault(*findNest(state.program, nest).nest, state.schedules[nest], state.gpuSchedules[nest]);
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &state) const {
    unsigned nest = llvm::cast<PoolAttr>(attr).getNest();
    BlockTile tile = tileOf(*findNest(state.program, nest).nest, state.schedules[nest], state.gpuSchedules[nest]);
    int64_t windows = 1;
    for (const TiledDimension &dim : tile.dims)
      windows *= dim.isPooled() ? dim.windows() : 1;
    return llvm::formatv("blocks pool {0} windows of their points", windows);
  }
};

} // namespace

template <> void attachEffect<PoolAttr>(mlir::MLIRContext &context) { PoolAttr::attachInterface<PoolEffect>(context); }

} // namespace cameo::schedule
