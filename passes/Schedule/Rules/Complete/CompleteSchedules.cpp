#include "passes/Schedule/Rules/Complete/CompleteSchedules.h"

#include "passes/Schedule/Rules/Complete/BalancePieces.h"
#include "passes/Schedule/Rules/Complete/BlockedSummation.h"
#include "passes/Schedule/Rules/NestCost.h"
#include "passes/Schedule/Rules/Operands/LayOutOperand.h"
#include "passes/Schedule/Rules/OverlapSums.h"

namespace cameo::schedule {

/// Whether every second one of the ordered rows runs backwards. This pays off if all rows read the same data and the
/// first-level cache does not hold them: each row then starts with what the previous row read last. Prefetched data are
/// in the cache in any order.
static bool turnsRows(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, const Machine &machine) {
  double bytesReadAgain = 0;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (isPacked(schedule, node) && !isFetchedInBlocks(nest, schedule, node) && !node.address.dependsOn(rowDims - 1))
      bytesReadAgain += elementsAt(nest, node.address) * static_cast<double>(bytesOf(node.type));
  }
  return bytesReadAgain > static_cast<double>(machine.l1Bytes);
}

/// Whether `nest`, in a group with `rowDims` row dimensions, reads prefetched data in each row that no other row reads.
/// Without products it cannot hide the prefetches itself.
static bool readsRowOnce(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims) {
  return !nest.hasReduction() && !schedule.prefetchedBuffers.empty() &&
         llvm::any_of(nest.loads(/*insideReduction=*/false), [&](NodeId id) {
           const Node &node = nest.nodes[id];
           return isPacked(schedule, node) && isFetchedInBlocks(nest, schedule, node) &&
                  node.address.dependsOn(rowDims - 1);
         });
}

/// Makes all nests of a row prefetch such data for the next row, each one in proportion to its arithmetic.
static void fetchNextRow(const NestGroup &group, llvm::MutableArrayRef<NestSchedule> own, const Machine &machine) {
  if (llvm::any_of(llvm::zip_equal(group.nests, own),
                   [&](auto pair) { return readsRowOnce(std::get<0>(pair), std::get<1>(pair), group.rowDims); }))
    for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
      schedule.fetchWork = arithmeticCycles(nest, machine);
}

void completeSchedule(const LoopNest &nest, unsigned rowDims, NestSchedule &schedule, const Machine &machine) {
  applyBlockedSummation(nest, schedule);
  schedule.combinesSteps = combinesStepsFirst(nest, rowDims, machine, schedule);
  balancePieces(nest, schedule);
}

void completeSchedules(const TaskProgram &program, llvm::MutableArrayRef<NestSchedule> schedules,
                       const Machine &machine) {
  for (const NestGroup &group : program.groups) {
    llvm::MutableArrayRef<NestSchedule> own = schedules.take_front(group.nests.size());
    schedules = schedules.drop_front(own.size());
    for (auto [nest, schedule] : llvm::zip_equal(group.nests, own)) {
      completeSchedule(nest, group.rowDims, schedule, machine);
      schedule.turnsRows = group.orderedDims > 0 && turnsRows(nest, schedule, group.rowDims, machine);
    }
    if (group.rowDims > 0)
      fetchNextRow(group, own, machine);
  }
}

} // namespace cameo::schedule
