// Compares the multiplications that the transform saves with the cost of the transforms and the larger filter, in
// cycles of one core. The rule depends on shapes, units and caches, not on measurements.
#include "passes/Schedule/Rules/ChooseWinograd.h"

#include "dialects/Dim/DimLimits.h"
#include "passes/Schedule/Nests/Rewrite/ConvolutionNest.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// The cost of loading, transforming and storing a vector for each element of a tile, divided by the number of
/// elements.
constexpr double transformCycles = 6;
/// The cost per vector of transformed weights.
constexpr double filterTransformCycles = 2;
/// The number of accumulators (tiles times vectors) that fills a register block.
constexpr int64_t enoughAccumulators = 16;
/// With so few vector registers, a block uses them well only with rows of two vectors: 13 of 16 tiles by one vector
/// need a load for each product, and leave 3 tiles whose sums are bound by latency.
constexpr int64_t fewBlockRegisters = 16;

/// A transformed filter in the object is read from memory in every run and enlarges the object. If there are few tiles
/// to amortise it, it must save this share of the time with a filter transformed at run time.
constexpr int64_t fewTiles = 16;
constexpr double storedFilterShare = 0.18;

/// Of this many tiles register blocks of common widths take all. Along a dynamic side blocks are multiples of it, as no
/// size of a block divides all numbers of tiles, and remainders are code.
constexpr int64_t commonTiles = 12;

/// Returns the share of `side` that whole tiles cover on average, if its extent is dynamic.
double coveredShare(const TiledSide &side, int64_t outputs) {
  if (side.extent.isKnown())
    return 1;
  double extent = static_cast<double>(int64_t(side.extent));
  return std::max(0.0, 1 - static_cast<double>(outputs * side.dilation - 1) / 2 / extent);
}

class WinogradCost {
public:
  WinogradCost(const TaskProgram &program, const LoopNest &nest, const ConvolutionNest &roles, const Machine &machine)
      : machine(machine), plane(tilesOf(nest, roles, 1)), depth(nest.dims[roles.depth].extent),
        channels(nest.dims[roles.channels].extent), weightBytes(bytesOf(nest.nodes[roles.filter].type)) {
    for (const Size &count : plane.images)
      images *= count;
    NestSchedule direct;
    chooseVectorDimension(program, nest, /*rowDims=*/0, machine, direct);
    if (direct.vectorDim && nest.dims[*direct.vectorDim].reduction)
      share = shareOfSteps(nest, direct.lanes, machine);
  }

  double directCycles() const {
    double products = static_cast<double>(images * int64_t(plane.rows.extent) * int64_t(plane.columns.extent)) * 9 *
                      static_cast<double>(depth);
    double cycles = productCycles(products);
    if (share)
      cycles *= static_cast<double>(channels) / static_cast<double>(lanes()) / vectors(channels) / *share;
    return together(cycles, filterCycles(ownFilterBytes(), /*passes=*/1));
  }

  bool isCovered() const { return plane.isCovered(); }
  /// Whether only the number of images is dynamic, and these are not small. Such planes stay the convolution itself.
  bool countsImages() const {
    return isCovered() && int64_t(plane.rows.extent) * int64_t(plane.columns.extent) > smallImage &&
           !llvm::all_of(plane.images, [](const Size &count) { return count.isKnown(); });
  }
  /// Whether tiles may be chosen: where sides are dynamic, their code is several times that of the convolution, which
  /// vectors that are less than a third full do not pay.
  bool mayPay() const { return isCovered() || 3 * std::min(depth, channels) >= lanes(); }
  bool fits(int64_t outputs) const { return plane.rows.fits(outputs) && plane.columns.fits(outputs); }

  /// Returns the step in which each stage runs for all tiles.
  WinogradStep wholeStep(int64_t outputs) const {
    auto all = [&](const TiledSide &side) {
      return side.extent.isKnown() ? int64_t(side.tiles(outputs)) : unboundedTiles;
    };
    return {0, outputs, all(plane.rows), all(plane.columns)};
  }

