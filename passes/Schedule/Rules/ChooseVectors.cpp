// Scores choose a dimension. Where its vectors leave lanes empty, blocks with steps in lanes are estimated as well.
#include "passes/Schedule/Rules/ChooseVectors.h"

namespace cameo::schedule {

/// Whether blocks of `steps`, whose lanes are steps, take less time than those of `chosen`. A core that begins one
/// multiply-add of whole vectors begins two of half vectors.
static bool areStepsFaster(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                           const NestSchedule &chosen, const NestSchedule &steps) {
  constexpr double besideHalfVectors = 1.75;
  bool isHalf = 2 * chosen.lanes <= steps.lanes;
  double more = isHalf && machine.multiplyAdds < 2 ? besideHalfVectors : 1;
  return more * registerBlockCycles(program, nest, machine, steps) <
         registerBlockCycles(program, nest, machine, chosen);
}

void chooseVectors(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
                   NestSchedule &schedule) {
  chooseVectorDimension(program, nest, rowDims, machine, schedule);
  chooseDot(program, nest, rowDims, machine, schedule);
  if (rowDims > 0 || !nest.hasReduction() || schedule.dotDim)
    return;
  std::optional<NestSchedule> steps = chooseSteps(program, nest, machine, schedule);
  if (steps && areStepsFaster(program, nest, machine, schedule, *steps))
    schedule = std::move(*steps);
}

} // namespace cameo::schedule
