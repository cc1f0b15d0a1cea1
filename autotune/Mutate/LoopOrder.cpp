// Moves one loop to another place: mostly among those over dimensions of its kind, since sums that go through memory
// seldom pay.
#include "autotune/Mutate/Mutator.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

/// That a loop over a reduction and one over a parallel dimension change sides.
constexpr double crossingChance = 0.3;

class LoopOrderMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "loop-order"; }
  double weight() const override { return 0.15; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    auto isReduction = [&](const Loop &loop) { return traits.isReduction(loop.dim); };
    // Which loop keeps partial results is a place among the reductions: their order stays.
    unsigned count = nest.partialLoop ? llvm::find_if(nest.loops, isReduction) - nest.loops.begin() : nest.loops.size();
    if (count < 2)
      return false;
    unsigned from = random.below(count), to = random.below(count);
    if (from == to)
      return false;
    auto passed = llvm::ArrayRef(nest.loops).slice(std::min(from, to), std::max(from, to) - std::min(from, to) + 1);
    bool staysInside = llvm::all_of(passed, isReduction) || llvm::none_of(passed, isReduction);
    if (!staysInside && !random.chance(crossingChance))
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
