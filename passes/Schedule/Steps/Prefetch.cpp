// The prefetch step: prefetches the next block of a packed operand while one is used.
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

std::string verifyPrefetch(const NestToVerify &of) {
  for (unsigned buffer : of.schedule.prefetchedBuffers)
    if (!llvm::is_contained(of.schedule.packedBuffers, buffer))
      return llvm::formatv("expected a packed buffer to fetch, got buffer {0}", buffer);
  return "";
}

namespace {

struct PrefetchEffect : StepEffectInterface::ExternalModel<PrefetchEffect, PrefetchAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<PrefetchAttr>(attr);
    if (step.getBuffer() >= state.program.buffers.size())
      return llvm::createStringError("expected a buffer below %zu, got %u", state.program.buffers.size(),
                                     step.getBuffer());
    state.schedules[step.getNest()].prefetchedBuffers.push_back(step.getBuffer());
    return llvm::Error::success();
  }

  std::string explain(mlir::Attribute, const ScheduledProgram &) const { return "packed, fetched ahead"; }
};

} // namespace

template <> void attachEffect<PrefetchAttr>(mlir::MLIRContext &context) {
  PrefetchAttr::attachInterface<PrefetchEffect>(context);
}

} // namespace cameo::schedule
