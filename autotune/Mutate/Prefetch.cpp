// Fetches a packed operand ahead, or no longer.
#include "autotune/Mutate/Mutator.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class PrefetchMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "prefetch"; }
  double weight() const override { return 0.03; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    if (nest.packedBuffers.empty() || !traits.isAlone)
      return false;
    unsigned buffer = random.pick<unsigned>(nest.packedBuffers);
    auto fetched = llvm::find(nest.prefetchedBuffers, buffer);
    if (fetched != nest.prefetchedBuffers.end())
      nest.prefetchedBuffers.erase(fetched);
    else
      nest.prefetchedBuffers.push_back(buffer);
    llvm::sort(nest.prefetchedBuffers);
    return true;
  }
};

} // namespace

const Mutator *getPrefetchMutator() {
  static const PrefetchMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
