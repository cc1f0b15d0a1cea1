// The tile step: a loop over pieces of a dimension.
#include "passes/Schedule/Rules/Operands/PartialLayout.h"
#include "passes/Schedule/Steps/NestRules.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {

/// The limit of loops over one dimension; each one is a level of recursion in the emitter.
constexpr size_t maxLoopsOfDimension = 16;

/// Verifies that a reduction loop may be around other loops: their partial results must be small and the reduction
/// resumable.
static std::string verifyPartials(const NestToVerify &of, llvm::ArrayRef<int64_t> left, unsigned loop) {
  const auto &[nest, schedule, rowDims, machine] = of;
  for (auto [dim, points] : llvm::enumerate(left))
    if (points == unboundedSize && !nest.dims[dim].reduction)
      return llvm::formatv("expected a loop over dimension {0}, which is dynamic, around the reductions "
                           "outside of loop {1}",
                           dim, loop);
  if (schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction)
    return llvm::formatv("loop {0} is inside of one over a reduction whose lanes are partial results", loop);
  for (const Reduction &reduction : nest.reductions)
    if (nest.nodes[reduction.update].type.isInteger(1))
      return llvm::formatv("loop {0} is inside of one over a reduction of single bits", loop);
  if (int64_t bytes = partialBytes(nest, schedule, left); bytes > maxPartialBytes)
    return llvm::formatv("expected at most {0} bytes of partial results for loop {1}, got {2}", maxPartialBytes, loop,
                         bytes);
  return "";
}

std::string verifyTiles(const NestToVerify &of, llvm::MutableArrayRef<int64_t> left) {
  const auto &[nest, schedule, rowDims, machine] = of;
  if (size_t most = maxLoopsOfDimension * nest.dims.size(); schedule.loops.size() > most)
    return llvm::formatv("expected at most {0} loops, got {1}", most, schedule.loops.size());
  llvm::SmallVector<int64_t> leftAtReduction;
  bool reducing = false;
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    if (loop.dim < rowDims || loop.dim >= nest.dims.size())
      return llvm::formatv("expected a dimension from {0} to {1}, got {2}", rowDims, nest.dims.size() - 1, loop.dim);
    if (loop.size < 1)
      return llvm::formatv("expected a tile size of at least 1, got {0}", loop.size);
    bool reduction = nest.dims[loop.dim].reduction;
    if (reduction && !reducing)
      leftAtReduction.assign(left.begin(), left.end());
    reducing |= reduction;
    if (reducing && !reduction)
      if (std::string wrong = verifyPartials(of, leftAtReduction, number); !wrong.empty())
        return wrong;
    left[loop.dim] = std::min(left[loop.dim], loop.size);
  }
  for (auto [dim, points] : llvm::enumerate(left))
    if (points == unboundedSize)
      return llvm::formatv("expected a loop over dimension {0}, which is dynamic", dim);
  return "";
}

namespace {

struct TileEffect : StepEffectInterface::ExternalModel<TileEffect, TileAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    auto step = llvm::cast<TileAttr>(attr);
    state.schedules[step.getNest()].loops.push_back({step.getDim(), step.getSize()});
    return llvm::Error::success();
  }
};

} // namespace

template <> void attachEffect<TileAttr>(mlir::MLIRContext &context) { TileAttr::attachInterface<TileEffect>(context); }

} // namespace cameo::schedule
