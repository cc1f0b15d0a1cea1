// Scores choose a dimension. Where its vectors leave lanes empty, blocks with steps in lanes are estimated as well, and
// where no bytes are multiplied in groups then, blocks with vectors beside which they are.
#include "passes/Schedule/Rules/ChooseVectors.h"

#include "passes/Schedule/Rules/ByteDot.h"

namespace cameo::schedule {

/// Whether blocks with the vectors of `other` take less time than those of `chosen`. A core that begins one
/// multiply-add of whole vectors begins two of half vectors.
static bool isFaster(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                     const NestSchedule &other, const NestSchedule &chosen) {
  constexpr double besideHalfVectors = 1.75;
  auto cyclesBeside = [&](const NestSchedule &own, const NestSchedule &beside) {
    bool isWhole = beside.lanes > 1 && 2 * beside.lanes <= own.lanes;
    return (isWhole && machine.multiplyAdds < 2 ? besideHalfVectors : 1) *
           registerBlockCycles(program, nest, machine, own);
  };
  return cyclesBeside(other, chosen) < cyclesBeside(chosen, other);
}

/// Takes vectors along another dimension where bytes are multiplied in groups then, if such blocks take less time.
static void chooseGroups(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                         NestSchedule &schedule) {
  if (!matchByteProducts(nest))
    return;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (dimension.reduction || dimension.extent < 2 || schedule.vectorDim == dim)
      continue;
    NestSchedule groups = vectorsAlong(program, nest, machine, dim);
    chooseDot(program, nest, /*rowDims=*/0, machine, groups);
    if (groups.dotDim && isFaster(program, nest, machine, groups, schedule))
      schedule = std::move(groups);
  }
}

void chooseVectors(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
                   NestSchedule &schedule) {
  chooseVectorDimension(program, nest, rowDims, machine, schedule);
  chooseDot(program, nest, rowDims, machine, schedule);
  if (rowDims > 0 || !nest.hasReduction() || schedule.dotDim)
    return;
  std::optional<NestSchedule> steps = chooseSteps(program, nest, machine, schedule);
  if (steps && isFaster(program, nest, machine, *steps, schedule))
    schedule = std::move(*steps);
  chooseGroups(program, nest, machine, schedule);
}

} // namespace cameo::schedule
