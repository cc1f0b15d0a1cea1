// Another size for one loop; loops around it over the same dimension follow where blocks must fit into them.
#include "autotune/Mutate/Mutator.h"

#include "autotune/Space/SampleNest.h"

using namespace cameo::schedule;

namespace cameo::autotune {
namespace {

constexpr unsigned mostTileSizes = 64;

class TileSizeMutator : public NestMutator {
public:
  llvm::StringRef name() const override { return "tile-size"; }
  double weight() const override { return 0.4; }

protected:
  bool change(const NestTraits &traits, NestSchedule &nest, Random &random) const override {
    if (nest.loops.empty())
      return false;
    unsigned position = random.below(nest.loops.size());
    llvm::SmallVector<int64_t> sizes = sizesFor(traits, nest, position);
    auto current = llvm::lower_bound(sizes, nest.loops[position].size);
    if (sizes.size() < 2)
      return false;
    int64_t size = random.pick<int64_t>(sizes);
    // Neighbours are often better still.
    if (random.chance(0.5)) {
      int64_t index = current - sizes.begin() + (random.chance(0.5) ? 1 : -1);
      size = sizes[std::clamp<int64_t>(index, 0, sizes.size() - 1)];
    }
    if (size == nest.loops[position].size)
      return false;
    nest.loops[position].size = size;
    alignOuterLoops(nest, position);
    return true;
  }

private:
  /// Of an innermost loop any number of pieces; of others multiples of what is inside.
  static llvm::SmallVector<int64_t> sizesFor(const NestTraits &traits, const NestSchedule &nest, unsigned position) {
    unsigned dim = nest.loops[position].dim;
    int64_t extent = traits.extent(dim), unit = pieceUnit(*traits.nest, nest, dim);
    for (const Loop &loop : llvm::ArrayRef(nest.loops).drop_front(position + 1))
      if (loop.dim == dim)
        unit = loop.size;
    if (!traits.isReduction(dim))
      return pieceSizes(extent, unit, mostTileSizes);
    llvm::SmallVector<int64_t> sizes;
    for (int64_t factor : {1, 2, 3, 4, 6, 8, 12, 16, 32, 64})
      if (factor * unit <= extent)
        sizes.push_back(factor * unit);
    return sizes;
  }
};

} // namespace

const Mutator *getTileSizeMutator() {
  static const TileSizeMutator mutator;
  return &mutator;
}

} // namespace cameo::autotune
