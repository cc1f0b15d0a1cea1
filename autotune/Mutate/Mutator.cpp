#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/RegisterBlock.h"
#include "autotune/Space/SampleNest.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace cameo::schedule;

namespace cameo::autotune {

Mutator::~Mutator() = default;

bool NestMutator::apply(const Space &space, State &state, Random &random) const {
  unsigned number = pickNest(space, state, random);
  const NestTraits &traits = space.nests(state)[number].traits;
  return !traits.isFill && change(traits, state.nests[number], random) && settle(traits, state.nests[number]);
}

llvm::ArrayRef<const Mutator *> mutators() {
  static const Mutator *const all[] = {getTileSizeMutator(),  getRegisterBlockMutator(), getLoopOrderMutator(),
                                       getLevelsMutator(),    getParallelMutator(),      getPrefetchMutator(),
                                       getUnrollingMutator(), getSketchMutator(),        getWinogradMutator()};
  return all;
}

std::vector<double> mutationWeights(const llvm::StringMap<double> &changed) {
  std::vector<double> weights;
  for (const Mutator *mutator : mutators()) {
    auto other = changed.find(mutator->name());
    weights.push_back(other == changed.end() ? mutator->weight() : other->second);
  }
  return weights;
}

std::optional<State> mutate(const Space &space, const State &state, Random &random, llvm::ArrayRef<double> weights) {
  constexpr unsigned attempts = 8;
  double total = 0;
  for (double weight : weights)
    total += weight;
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    double at = random.uniform() * total;
    const Mutator *drawn = mutators().back();
    for (auto [mutator, weight] : llvm::zip_equal(mutators(), weights))
      if ((at -= weight) < 0) {
        drawn = mutator;
        break;
      }
    State child = state;
    if (drawn->apply(space, child, random))
      return child;
  }
  return std::nullopt;
}

unsigned pickNest(const Space &space, const State &state, Random &random) {
  llvm::ArrayRef<NestSpace> nests = space.nests(state);
  // Squared work would forget the small ones, equal chances the large one.
  double total = 0;
  auto chanceOf = [](const NestSpace &nest) { return nest.traits.isFill ? 0 : std::sqrt(nest.traits.operations + 1); };
  for (const NestSpace &nest : nests)
    total += chanceOf(nest);
  double at = random.uniform() * total;
  for (auto [number, nest] : llvm::enumerate(nests))
    if ((at -= chanceOf(nest)) < 0)
      return number;
  return nests.size() - 1;
}

void alignOuterLoops(NestSchedule &nest, unsigned position) {
  int64_t size = nest.loops[position].size;
  for (unsigned outer = position; outer-- > 0;)
    if (Loop &loop = nest.loops[outer]; loop.dim == nest.loops[position].dim)
      size = loop.size = llvm::alignTo(loop.size, size);
}

bool settle(const NestTraits &traits, NestSchedule &schedule) {
  canonicalize(traits, schedule);
  schedule.parallelLoops = std::min(schedule.parallelLoops, mostParallelLoops(traits, schedule));
  if (schedule.parallelLoops == 0)
    schedule.repeatedLoops = 0;
  return isValid(traits, schedule);
}

} // namespace cameo::autotune
