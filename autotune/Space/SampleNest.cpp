// Chooses the register block first, within the registers, then the tiles around it, level by level, and finally orders,
// unrolling and parallel loops.
#include "autotune/Space/SampleNest.h"

#include "autotune/Space/RegisterBlock.h"
#include "passes/Schedule/Nests/FlattenedRows.h"
#include "passes/Schedule/Steps/VerifySchedule.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo::schedule;

namespace cameo::autotune {

constexpr unsigned attempts = 16;
/// The number of pieces per thread that balances the load.
constexpr int64_t piecesPerThread = 16;
/// With fewer operations, a nest takes hardly longer than a dispatch.
constexpr double dispatchOperations = 1e5;
/// Ansor's limit on the innermost tile.
constexpr int64_t maxInnermost = 64;

llvm::SmallVector<int64_t> pieceSizes(int64_t extent, int64_t unit, unsigned most) {
  llvm::SmallVector<int64_t> sizes;
  int64_t units = llvm::divideCeil(extent, unit);
  for (int64_t size = 1; size <= units && sizes.size() < most; ++size)
    if (size == static_cast<int64_t>(llvm::divideCeil(units, llvm::divideCeil(units, size))))
      sizes.push_back(size * unit);
  return sizes;
}

int64_t pieceUnit(const LoopNest &nest, const NestSchedule &schedule, unsigned dim) {
  if (schedule.dotDim == dim)
    return dotGroup;
  return schedule.vectorDim == dim ? schedule.lanes * vectorsPerPeriod(nest, dim, schedule.lanes) : 1;
}

unsigned mostParallelLoops(const NestTraits &traits, const NestSchedule &schedule) {
  if (!traits.isAlone)
    return 0;
  uint64_t seen = 0;
  unsigned count = 0;
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    if (traits.isReduction(loop.dim) || (seen >> loop.dim) & 1)
      break;
    seen |= uint64_t(1) << loop.dim;
    count += number >= schedule.repeatedLoops;
  }
  return count;
}

unsigned enoughParallelLoops(const NestTraits &traits, const NestSchedule &schedule) {
  unsigned most = mostParallelLoops(traits, schedule);
  NestSchedule tried = schedule;
  for (tried.parallelLoops = 0; tried.parallelLoops < most; ++tried.parallelLoops)
    if (parallelExtent(*traits.nest, tried) >= piecesPerThread * traits.threads)
      break;
  return tried.parallelLoops;
}

unsigned otherParallelLoops(const NestTraits &traits, const NestSchedule &schedule, Random &random) {
  if (traits.threads == 1)
    return schedule.parallelLoops > 0 ? 0 : enoughParallelLoops(traits, schedule);
  unsigned most = mostParallelLoops(traits, schedule);
  if (most == 0)
    return 0;
  // One of the other numbers: most + 1 numbers are possible.
  unsigned loops = random.below(most);
  return loops + (loops >= schedule.parallelLoops);
}

void takeInParts(const NestTraits &traits, NestSchedule &schedule,
                 llvm::function_ref<int64_t(int64_t terms)> choosePart) {
  constexpr int64_t minTerms = 4;
  auto terms = [&](const Loop &loop) { return traits.isReduction(loop.dim) ? traits.extent(loop.dim) / loop.size : 0; };
  auto longest = std::max_element(schedule.loops.begin(), schedule.loops.end(),
                                  [&](const Loop &a, const Loop &b) { return terms(a) < terms(b); });
  if (longest == schedule.loops.end() || terms(*longest) < minTerms)
    return;
  Loop around{longest->dim, longest->size * choosePart(terms(*longest))};
  schedule.partialLoop = longest - schedule.loops.begin();
  schedule.loops.insert(longest, around);
}

bool isValid(const NestTraits &traits, const NestSchedule &schedule) {
  return isReasonable(traits, schedule) && verify(*traits.nest, schedule, traits.rowDims, traits.machine).empty();
}

namespace {

class Sampler {
public:
  Sampler(const NestTraits &traits, const NestSketch &sketch, Random &random)
      : traits(traits), sketch(sketch), random(random) {}

  NestSchedule run() {
    schedule.vectorDim = sketch.vectorDim;
    schedule.lanes = sketch.lanes;
    schedule.packedBuffers = sketch.packedBuffers;
    schedule.prefetchedBuffers = sketch.prefetchedBuffers;
    schedule.dotDim = sketch.dotDim;
    sizes.assign(traits.nest->dims.size(), 1);
    chooseReductionBlock();
    chooseParallelBlock();
    chooseLoops();
    if (sketch.partial)
      takeInParts(traits, schedule, [&](int64_t terms) {
        return int64_t(2) << random.below(std::max<unsigned>(1, llvm::Log2_64(terms) - 1));
      });
    canonicalize(traits, schedule);
    chooseParallelLoops();
    return std::move(schedule);
  }

private:
  int64_t unitOf(unsigned dim) const { return pieceUnit(*traits.nest, schedule, dim); }

