// One level of tiles more or less along one dimension.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

constexpr unsigned mostLoopsPerDimension = 4;

class LevelsMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "levels"; }
  double weight() const override { return 0.1; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    if (nest.loops.empty())
      return false;
    return random.chance(0.5) ? addTile(traits, nest, random) : removeTile(nest, random);
  }

private:
  /// A loop over larger pieces, somewhere outside of an innermost loop.
  static bool addTile(const NestTraits &traits, NestSchedule &nest, Random &random) {
    unsigned inside = random.below(nest.loops.size());
    Loop loop = nest.loops[inside];
    auto isSame = [&](const Loop &other) { return other.dim == loop.dim; };
    int64_t left = traits.extent(loop.dim);
    for (const Loop &outer : llvm::ArrayRef(nest.loops).take_front(inside))
      if (isSame(outer))
        left = std::min(left, outer.size);
    int64_t pieces = llvm::divideCeil(left, loop.size);
    if (pieces < 4 || (traits.isReduction(loop.dim) && nest.partialLoop) ||
        llvm::count_if(nest.loops, isSame) >= mostLoopsPerDimension)
      return false;
    loop.size *= 2 + random.below(pieces / 2);
    unsigned place = random.below(inside + 1);
    // Outside of what encloses it there may be no larger pieces.
    for (unsigned outer = place; outer < inside; ++outer)
      if (isSame(nest.loops[outer]))
        place = outer + 1;
    nest.loops.insert(nest.loops.begin() + place, loop);
    if (nest.partialLoop)
      ++*nest.partialLoop;
    return true;
  }

  /// Removes a loop that has another one over the same dimension inside of it.
  static bool removeTile(NestSchedule &nest, Random &random) {
    llvm::SmallVector<unsigned> removable;
    for (auto [number, loop] : llvm::enumerate(nest.loops))
      if (nest.partialLoop != number && llvm::any_of(llvm::ArrayRef(nest.loops).drop_front(number + 1),
                                                     [&](const Loop &inner) { return inner.dim == loop.dim; }))
        removable.push_back(number);
    if (removable.empty())
      return false;
    unsigned position = random.pick<unsigned>(removable);
    nest.loops.erase(nest.loops.begin() + position);
    if (position < nest.parallelEnd())
      --(position < nest.repeatedLoops ? nest.repeatedLoops : nest.parallelLoops);
    if (nest.partialLoop && position < *nest.partialLoop)
      --*nest.partialLoop;
    return true;
  }
};

} // namespace

const Mutator *getLevelsMutator() {
  static const LevelsMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
