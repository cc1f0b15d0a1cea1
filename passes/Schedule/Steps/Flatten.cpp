// The flatten step: merges rows and columns of a plane into one dimension.
#include "passes/Schedule/Steps/Replacements.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

FlattenStep planOf(FlattenAttr step) { return {step.getNest(), step.getDim()}; }

StepAttrInterface toStep(mlir::MLIRContext *context, const FlattenStep &step) {
  return FlattenAttr::get(context, step.nest, step.dim);
}

namespace {

struct FlattenEffect : StepEffectInterface::ExternalModel<FlattenEffect, FlattenAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    return flattenDimensions(state.program, planOf(llvm::cast<FlattenAttr>(attr)));
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    unsigned dim = llvm::cast<FlattenAttr>(attr).getDim();
    return llvm::formatv("d{0} d{1} flattened", dim, dim + 1);
  }
};

} // namespace

template <> void attachEffect<FlattenAttr>(mlir::MLIRContext &context) {
  FlattenAttr::attachInterface<FlattenEffect>(context);
}

} // namespace cameo::schedule
