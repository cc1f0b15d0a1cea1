// Moves one loop to another place among those over dimensions of its kind.
#include "autotune/Mutate/Mutator.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

class LoopOrderMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "loop-order"; }
  double weight() const override { return 0.15; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    unsigned spatial = llvm::count_if(nest.loops, [&](const Loop &loop) { return !traits.isReduction(loop.dim); });
    unsigned reductions = nest.loops.size() - spatial;
    // Which loop keeps partial results is a place among the reductions: their order stays.
    bool changesReductions = reductions >= 2 && !nest.partialLoop && (spatial < 2 || random.chance(0.3));
    unsigned begin = changesReductions ? spatial : 0, count = changesReductions ? reductions : spatial;
    if (count < 2)
      return false;
    unsigned from = begin + random.below(count), to = begin + random.below(count);
    if (from == to)
      return false;
    Loop moved = nest.loops[from];
    nest.loops.erase(nest.loops.begin() + from);
    nest.loops.insert(nest.loops.begin() + to, moved);
    return isNested(nest);
  }

private:
  /// Whether loops over one dimension shrink from the outside in; else one of them would do nothing.
  static bool isNested(const NestSchedule &nest) {
    for (auto [number, loop] : llvm::enumerate(nest.loops))
      for (const Loop &inner : llvm::ArrayRef(nest.loops).drop_front(number + 1))
        if (inner.dim == loop.dim && inner.size > loop.size)
          return false;
    return true;
  }
};

} // namespace

const Mutator *getLoopOrderMutator() {
  static const LoopOrderMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
