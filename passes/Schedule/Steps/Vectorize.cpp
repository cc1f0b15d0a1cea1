// The vectorize step: neighbouring points become the lanes of a vector.
#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

/// Whether lanes along a reduction can be combined as partial results.
static bool combinesLanes(const LoopNest &nest) {
  for (unsigned number = 0; number < nest.reductions.size(); ++number)
    if (!matchCombiner(nest, number) || nest.nodes[nest.reductions[number].update].type.isInteger(1))
      return false;
  return true;
}

std::string verifyVectorize(const NestToVerify &of) {
  const auto &[nest, schedule, rowDims, machine] = of;
  if (schedule.vectorDim && (*schedule.vectorDim < rowDims || *schedule.vectorDim >= nest.dims.size()))
    return llvm::formatv("expected a vector dimension from {0} to {1}, got {2}", rowDims, nest.dims.size() - 1,
                         *schedule.vectorDim);
  if (schedule.lanes < 1 || (schedule.vectorDim && !llvm::isPowerOf2_32(schedule.lanes)))
    return llvm::formatv("expected a power of two as vector length, got {0}", schedule.lanes);
  if (schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction && !combinesLanes(nest))
    return llvm::formatv("the lanes of a vector along dimension {0} cannot be combined", *schedule.vectorDim);
  return "";
}

namespace {

struct VectorizeEffect : StepEffectInterface::ExternalModel<VectorizeEffect, VectorizeAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<VectorizeAttr>(attr);
    state.schedules[step.getNest()].vectorDim = step.getDim();
    state.schedules[step.getNest()].lanes = step.getLanes();
    return llvm::Error::success();
  }
};

} // namespace

template <> void attachEffect<VectorizeAttr>(mlir::MLIRContext &context) {
  VectorizeAttr::attachInterface<VectorizeEffect>(context);
}

} // namespace cameo::schedule
