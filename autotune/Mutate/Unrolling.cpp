// Other steps of a reduction in one iteration: what fits the processor's front end best no model of the core tells.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

#include "llvm/ADT/SmallSet.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

constexpr int64_t steps[] = {1, 2, 3, 4, 6, 8, 12, 16};

class UnrollingMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "unrolling"; }
  double weight() const override { return 0.1; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    llvm::SmallVector<Loop *> innermost;
    llvm::SmallSet<unsigned, 4> dims;
    for (Loop &loop : llvm::reverse(nest.loops))
      if (traits.isReduction(loop.dim) && dims.insert(loop.dim).second)
        innermost.push_back(&loop);
    if (innermost.empty())
      return false;
    // The last loop more often than not: those around it are over the sides of windows.
    Loop &loop = random.chance(0.7) ? *innermost.front() : *random.pick<Loop *>(innermost);
    int64_t unit = pieceUnit(*traits.nest, nest, loop.dim), size = unit * random.pick<int64_t>(steps);
    if (size == loop.size || size > traits.extent(loop.dim))
      return false;
    loop.size = size;
    alignOuterLoops(nest, &loop - nest.loops.begin());
    return true;
  }
};

} // namespace

const Mutator *getUnrollingMutator() {
  static const UnrollingMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
