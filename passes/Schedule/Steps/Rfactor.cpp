// The rfactor step: a partial result for each iteration of a reduction loop.
#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

std::string verifyRfactor(const NestToVerify &of) {
  const auto &[nest, schedule, rowDims, machine] = of;
  if (!schedule.partialLoop)
    return "";
  if (*schedule.partialLoop >= schedule.loops.size() || !nest.dims[schedule.loops[*schedule.partialLoop].dim].reduction)
    return llvm::formatv("expected partial results for a loop over a reduction, got loop {0}", *schedule.partialLoop);
  for (unsigned reduction = 0; reduction < nest.reductions.size(); ++reduction)
    if (!matchCombiner(nest, reduction))
      return "the partial results of this reduction cannot be combined";
  return "";
}

namespace {

struct RfactorEffect : StepEffectInterface::ExternalModel<RfactorEffect, RfactorAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<RfactorAttr>(attr);
    state.schedules[step.getNest()].partialLoop = step.getLoop();
    return llvm::Error::success();
  }
};

} // namespace

template <> void attachEffect<RfactorAttr>(mlir::MLIRContext &context) {
  RfactorAttr::attachInterface<RfactorEffect>(context);
}

} // namespace cameo::schedule
