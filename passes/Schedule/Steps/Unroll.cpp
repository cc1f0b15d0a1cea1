// The unroll step: steps of a reduction that a thread of a GPU executes without a loop.
#include "passes/Schedule/Steps/GpuRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

std::string verifyUnroll(const GpuNestToVerify &of) {
  const auto &[nest, schedule, gpuSchedule, rowDims, isAlone, gpu] = of;
  if (gpuSchedule.unroll == 0)
    return "";
  if (!nest.hasReduction() || reducesTogether(nest, schedule, gpuSchedule) ||
      reducesByWarp(nest, schedule, gpuSchedule))
    return "expected a reduction whose steps run in one thread";
  int64_t steps = nest.dims.back().extent;
  for (const Loop &loop : schedule.loops)
    if (loop.dim == nest.dims.size() - 1)
      steps = loop.size;
  if (!nest.dims.back().reduction || !nest.dims.back().extent.isKnown() || steps % gpuSchedule.unroll != 0)
    return llvm::formatv("expected the last dimension to be a reduction that can run in blocks of {0} steps, got {1}",
                         gpuSchedule.unroll, steps);
  return "";
}

namespace {

struct UnrollEffect : StepEffectInterface::ExternalModel<UnrollEffect, UnrollAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<UnrollAttr>(attr);
    state.gpuSchedules[step.getNest()].unroll = step.getFactor();
    return llvm::Error::success();
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    return llvm::formatv("{0} steps at once", llvm::cast<UnrollAttr>(attr).getFactor());
  }
};

} // namespace

template <> void attachEffect<UnrollAttr>(mlir::MLIRContext &context) {
  UnrollAttr::attachInterface<UnrollEffect>(context);
}

} // namespace cameo::schedule
