// Moves points of the register block from one dimension to another: single sizes cannot change when the registers are
// full.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

constexpr unsigned mostBlockSizes = 32;

class RegisterBlockMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "register-block"; }
  double weight() const override { return 0.2; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    if (traits.parallel.size() < 2)
      return false;
    llvm::SmallVector<unsigned> dims = traits.parallel;
    random.shuffle(dims);
    for (unsigned dim : {dims[0], dims[1]}) {
      int64_t unit = pieceUnit(*traits.nest, nest, dim);
      setBlock(nest, dim, random.pick<int64_t>(pieceSizes(traits.extent(dim), unit, mostBlockSizes)));
    }
    return true;
  }

private:
  /// The innermost loop over `dim` gets pieces of `size`, a new one where there is none; loops around it stay
  /// multiples.
  static void setBlock(NestSchedule &nest, unsigned dim, int64_t size) {
    bool isInnermost = true;
    for (Loop &loop : llvm::reverse(nest.loops)) {
      if (loop.dim != dim)
        continue;
      loop.size = isInnermost ? size : llvm::alignTo(loop.size, size);
      size = loop.size;
      isInnermost = false;
    }
    if (!isInnermost)
      return;
    // In front of all: no other loop's place among the parallel ones changes but by one.
    nest.loops.insert(nest.loops.begin(), Loop{dim, size});
    if (nest.parallelLoops > 0)
      ++(nest.repeatedLoops > 0 ? nest.repeatedLoops : nest.parallelLoops);
    if (nest.partialLoop)
      ++*nest.partialLoop;
  }
};

} // namespace

const Mutator *getRegisterBlockMutator() {
  static const RegisterBlockMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
