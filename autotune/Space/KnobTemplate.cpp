#include "autotune/Space/KnobTemplate.h"

#include "autotune/Space/RegisterBlock.h"
#include "autotune/Space/SampleNest.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace cameo::schedule;

namespace cameo::autotune {

constexpr int64_t maxKnobInnermost = 64;
constexpr unsigned mostParallel = 3;
constexpr int64_t usualUnrolling[] = {1, 2, 3, 4, 8, 16};

static llvm::SmallVector<int64_t> numbersBelow(int64_t count) {
  llvm::SmallVector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

KnobTemplate::KnobTemplate(const Space &space, unsigned variant, const TaskKnobDefinitions *definitions)
    : space(space), variant(variant) {
  for (auto [number, nest] : llvm::enumerate(space.allVariants()[variant].nests)) {
    const NestKnobDefinitions *own = &none;
    if (definitions)
      if (auto defined = definitions->nests.find(static_cast<unsigned>(number)); defined != definitions->nests.end())
        own = &defined->second;
    nests.push_back(defineKnobs(static_cast<unsigned>(number), nest.traits, nest.sketches.size(), *own));
  }
}

KnobTemplate::NestKnobs KnobTemplate::defineKnobs(unsigned number, const NestTraits &traits, size_t sketches,
                                                  const NestKnobDefinitions &definitions) {
  std::string prefix = "nest" + std::to_string(number) + ".";
  auto defineSplit = [&](unsigned dim, const NestKnobDefinitions::Split &split) {
    std::string name = prefix + "tile_d" + std::to_string(dim);
    if (!split.candidates.empty())
      return knobs.defineSplit(name, split.candidates);
    return knobs.defineSplit(name, traits.extent(dim), split.pieces, split.policy, split.maxFactor);
  };
  NestKnobs own;
  own.definitions = &definitions;
  own.sketch = knobs.defineKnob(prefix + "sketch", numbersBelow(sketches));
  for (unsigned dim : traits.parallel) {
    auto defined = definitions.splits.find(dim);
    own.splits.push_back(
        defined != definitions.splits.end()
            ? defineSplit(dim, defined->second)
            : defineSplit(dim, {traits.needsTiling ? 3U : 2U, SplitPolicy::Verbose, maxKnobInnermost, {}, 0}));
  }
  for (unsigned dim : traits.reductions)
    if (auto defined = definitions.splits.find(dim); defined != definitions.splits.end())
      own.reductionSplits[dim] = defineSplit(dim, defined->second);
  bool permutes = definitions.reorder == ReorderPolicy::All;
  if (permutes)
    own.permutation =
        knobs.defineReorder(prefix + "order", static_cast<unsigned>(traits.parallel.size()), ReorderPolicy::All);
  if (definitions.reorder == ReorderPolicy::Interleave)
    own.interleave = knobs.defineKnob(prefix + "interleave", {0, 1});
  bool isFixed = definitions.reorder.has_value();
  own.order = knobs.defineKnob(prefix + "vector_place",
                               numbersBelow(isFixed ? 1 : std::max<size_t>(1, traits.parallel.size())));
  own.innerReduction =
      knobs.defineKnob(prefix + "inner_reduction", numbersBelow(std::max<size_t>(1, traits.reductions.size())));
  if (definitions.annotate)
    own.annotate = knobs.defineAnnotate(prefix + "annotate", *definitions.annotate);
  llvm::ArrayRef<int64_t> unroll = definitions.unroll, parallel = definitions.parallel;
  own.unroll = knobs.defineKnob(prefix + "unroll", unroll.empty() ? llvm::ArrayRef(usualUnrolling) : unroll);
  own.parallel =
      knobs.defineKnob(prefix + "parallel", parallel.empty() ? numbersBelow(traits.isAlone ? mostParallel + 1 : 1)
                                                             : llvm::SmallVector<int64_t>(parallel));
  return own;
}

llvm::Error KnobTemplate::check(const Space &space, const TaskKnobDefinitions &definitions) {
  const std::deque<Variant> &variants = space.allVariants();
  auto fail = [&](unsigned line, const llvm::Twine &what) {
    return llvm::createStringError(definitions.file + ":" + llvm::Twine(line) + ": " + what);
  };
  size_t count = variants.front().nests.size();
  for (const auto &[number, nest] : definitions.nests) {
    if (number >= count)
      return fail(definitions.line,
                  "expected a nest from 0 to " + llvm::Twine(count - 1) + ", got " + llvm::Twine(number));
    const NestTraits &traits = variants.front().nests[number].traits;
    auto isParallel = [&](unsigned dim) { return llvm::is_contained(traits.parallel, dim); };
    bool splitsReduction = false;
    for (const auto &[dim, split] : nest.splits) {
      if (!isParallel(dim) && !llvm::is_contained(traits.reductions, dim))
        return fail(split.line, "nest " + llvm::Twine(number) + " has no dimension d" + llvm::Twine(dim) + " to split");
      if (!isParallel(dim) && split.pieces != 2)
        return fail(split.line,
                    "d" + llvm::Twine(dim) + " is a reduction: expected pieces=2, got " + llvm::Twine(split.pieces));
      splitsReduction |= !isParallel(dim);
    }
    for (const NestKnobDefinitions::Filter &filter : nest.filters)
      for (unsigned dim : filter.dims)
        if (!isParallel(dim))
          return fail(filter.line, "nest " + llvm::Twine(number) + " has no dimension d" + llvm::Twine(dim) +
                                       " that is not a reduction");
    constexpr size_t mostPermuted = 6;
    if (nest.reorder == ReorderPolicy::All && traits.parallel.size() > mostPermuted)
      return fail(definitions.line, "reorder policy=all: expected at most " + llvm::Twine(mostPermuted) +
                                        " dimensions, got " + llvm::Twine(traits.parallel.size()));
    if (nest.reorder == ReorderPolicy::Interleave && !splitsReduction)
      return fail(definitions.line, "reorder policy=interleave: expected a split of a reduction");
  }
  return llvm::Error::success();
}

std::optional<State> KnobTemplate::instantiate(const KnobPoint &point) const {
  State state;
  state.variant = variant;
  for (auto [nest, own] : llvm::zip_equal(space.allVariants()[variant].nests, nests)) {
    std::optional<NestSchedule> schedule = instantiate(nest, own, point);
    if (!schedule)
      return std::nullopt;
    state.nests.push_back(std::move(*schedule));
  }
  return space.isValid(state) ? std::optional(std::move(state)) : std::nullopt;
}

/// Adds the outer tiles, then the loops around the register block; with interleaving, the outer reduction loops are
/// between the two.
void KnobTemplate::addParallelLoops(const NestTraits &traits, llvm::ArrayRef<unsigned> order, const NestKnobs &own,
                                    const KnobPoint &point, NestSchedule &schedule) const {
  auto piecesOf = [&](unsigned dim) {
    return knobs.value(point, own.splits[llvm::find(traits.parallel, dim) - traits.parallel.begin()]);
  };
  auto unitOf = [&](unsigned dim) { return schedule.vectorDim == dim ? static_cast<int64_t>(schedule.lanes) : 1; };
  size_t levels = 0;
  for (unsigned dim : order)
    levels = std::max(levels, piecesOf(dim).size());
  bool isInterleaved = own.interleave && knobs.value(point, *own.interleave).front() == 1;
  auto addOuterReductions = [&] {
    for (auto [dim, knob] : own.reductionSplits)
      schedule.loops.push_back({dim, std::min(unitOf(dim) * knobs.value(point, knob).front(), traits.extent(dim))});
  };
  for (size_t level = 0; level < levels; ++level) {
    if (isInterleaved && level + 1 == levels)
      addOuterReductions();
    for (unsigned dim : order) {
      llvm::ArrayRef<int64_t> pieces = piecesOf(dim);
      size_t first = levels - pieces.size();
      if (level < first)
        continue;
      int64_t size = unitOf(dim);
      for (int64_t piece : pieces.drop_front(level - first))
        size *= piece;
      // The outermost piece is the remainder: a piece that covers the dimension needs no loop.
      schedule.loops.push_back({dim, std::min(size, traits.extent(dim))});
    }
  }
  if (!isInterleaved)
    addOuterReductions();
}

void KnobTemplate::addReductions(const NestTraits &traits, const NestKnobs &own, const KnobPoint &point,
                                 bool isUnrolled, NestSchedule &schedule) const {
  llvm::SmallVector<unsigned> reductions = traits.reductions;
  if (!reductions.empty())
    std::swap(reductions[knobs.value(point, own.innerReduction).front()], reductions.back());
  for (unsigned dim : reductions) {
    int64_t unit = schedule.vectorDim == dim ? schedule.lanes : 1;
    bool mayUnroll = isUnrolled && (dim == reductions.back() || unit > 1);
    schedule.loops.push_back({dim, unit * (mayUnroll ? knobs.value(point, own.unroll).front() : 1)});
  }
}

bool KnobTemplate::isFiltered(const NestTraits &traits, const NestKnobs &own, const KnobPoint &point) const {
  return llvm::any_of(own.definitions->filters, [&](const NestKnobDefinitions::Filter &filter) {
    double product = 1;
    for (unsigned dim : filter.dims)
      product *= static_cast<double>(
          knobs.value(point, own.splits[llvm::find(traits.parallel, dim) - traits.parallel.begin()]).back());
    return product > static_cast<double>(filter.most);
  });
}

std::optional<NestSchedule> KnobTemplate::instantiate(const NestSpace &nest, const NestKnobs &own,
                                                      const KnobPoint &point) const {
  const NestTraits &traits = nest.traits;
  if (isFiltered(traits, own, point))
    return std::nullopt;
  const NestSketch &sketch = nest.sketches[knobs.value(point, own.sketch).front()];
  enum { Plain, Unrolled, Vectorised };
  int64_t annotation = own.annotate ? knobs.value(point, *own.annotate).front() : Vectorised;
  NestSchedule schedule;
  if (annotation == Vectorised) {
    schedule.vectorDim = sketch.vectorDim;
    schedule.lanes = sketch.lanes;
    schedule.packedBuffers = sketch.packedBuffers;
    schedule.prefetchedBuffers = sketch.prefetchedBuffers;
  }
  llvm::SmallVector<unsigned> order = traits.parallel;
  if (own.permutation) {
    for (auto [position, number] : llvm::enumerate(knobs.value(point, *own.permutation)))
      order[position] = traits.parallel[number];
  } else if (auto vector = llvm::find(order, schedule.vectorDim.value_or(~0U));
             vector != order.end() && !own.definitions->reorder) {
    unsigned dim = *vector;
    order.erase(vector);
    order.insert(order.begin() + knobs.value(point, own.order).front(), dim);
  }
  addParallelLoops(traits, order, own, point, schedule);
  addReductions(traits, own, point, annotation != Plain, schedule);
  if (sketch.partial)
    takeInParts(traits, schedule, [](int64_t terms) { return int64_t(1) << (llvm::Log2_64(terms) + 1) / 2; });
  canonicalize(traits, schedule);
  schedule.parallelLoops =
      std::min<unsigned>(knobs.value(point, own.parallel).front(), mostParallelLoops(traits, schedule));
  return schedule;
}

} // namespace cameo::autotune
