// How many loops share the work among threads.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class ParallelMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "parallel"; }
  double weight() const override { return 0.05; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    unsigned before = nest.parallelLoops;
    nest.parallelLoops = otherParallelLoops(traits, nest, random);
    return nest.parallelLoops != before;
  }
};

} // namespace

const Mutator *getParallelMutator() {
  static const ParallelMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
