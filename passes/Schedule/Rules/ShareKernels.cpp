#include "passes/Schedule/Rules/ShareKernels.h"

#include "passes/Schedule/Nests/IndependentNests.h"

namespace cameo::schedule {

/// The compile time of LLVM grows at least quadratically with the number of consecutive loops in a function.
constexpr size_t mostNests = 32;

size_t countTogether(llvm::ArrayRef<NestGroup> groups, const Machine &machine) {
  size_t count = 1, nests = groups.front().nests.size();
  auto isOfKind = [&](const NestGroup &next) {
    return groups.front().isLoop()
               ? isLongLoop(groups.front(), machine.shareCycles) && isLongLoop(next, machine.shareCycles)
               : isAlone(groups.front()) && isAlone(next);
  };
  auto joins = [&](const NestGroup &next) {
    return isOfKind(next) && nests + next.nests.size() <= mostNests &&
           llvm::all_of(groups.take_front(count),
                        [&](const NestGroup &group) { return isOfKind(group) && areIndependent(group, next); });
  };
  for (; count < groups.size() && (groups[count].continues || joins(groups[count])); ++count)
    nests += groups[count].nests.size();
  return count;
}

void shareKernels(TaskProgram &program, const Machine &machine) {
  for (llvm::MutableArrayRef<NestGroup> left = program.groups; !left.empty();) {
    size_t count = countTogether(left, machine);
    for (auto [number, group] : llvm::enumerate(left.take_front(count)))
      group.sharesKernel = number > 0;
    left = left.drop_front(count);
  }
}

} // namespace cameo::schedule
