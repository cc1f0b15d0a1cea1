// How many loops share the work among threads.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class ParallelMutator : public Mutator {
public:
  llvm::StringRef name() const override { return "parallel"; }
  double weight() const override { return 0.05; }

  bool apply(const Space &space, State &state, Random &random) const override {
    unsigned number = pickNest(space, state, random);
    const NestTraits &traits = space.nests(state)[number].traits;
    NestSchedule &nest = state.nests[number];
    unsigned most = mostParallelLoops(traits, nest);
    if (most == 0)
      return false;
    // Another number than it has: most + 1 are possible.
    unsigned loops = random.below(most);
    nest.parallelLoops = loops + (loops >= nest.parallelLoops);
    return settle(traits, nest);
  }
};

} // namespace

const Mutator *getParallelMutator() {
  static const ParallelMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
