// Moves independent loops over tensors next to each other, so that one kernel runs each on a thread of its own: for
// example the two directions of a recurrent layer.
#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Nests/IndependentNests.h"

namespace cameo::schedule {
namespace {

using Groups = std::vector<NestGroup>;

bool isApart(const NestGroup &group, llvm::ArrayRef<const NestGroup *> others) {
  return llvm::all_of(others, [&](const NestGroup *other) { return areIndependent(group, *other); });
}

/// Reorders the groups from `first` to `last`, both of them loops, so that the two become neighbours: groups that are
/// independent of `first` go before it, the others go after both. Returns false if that is not possible.
bool bringTogether(Groups &groups, size_t first, size_t last) {
  llvm::SmallVector<size_t> ahead, behind;
  llvm::SmallVector<const NestGroup *> held = {&groups[first]};
  for (size_t number = first + 1; number < last; ++number) {
    bool waits = !isApart(groups[number], held);
    (waits ? behind : ahead).push_back(number);
    if (waits)
      held.push_back(&groups[number]);
  }
  if (!isApart(groups[last], held))
    return false;
  llvm::SmallVector<size_t> order(ahead);
  order.append({first, last});
  order.append(behind);
  Groups moved;
  for (size_t number : order)
    moved.push_back(std::move(groups[number]));
  std::move(moved.begin(), moved.end(), groups.begin() + first);
  return true;
}

} // namespace

/// The length limit does not depend on the target machine, because the steps of a schedule number the nests of a task
/// independently of the target.
void gatherLoops(TaskProgram &program) {
  Groups &groups = program.groups;
  std::optional<size_t> first;
  for (size_t number = 0; number < groups.size(); ++number) {
    if (!isLongLoop(groups[number], Machine().shareCycles))
      continue;
    bool areTogether = first && bringTogether(groups, *first, number);
    first = areTogether ? std::nullopt : std::optional(number);
  }
}

} // namespace cameo::schedule