  /// Returns the step with as many tiles of a phase per block as the stack holds: whole rows of tiles, or parts of one.
  /// Where the number of rows is dynamic, a block has one: another remainder would ask for nests of its own.
  WinogradStep blockedStep(int64_t outputs) const {
    WinogradStep step{0, outputs, plane.rows.phaseTiles(outputs), plane.columns.phaseTiles(outputs)};
    int64_t tiles = std::max<int64_t>(1, maxRowBytes / tileBytes(outputs));
    step.rows = plane.rows.extent.isKnown() ? std::clamp<int64_t>(tiles / step.columns, 1, step.rows) : 1;
    step.columns = std::min(step.columns, tiles);
    return step;
  }

  /// Returns the step whose blocks fit the stack including the padding between elements of a tile. If a block of
  /// `blockedStep` exceeds it, the arena has memory for each block.
  WinogradStep narrowStep(int64_t outputs) const {
    WinogradStep step = blockedStep(outputs);
    while (step.columns > 1 && stackBytes(step) > maxRowBytes)
      step.rows > 1 ? --step.rows : --step.columns;
    if (!plane.columns.extent.isKnown() && step.columns > commonTiles)
      step.columns -= step.columns % commonTiles;
    return step;
  }

  /// Returns the step with the whole plane as block and filters that are transformed at run time, in parts that fit the
  /// stack and the second-level cache; nothing if vectors do not divide the channels.
  std::optional<WinogradStep> runTimeStep(int64_t outputs) const {
    WinogradStep step = wholeStep(outputs);
    int64_t tiles = std::min(allTiles(outputs), enoughAccumulators);
    int64_t least = machine.vectorRegisters > fewBlockRegisters ? 1 : 2,
            most = std::max(least, enoughAccumulators / tiles);
    for (int64_t vectors = 1;
         (vectors <= least || step.channels * tiles < enoughAccumulators * lanes()) && vectors <= most; ++vectors)
      if (channels % (vectors * lanes()) == 0)
        step.channels = vectors * lanes();
    if (step.channels == 0)
      return std::nullopt;
    // Every part reads all tiles: use half as many parts if the tiles do not fit the second-level cache.
    int64_t all = allTiles(outputs), size = outputs + 2;
    if (all <= fewTiles && !fitsCache(static_cast<double>(4 * all * size * size * depth)) &&
        channels % (2 * step.channels) == 0)
      step.channels *= 2;
    int64_t partBytes = std::min(maxRowBytes, machine.residentBytes()) / 4 * 3;
    step.depth = std::clamp<int64_t>(partBytes / (4 * (outputs + 2) * (outputs + 2) * step.channels), 1, depth);
    while (depth % step.depth != 0)
      --step.depth;
    return step;
  }

  double cycles(const WinogradStep &step) const {
    double covered = coveredShare(plane.rows, step.outputs) * coveredShare(plane.columns, step.outputs);
    return tileCycles(step) + (covered < 1 ? (1 - covered) * directCycles() : 0);
  }

  /// Returns the bytes by which filters exceed the model's own: if transformed at compile time, and for what tiles do
  /// not cover.
  int64_t filterBytes(const WinogradStep &step) const {
    int64_t uncovered = plane.isCovered() ? 0 : ownFilterBytes();
    return uncovered + (step.channels > 0 ? 0 : transformedBytes(step.outputs + 2) - ownFilterBytes());
  }

  bool isStoredForFewTiles(const WinogradStep &step) const {
    return filterBytes(step) > 0 && allTiles(step.outputs) <= fewTiles;
  }