  /// Unrolls the innermost dimension, and sometimes short other ones.
  void chooseReductionBlock() {
    reductionOrder = traits.reductions;
    if (random.chance(0.5))
      random.shuffle(reductionOrder);
    for (unsigned dim : reductionOrder) {
      int64_t extent = traits.extent(dim), unit = unitOf(dim);
      bool isInnermost = dim == reductionOrder.back() || unit > 1;
      llvm::SmallVector<int64_t> unrolled;
      for (int64_t factor : {1, 2, 3, 4, 6, 8, 16})
        if (factor * unit <= extent)
          unrolled.push_back(factor * unit);
      if (extent <= 8)
        unrolled.push_back(extent);
      if (!isInnermost)
        sizes[dim] = extent <= 3 && random.chance(0.2) ? extent : 1;
      else
        sizes[dim] = unrolled.empty() ? extent : random.pick<int64_t>(unrolled);
    }
  }

  bool fits() const {
    int64_t points = 1;
    for (unsigned dim : traits.parallel)
      points *= llvm::divideCeil(sizes[dim], schedule.vectorDim == dim ? int64_t(schedule.lanes) : 1);
    if (!traits.nest->hasReduction())
      return points <= 32;
    return registersOf(traits, schedule, sizes) <= traits.machine.vectorRegisters;
  }

  void chooseParallelBlock() {
    for (unsigned dim : traits.parallel)
      sizes[dim] = std::min(unitOf(dim), traits.extent(dim));
    llvm::SmallVector<unsigned> order = traits.parallel;
    random.shuffle(order);
    for (unsigned dim : order) {
      if (random.chance(0.25))
        continue;
      llvm::SmallVector<int64_t> fitting;
      int64_t saved = sizes[dim];
      for (int64_t size : pieceSizes(traits.extent(dim), unitOf(dim), maxInnermost)) {
        sizes[dim] = std::min(size, traits.extent(dim));
        if (fits())
          fitting.push_back(sizes[dim]);
      }
      sizes[dim] = fitting.empty() ? saved : random.pick<int64_t>(fitting);
    }
  }

  /// Chooses tile sizes from the block outwards, mostly whole dimensions, and the order of the loops of each level.
  void chooseLoops() {
    std::vector<llvm::SmallVector<Loop>> loops(sketch.levels.size());
    llvm::SmallVector<int64_t> inner(sizes.begin(), sizes.end());
    bool isInnermost[] = {true, true};
    for (size_t number = sketch.levels.size(); number-- > 0;) {
      const SketchLevel &level = sketch.levels[number];
      for (unsigned dim : orderOf(level)) {
        if (!isInnermost[level.reduction])
          inner[dim] = level.reduction ? takeOut(dim, inner[dim]) : enlarge(dim, inner[dim]);
        loops[number].push_back({dim, inner[dim]});
      }
      isInnermost[level.reduction] = false;
    }
    for (const llvm::SmallVector<Loop> &level : loops)
      schedule.loops.append(level.begin(), level.end());
  }

  /// For a reduction, moves its whole loop outside, or none of it, or a loop over parts.
  int64_t takeOut(unsigned dim, int64_t size) { return random.chance(0.4) ? size : enlarge(dim, size); }

  int64_t enlarge(unsigned dim, int64_t size) {
    int64_t extent = traits.extent(dim), pieces = llvm::divideCeil(extent, size);
    if (pieces < 4 || random.chance(0.6))
      return extent;
    double exponent = random.uniform() * llvm::Log2_64(pieces);
    return std::min(extent, size * std::max<int64_t>(2, std::llround(std::exp2(exponent))));
  }

  llvm::SmallVector<unsigned> orderOf(const SketchLevel &level) {
    llvm::SmallVector<unsigned> order = level.reduction ? reductionOrder : level.dims;
    if (level.reduction)
      return order;
    if (random.chance(0.5)) {
      random.shuffle(order);
      return order;
    }
    // The order in memory, with one dimension moved.
    unsigned from = random.below(order.size()), moved = order[from];
    order.erase(order.begin() + from);
    order.insert(order.begin() + random.below(order.size() + 1), moved);
    return order;
  }

  /// Models may run with more threads than during tuning, so a dispatch stays where it is cheap.
  void chooseParallelLoops() {
    schedule.parallelLoops = enoughParallelLoops(traits, schedule);
    bool isCheap = traits.threads == 1 && traits.operations >= dispatchOperations;
    if (!isCheap && random.chance(traits.threads == 1 ? 0.5 : 0.2))
      schedule.parallelLoops = otherParallelLoops(traits, schedule, random);
  }

  const NestTraits &traits;
  const NestSketch &sketch;
  Random &random;
  NestSchedule schedule;
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<unsigned> reductionOrder;
};

} // namespace

std::optional<NestSchedule> sampleNest(const NestTraits &traits, const NestSketch &sketch, Random &random) {
  if (traits.isFill) {
    NestSchedule schedule = defaultSchedule(*traits.program, *traits.nest, traits.rowDims, traits.machine);
    canonicalize(traits, schedule);
    return schedule;
  }
  for (unsigned attempt = 0; attempt < attempts; ++attempt)
    if (NestSchedule schedule = Sampler(traits, sketch, random).run(); isValid(traits, schedule))
      return schedule;
  return std::nullopt;
}

} // namespace cameo::autotune
