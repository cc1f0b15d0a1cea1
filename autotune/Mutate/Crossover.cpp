#include "autotune/Mutate/Mutator.h"

using namespace cameo::schedule;

namespace cameo::autotune {

/// Whether no loop over a reduction is around one over a parallel dimension.
static bool reducesInside(const NestTraits &traits, const NestSchedule &schedule) {
  return llvm::is_sorted(schedule.loops, [&](const Loop &a, const Loop &b) {
    return !traits.isReduction(a.dim) && traits.isReduction(b.dim);
  });
}

/// Loops over parallel dimensions of `spatial`, loops over reductions of `reducing`; both vectorise the same way.
static NestSchedule join(const NestTraits &traits, const NestSchedule &spatial, const NestSchedule &reducing) {
  NestSchedule child = spatial;
  child.partialLoop.reset();
  llvm::erase_if(child.loops, [&](const Loop &loop) { return traits.isReduction(loop.dim); });
  for (auto [number, loop] : llvm::enumerate(reducing.loops)) {
    if (!traits.isReduction(loop.dim))
      continue;
    if (reducing.partialLoop == number)
      child.partialLoop = child.loops.size();
    child.loops.push_back(loop);
  }
  return child;
}

std::optional<State> crossOver(const Space &space, const State &mother, const State &father, Random &random) {
  if (mother.variant != father.variant)
    return std::nullopt;
  State child = mother;
  for (auto [number, nest] : llvm::enumerate(child.nests)) {
    const NestSchedule &other = father.nests[number];
    const NestTraits &traits = space.nests(mother)[number].traits;
    bool joins = nest.vectorDim == other.vectorDim && nest.lanes == other.lanes && nest.dotDim == other.dotDim &&
                 reducesInside(traits, nest) && reducesInside(traits, other) && random.chance(0.5);
    if (joins)
      nest = join(traits, nest, other);
    else if (random.chance(0.5))
      nest = other;
    if (!settle(traits, nest))
      return std::nullopt;
  }
  return child;
}

} // namespace cameo::autotune