  /// Returns the bytes that the stages pass through the arena: all tiles, before and after the products.
  int64_t scratchBytes(const WinogradStep &step) const {
    return takesAll(step) || stackBytes(step) > maxRowBytes ? allTiles(step.outputs) * tileBytes(step.outputs) : 0;
  }

private:
  /// Returns the cycles of all tiles.
  double tileCycles(const WinogradStep &step) const {
    int64_t size = step.outputs + 2;
    double tiles = static_cast<double>(allTiles(step.outputs));
    bool isWhole = takesAll(step);
    double passes = isWhole ? 1 : tiles / static_cast<double>(step.rows * step.columns);
    // The data between stages go through memory if they do not fit the cache.
    double dataCycles = 0;
    for (int64_t count : {depth, channels})
      if (double bytes = 4 * tiles * size * size * count; isWhole && !fitsCache(bytes))
        dataCycles += 2 * bytes / machine.memoryBytesPerCycle;
    double transform = tiles * size * size * (vectors(depth) + vectors(channels)) * transformCycles;
    double products = productCycles(tiles * size * size * depth), elements = static_cast<double>(size * size * depth);
    if (step.channels == 0)
      return together(products, filterCycles(transformedBytes(size), passes)) + transform + dataCycles;
    // Every part of the outputs reads the whole transformed input.
    double filter = elements * vectors(channels) * filterTransformCycles, inputs = 4 * tiles * elements;
    double reading =
        inputs * static_cast<double>(channels) / static_cast<double>(step.channels) / bytesPerCycle(inputs);
    return together(together(products + filter, reading), filterCycles(ownFilterBytes(), /*passes=*/1)) + transform +
           dataCycles;
  }

  /// Returns the number of tiles of all images.
  int64_t allTiles(int64_t outputs) const {
    return images * int64_t(plane.rows.tiles(outputs)) * int64_t(plane.columns.tiles(outputs));
  }
  bool takesAll(const WinogradStep &step) const {
    WinogradStep whole = wholeStep(step.outputs);
    return step.rows == whole.rows && step.columns == whole.columns;
  }
  int64_t lanes() const { return machine.vectorBytes / 4; }
  double vectors(int64_t count) const { return static_cast<double>(llvm::divideCeil(count, lanes())); }
  double productCycles(double products) const { return products * vectors(channels) / machine.multiplyAdds; }
  int64_t ownFilterBytes() const { return weightBytes * 9 * depth * channels; }
  /// Returns the bytes of a filter that was transformed at compile time to `size` by `size` numbers of f32.
  int64_t transformedBytes(int64_t size) const { return 4 * size * size * depth * channels; }
  /// Returns the cycles for reading a filter of `size` bytes `passes` times. The first time it comes from memory,
  /// because other layers have used the cache since.
  double filterCycles(int64_t size, double passes) const {
    double bytes = static_cast<double>(size);
    return bytes / machine.memoryBytesPerCycle + (passes - 1) * bytes / bytesPerCycle(bytes);
  }
  double bytesPerCycle(double bytes) const {
    return fitsCache(bytes) ? machine.nearBytesPerCycle : machine.memoryBytesPerCycle;
  }
  bool fitsCache(double bytes) const { return bytes <= 0.75 * static_cast<double>(machine.l2Bytes); }
  /// Returns the bytes that a block keeps on the stack. Elements of a tile are padded by up to 31 values, so that they
  /// do not map to the same cache sets.
  int64_t stackBytes(const WinogradStep &step) const {
    int64_t size = step.outputs + 2, bytes = 0;
    for (int64_t count : {depth, channels})
      bytes += 4 * size * size * ((llvm::divideCeil(step.rows * step.columns * count, 16) | 1) * 16);
    return bytes;
  }
  /// Returns the bytes of one tile between the stages.
  int64_t tileBytes(int64_t outputs) const { return 4 * (outputs + 2) * (outputs + 2) * (depth + channels); }
  /// Memory reads and arithmetic overlap, but not completely.
  static double together(double a, double b) { return std::max(a, b) + std::min(a, b) / 4; }

  const Machine &machine;
  TiledPlane plane;
  int64_t images = 1, depth, channels, weightBytes;
  std::optional<double> share; ///< the efficiency of the convolution itself, if its lanes are steps of the reduction
                               ///< and its vectors are full
};

