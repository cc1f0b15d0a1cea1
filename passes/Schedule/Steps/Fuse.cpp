// The fuse step: runs neighbouring nests in overlapped tiles of the last one's result.
#include "passes/Schedule/Steps/Replacements.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

FuseStep planOf(FuseAttr step) { return {step.getNest(), step.getLast(), step.getSize()}; }

StepAttrInterface toStep(mlir::MLIRContext *context, const FuseStep &step) {
  return FuseAttr::get(context, step.nest, step.last, step.size);
}

namespace {

struct FuseEffect : StepEffectInterface::ExternalModel<FuseEffect, FuseAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    return fuseNests(state.program, planOf(llvm::cast<FuseAttr>(attr)));
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    return llvm::formatv("overlapped tiles of {0}", llvm::cast<FuseAttr>(attr).getSize());
  }
};

} // namespace

template <> void attachEffect<FuseAttr>(mlir::MLIRContext &context) { FuseAttr::attachInterface<FuseEffect>(context); }

} // namespace cameo::schedule
