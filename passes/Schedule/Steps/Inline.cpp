// The inline step: computes a nest inside of its readers.
#include "passes/Schedule/Steps/Replacements.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

InlineStep planOf(InlineAttr step) { return {step.getNest()}; }

StepAttrInterface toStep(mlir::MLIRContext *context, const InlineStep &step) {
  return InlineAttr::get(context, step.nest);
}

namespace {

struct InlineEffect : StepEffectInterface::ExternalModel<InlineEffect, InlineAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    return inlineNest(state.program, planOf(llvm::cast<InlineAttr>(attr)));
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    return llvm::formatv("nest {0} inlined", llvm::cast<InlineAttr>(attr).getNest());
  }
};

} // namespace

template <> void attachEffect<InlineAttr>(mlir::MLIRContext &context) {
  InlineAttr::attachInterface<InlineEffect>(context);
}

} // namespace cameo::schedule