/// Returns the cheapest step, or nothing if `mode` is "auto" and the convolution itself is cheaper.
std::optional<WinogradStep> chooseStep(const WinogradCost &model, llvm::StringRef mode, const TaskLimits &limits) {
  std::optional<WinogradStep> best, bestStored;
  bool isFree = mode == "auto";
  double bestCycles = isFree ? model.directCycles() : 0, storedCycles = bestCycles;
  for (int64_t outputs : {2, 4}) {
    if (!model.fits(outputs) || (isFree && !model.mayPay()) || (mode == "f2" && outputs != 2) ||
        (mode == "f4" && outputs != 4))
      continue;
    auto consider = [&](const WinogradStep &step) {
      if (isFree && (model.filterBytes(step) > limits.filterBytes || model.scratchBytes(step) > limits.scratchBytes))
        return;
      bool isStored = model.isStoredForFewTiles(step);
      std::optional<WinogradStep> &place = isStored ? bestStored : best;
      double &least = isStored ? storedCycles : bestCycles;
      if (double cycles = model.cycles(step); least == 0 || cycles < least) {
        place = step;
        least = cycles;
      }
    };
    consider(model.wholeStep(outputs));
    if (model.isCovered())
      consider(model.blockedStep(outputs));
    if (!model.isCovered() || limits.scratchBytes != TaskLimits().scratchBytes)
      consider(model.narrowStep(outputs));
    if (std::optional<WinogradStep> step = model.runTimeStep(outputs))
      consider(*step);
  }
  // Against the convolution itself, which has no transformed filter either, being faster is enough.
  double asked = best ? bestCycles * (1 - storedFilterShare) : bestCycles;
  return bestStored && (asked == 0 || storedCycles < asked) ? bestStored : best;
}

/// Calls `act` with the number and the cost of each nest of `program` that may be replaced.
void forEachConvolution(const TaskProgram &program, const Machine &machine,
                        llvm::function_ref<void(unsigned, const WinogradCost &)> act) {
  unsigned number = 0;
  for (const NestGroup &group : program.groups) {
    for (const LoopNest &nest : group.nests) {
      unsigned nestNumber = number++;
      if (group.rowDims > 0 || group.nests.size() > 1)
        continue;
      llvm::Expected<ConvolutionNest> roles = matchConvolution(program, nest);
      if (roles)
        act(nestNumber, WinogradCost(program, nest, *roles, machine));
      else
        llvm::consumeError(roles.takeError());
    }
  }
}

} // namespace

bool isWinogradMode(llvm::StringRef mode) { return llvm::is_contained({"auto", "off", "f2", "f4"}, mode); }

std::vector<WinogradStep> chooseWinograd(const TaskProgram &program, llvm::StringRef mode, const Machine &machine,
                                         const TaskLimits &limits) {
  std::vector<WinogradStep> steps;
  if (mode == "off")
    return steps;
  TaskLimits left = limits;
  forEachConvolution(program, machine, [&](unsigned number, const WinogradCost &model) {
    std::optional<WinogradStep> step = model.countsImages() ? std::nullopt : chooseStep(model, mode, left);
    if (!step)
      return;
    left.filterBytes -= model.filterBytes(*step);
    left.scratchBytes -= model.scratchBytes(*step);
    step->nest = number;
    steps.push_back(*step);
  });
  return steps;
}

WinogradUse winogradUse(const TaskProgram &program, llvm::ArrayRef<Replacement> replacements, const Machine &machine) {
  WinogradUse use;
  forEachConvolution(program, machine, [&](unsigned number, const WinogradCost &model) {
    const WinogradStep *step = nullptr;
    for (const Replacement &each : replacements)
      if (const auto *winograd = std::get_if<WinogradStep>(&each); winograd && winograd->nest == number)
        step = winograd;
    use.cycles += step ? model.cycles(*step) : model.directCycles();
    if (!step)
      return;
    use.filterBytes += model.filterBytes(*step);
    use.scratchBytes += model.scratchBytes(*step);
  });
  return use;
}

} // namespace cameo::schedule
