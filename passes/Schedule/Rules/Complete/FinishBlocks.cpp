#include "passes/Schedule/Rules/Complete/FinishBlocks.h"

namespace cameo::schedule {

/// The number of long functions to interleave: the steps of one depend on each other, those of different ones do not.
constexpr int64_t enoughFunctions = 4;

bool canFinishInLoop(const LoopNest &nest, const NestSchedule &schedule) {
  return nest.hasReduction() && schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction &&
         llvm::none_of(nest.reductions,
                       [&](const Reduction &reduction) { return nest.nodes[reduction.initial].type.isInteger(1); });
}

/// Whether a loop should compute the functions of the results: unrolled for all points of a block, LLVM interleaves
/// them and spills many registers.
static bool finishesInLoop(const LoopNest &nest, const NestSchedule &schedule) {
  auto isOfResults = [](const Node &node) { return node.usesAccumulator && isLongFunction(node); };
  return canFinishInLoop(nest, schedule) && llvm::any_of(nest.nodes, isOfResults) &&
         llvm::any_of(nest.computed(/*insideReduction=*/false), [&](NodeId id) { return isOfResults(nest.nodes[id]); });
}

void finishBlocks(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules) {
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      NestSchedule &schedule = schedules.consume_front();
      schedule.functionsInTurns = llvm::any_of(nest.nodes, isLongFunction) ? enoughFunctions : 1;
      schedule.finishesInLoop = schedule.functionsInTurns > 1 && finishesInLoop(nest, schedule);
    }
}

} // namespace cameo::schedule
