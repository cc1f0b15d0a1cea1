#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"

#include "passes/Schedule/Rules/Complete/BalancePieces.h"
#include "passes/Schedule/Rules/Complete/BlockedSummation.h"
#include "passes/Schedule/Rules/LayOutOperand.h"
#include "passes/Schedule/Rules/NestCost.h"

namespace cameo::schedule {

/// Whether every second row of a group that runs them in order goes backwards: where all rows read so much again that
/// the first level does not hold it, each begins with what the one before read last. What is fetched ahead is there in
/// any order.
static bool turnsRows(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, const Machine &machine) {
  double bytesReadAgain = 0;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (isPacked(schedule, node) && !isFetchedInBlocks(nest, schedule, node) && !node.address.dependsOn(rowDims - 1))
      bytesReadAgain += elementsAt(nest, node.address) * static_cast<double>(bytesOf(node.type));
  }
  return bytesReadAgain > static_cast<double>(machine.l1Bytes);
}

/// Whether `nest`, of a group with `rowDims`, reads in each row what no other row does, once, fetched ahead: without
/// products it has nothing to hide that behind.
static bool readsRowOnce(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims) {
  return !nest.hasReduction() && !schedule.prefetchedBuffers.empty() &&
         llvm::any_of(nest.loads(/*insideReduction=*/false), [&](NodeId id) {
           const Node &node = nest.nodes[id];
           return isPacked(schedule, node) && isFetchedInBlocks(nest, schedule, node) &&
                  node.address.dependsOn(rowDims - 1);
         });
}

/// All nests of a row ask for what the next one reads so, each for a part by its arithmetic.
static void fetchNextRow(const NestGroup &group, llvm::MutableArrayRef<NestSchedule> own, const Machine &machine) {
  if (llvm::any_of(llvm::zip_equal(group.nests, own),
                   [&](auto pair) { return readsRowOnce(std::get<0>(pair), std::get<1>(pair), group.rowDims); }))
    for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
      schedule.fetchWork = arithmeticCycles(nest, machine);
}

void completeSchedule(const LoopNest &nest, NestSchedule &schedule) {
  applyBlockedSummation(nest, schedule);
  balancePieces(nest, schedule);
}

void completeSchedules(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules,
                       const Machine &machine) {
  for (const NestGroup &group : program.groups) {
    llvm::MutableArrayRef<NestSchedule> own = schedules.take_front(group.nests.size());
    schedules = schedules.drop_front(own.size());
    for (auto [nest, schedule] : llvm::zip_equal(group.nests, own)) {
      completeSchedule(nest, schedule);
      schedule.turnsRows = group.orderedDims > 0 && turnsRows(nest, schedule, group.rowDims, machine);
    }
    if (group.rowDims > 0)
      fetchNextRow(group, own, machine);
  }
}

} // namespace cameo::schedule
