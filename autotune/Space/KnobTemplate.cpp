#include "autotune/Space/KnobTemplate.h"

#include "autotune/Space/RegisterBlock.h"
#include "autotune/Space/SampleNest.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace cameo::schedule;

namespace cameo::autotune {

constexpr int64_t maxInnermost = 64;
constexpr unsigned mostParallel = 3;

static llvm::SmallVector<int64_t> numbersBelow(int64_t count) {
  llvm::SmallVector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

KnobTemplate::KnobTemplate(const Space &space, unsigned variant) : space(space), variant(variant) {
  for (auto [number, nest] : llvm::enumerate(space.allVariants()[variant].nests)) {
    std::string prefix = "nest" + std::to_string(number) + ".";
    const NestTraits &traits = nest.traits;
    NestKnobs own;
    own.sketch = knobs.defineKnob(prefix + "sketch", numbersBelow(nest.sketches.size()));
    for (unsigned dim : traits.parallel)
      own.splits.push_back(knobs.defineSplit(prefix + "tile_d" + std::to_string(dim), traits.extent(dim),
                                             traits.needsTiling ? 3 : 2, SplitPolicy::Verbose, maxInnermost));
    own.order = knobs.defineKnob(prefix + "vector_place", numbersBelow(std::max<size_t>(1, traits.parallel.size())));
    own.innerReduction =
        knobs.defineKnob(prefix + "inner_reduction", numbersBelow(std::max<size_t>(1, traits.reductions.size())));
    own.unroll = knobs.defineKnob(prefix + "unroll", {1, 2, 3, 4, 8, 16});
    own.parallel = knobs.defineKnob(prefix + "parallel", numbersBelow(traits.isAlone ? mostParallel + 1 : 1));
    nests.push_back(std::move(own));
  }
}

std::optional<State> KnobTemplate::instantiate(const KnobPoint &point) const {
  State state;
  state.variant = variant;
  for (auto [nest, own] : llvm::zip_equal(space.allVariants()[variant].nests, nests))
    state.nests.push_back(instantiate(nest, own, point));
  return space.isValid(state) ? std::optional(std::move(state)) : std::nullopt;
}

NestSchedule KnobTemplate::instantiate(const NestSpace &nest, const NestKnobs &own, const KnobPoint &point) const {
  const NestTraits &traits = nest.traits;
  const NestSketch &sketch = nest.sketches[knobs.value(point, own.sketch).front()];
  NestSchedule schedule;
  schedule.vectorDim = sketch.vectorDim;
  schedule.lanes = sketch.lanes;
  schedule.packedBuffers = sketch.packedBuffers;
  schedule.prefetchedBuffers = sketch.prefetchedBuffers;
  llvm::SmallVector<unsigned> order = traits.parallel;
  if (auto vector = llvm::find(order, sketch.vectorDim.value_or(~0U)); vector != order.end()) {
    unsigned dim = *vector;
    order.erase(vector);
    order.insert(order.begin() + knobs.value(point, own.order).front(), dim);
  }
  // Outer tiles first, then the loops around the register block.
  unsigned levels = traits.needsTiling ? 2 : 1;
  for (unsigned level = 0; level < levels; ++level)
    for (unsigned dim : order) {
      unsigned position = llvm::find(traits.parallel, dim) - traits.parallel.begin();
      int64_t size = sketch.vectorDim == dim ? sketch.lanes : 1;
      for (int64_t piece : knobs.value(point, own.splits[position]).drop_front(level))
        size *= piece;
      // The outermost of three pieces is the rest: one that covers the dimension is no tile.
      schedule.loops.push_back({dim, std::min(size, traits.extent(dim))});
    }
  llvm::SmallVector<unsigned> reductions = traits.reductions;
  if (!reductions.empty())
    std::swap(reductions[knobs.value(point, own.innerReduction).front()], reductions.back());
  for (unsigned dim : reductions) {
    int64_t unit = sketch.vectorDim == dim ? sketch.lanes : 1;
    bool isUnrolled = dim == reductions.back() || unit > 1;
    schedule.loops.push_back({dim, unit * (isUnrolled ? knobs.value(point, own.unroll).front() : 1)});
  }
  if (sketch.partial)
    takeInParts(traits, schedule, [](int64_t terms) { return int64_t(1) << (llvm::Log2_64(terms) + 1) / 2; });
  canonicalize(traits, schedule);
  schedule.parallelLoops = std::min<unsigned>(knobs.value(point, own.parallel).front(), mostParallelLoops(traits, schedule));
  return schedule;
}

} // namespace cameo::autotune
