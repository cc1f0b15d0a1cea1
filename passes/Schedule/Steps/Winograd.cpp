// The winograd step: computes a convolution by minimal filtering.
#include "passes/Schedule/Steps/Replacements.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

static_assert(unboundedTiles <= maxWinogradSize, "a step may take all tiles");

WinogradStep planOf(WinogradAttr step) {
  return {step.getNest(), step.getOutputs(), step.getRows(), step.getColumns(), step.getChannels(), step.getDepth()};
}

StepAttrInterface toStep(mlir::MLIRContext *context, const WinogradStep &step) {
  return WinogradAttr::get(context, step.nest, step.outputs, step.rows, step.columns, step.channels, step.depth);
}

namespace {

struct WinogradEffect : StepEffectInterface::ExternalModel<WinogradEffect, WinogradAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    return rewriteWinograd(state.program, planOf(llvm::cast<WinogradAttr>(attr)));
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &) const {
    WinogradStep step = planOf(llvm::cast<WinogradAttr>(attr));
    std::string text = llvm::formatv("winograd {0}x{0} by {1}", step.outputs, tilesText(step));
    return step.channels > 0 ? text + llvm::formatv(" and {0}x{1} weights", step.channels, step.depth).str() : text;
  }
};

} // namespace

template <> void attachEffect<WinogradAttr>(mlir::MLIRContext &context) {
  WinogradAttr::attachInterface<WinogradEffect>(context);
}

} // namespace cameo::schedule
