// Intermediate results that do not fit the cache are written to memory and read back. In overlapped tiles they stay in
// the cache, but values that two tiles need are computed twice. If they fit the cache anyway, tiles without repeated
// computation keep them in a nearer cache of the same core. Costs are cycles of one core.
#include "passes/Schedule/Rules/ChooseFusion.h"

#include "passes/Schedule/Nests/Rewrite/OverlappedTiling.h"
#include "passes/Schedule/Rules/ChooseCopyTiles.h"
#include "passes/Schedule/Rules/ChooseFlattening.h"
#include "passes/Schedule/Rules/ChooseRowTilings.h"
#include "passes/Schedule/Rules/ChooseWinograd.h"
#include "passes/Schedule/Rules/InlineConversions.h"
#include "passes/Schedule/Rules/NestCost.h"

#include "llvm/Support/MathExtras.h"

#include <set>

namespace cameo::schedule {
namespace {

/// The cost of setting up the loops of one nest for one tile.
constexpr double tileOverheadCycles = 100;
/// The cost of starting a nest on waiting threads and of joining them at its end.
constexpr double dispatchCycles = 1300;
/// The fewest tiles with which a few threads finish together, and the most whose borders may pay off.
constexpr int64_t fewestTiles = 8, mostTiles = 256;
/// Fractions of the second-level cache: the limit for all intermediate data of tilings that the cache would hold
/// anyway, for the intermediate data of one such tile, and for the constants that each tile reads again.
constexpr double passedShare = 0.375, nearShare = 1. / 32, constantShare = 1. / 24;
/// The fewest rows of a product with which reading its matrix is amortised.
constexpr int64_t fewestRows = 8;
/// The rows of a tile where their number is dynamic: two blocks of most products. What is left over is few rows then.
constexpr int64_t rowsOfAnyLength = 16;

class FusionCost {
public:
  FusionCost(const TaskProgram &program, const Machine &machine) : program(program), machine(machine) {}

  /// Returns the cycles that the tiling saves, or 0 if its tiles do not fit the cache.
  double gain(const OverlappedTiling &tiling) const {
    if (repeatsWhole(tiling))
      return 0;
    double saved = 0, held = constantBytes(tiling) + passedBytes(tiling);
    for (unsigned buffer : tiling.buffers)
      if (double bytes = bytesOf(buffer, program.buffers[buffer].elements); bytes > cachedBytes())
        saved += 2 * bytes / machine.farBytesPerCycle;
    if (saved == 0)
      return nearerGain(tiling);
    return held <= cachedBytes() ? saved - cost(tiling) : 0;
  }

  /// Returns the cycles that the tiling costs, regardless of what it saves, or nothing if it repeats a whole nest.
  std::optional<double> costOfAny(const OverlappedTiling &tiling) const {
    return repeatsWhole(tiling) ? std::nullopt : std::optional(cost(tiling));
  }

  /// Returns the bytes of the arena that the tiling saves. If the data of one tile exceed the stack limit, every tile
  /// has its own memory in the arena, so this can be negative.
  int64_t savedScratch(const OverlappedTiling &tiling) const {
    int64_t bytes = 0, tiles = 0;
    for (const TileRun &run : tiling.runs)
      tiles += run.tiles;
    if (double passed = passedBytes(tiling); passed > static_cast<double>(maxRowBytes))
      bytes -= tiles * static_cast<int64_t>(passed);
    for (unsigned buffer : tiling.buffers)
      if (program.buffers[buffer].isScratch())
        bytes += bytesOf(buffer, program.buffers[buffer].elements);
    return bytes;
  }

private:
  /// Returns the cost of repeated computation and of the loops of the tiles.
  double cost(const OverlappedTiling &tiling) const {
    double cycles = 0;
    for (auto [number, nest] : llvm::enumerate(tiling.nests)) {
      int64_t points = pointsOf(tiling, number), tiles = 0;
      for (const TileRun &run : tiling.runs)
        tiles += run.tiles;
      cycles += static_cast<double>(points - nest->dims[0].extent) * cyclesPerPoint(*nest) + tiles * tileOverheadCycles;
    }
    return cycles;
  }

  /// Whether every tile computes all of a nest that reads something, such as the difference of a filter and its zero
  /// point. It would be repeated in each tile, and its result could not be packed for the vectors of its reader.
  static bool repeatsWhole(const OverlappedTiling &tiling) {
    for (auto [number, nest] : llvm::enumerate(tiling.nests)) {
      bool reads = !nest->loads(/*insideReduction=*/true).empty() || !nest->loads(/*insideReduction=*/false).empty();
      if (reads && llvm::all_of(tiling.runs, [&, number = number, extent = nest->dims[0].extent](const TileRun &run) {
            return run.nests[number].count == extent;
          }))
        return true;
    }
    return false;
  }

  /// Returns the cycles saved if the cache holds everything anyway: by two reductions that run tile by tile, with
  /// register blocks as full as those without tiles.
  double nearerGain(const OverlappedTiling &tiling) const {
    if (tiling.nests.size() != 2 || tiling.dim != 0 || constantBytes(tiling) > share(constantShare) ||
        passedBytes(tiling) > share(nearShare))
      return 0;
    double passed = 0, longest = 0;
    int64_t tiles = 0;
    for (unsigned buffer : tiling.buffers)
      passed += static_cast<double>(bytesOf(buffer, program.buffers[buffer].elements));
    if (passed > share(passedShare))
      return 0;
    double saved = dispatchCycles + 2 * passed / machine.nearBytesPerCycle;
    for (const TileRun &run : tiling.runs) {
      double cycles = 0;
      for (auto [nest, advance] : llvm::zip_equal(tiling.nests, run.nests)) {
        if (!nest->hasReduction() || !nest->hasKnownSizes())
          return 0;
        LoopNest part = *nest;
        part.dims[0].extent = advance.count;
        cycles += registerBlockCycles(program, part, machine) + tileOverheadCycles;
      }
      longest = std::max(longest, cycles);
      tiles += run.tiles;
      saved -= static_cast<double>(run.tiles) * cycles;
    }
    for (auto [number, nest] : llvm::enumerate(tiling.nests)) {
      if (pointsOf(tiling, number) != nest->dims[0].extent)
        return 0;
      saved += registerBlockCycles(program, *nest, machine);
    }
    // With an odd number of tiles, one of two threads idles for one tile.
    return tiles % 2 == 0 ? saved : saved - longest;
  }

  /// Returns the number of points of a nest along the divided dimension, over all tiles.
  static int64_t pointsOf(const OverlappedTiling &tiling, size_t number) {
    int64_t points = 0;
    for (const TileRun &run : tiling.runs)
      points += run.tiles * run.nests[number].count;
    return points;
  }

  double share(double ofCache) const { return ofCache * static_cast<double>(machine.l2Bytes); }

  double cachedBytes() const { return static_cast<double>(machine.l2Bytes) / 2; }

  int64_t bytesOf(unsigned buffer, int64_t elements) const {
    return elements * llvm::divideCeil(program.buffers[buffer].elementType.getIntOrFloatBitWidth(), 8);
  }

  /// Returns the largest number of bytes that a tile passes between nests.
  double passedBytes(const OverlappedTiling &tiling) const {
    int64_t most = 0;
    for (const TileRun &run : tiling.runs) {
      int64_t bytes = 0;
      for (auto [buffer, elements] : llvm::zip_equal(tiling.buffers, run.buffers))
        bytes += bytesOf(buffer, elements.count);
      most = std::max(most, bytes);
    }
    return static_cast<double>(most);
  }

  /// Returns the bytes of the constants that each tile reads again.
  double constantBytes(const OverlappedTiling &tiling) const {
    std::set<unsigned> buffers;
    for (const LoopNest *nest : tiling.nests)
      for (NodeId id : nest->loads(/*insideReduction=*/true))
        if (program.buffers[nest->nodes[id].buffer].packable)
          buffers.insert(nest->nodes[id].buffer);
    double bytes = 0;
    for (unsigned buffer : buffers)
      bytes += static_cast<double>(bytesOf(buffer, program.buffers[buffer].elements));
    return bytes;
  }

  double cyclesPerPoint(const LoopNest &nest) const {
    return arithmeticCycles(nest, machine) / static_cast<double>(nest.dims[0].extent);
  }

  const TaskProgram &program;
  const Machine &machine;
};

struct Choice {
  FuseStep step;
  double gain = 0;
};

/// Calls `consider` with overlapped tilings of nests `first` to `last`, for each distinct tile size.
void forEachSize(const TaskProgram &program, unsigned first, unsigned last, int64_t extent,
                 llvm::function_ref<void(int64_t, const OverlappedTiling &)> consider) {
  int64_t before = 0;
  for (int64_t tiles = fewestTiles; tiles <= std::min(extent, mostTiles); ++tiles) {
    int64_t size = llvm::divideCeil(extent, tiles);
    if (size == before || static_cast<int64_t>(llvm::divideCeil(extent, size)) < fewestTiles)
      continue;
    before = size;
    llvm::Expected<OverlappedTiling> tiling = tileNests(program, first, last, size);
    if (tiling)
      consider(size, *tiling);
    else
      llvm::consumeError(tiling.takeError());
  }
}

/// Returns the best tile size for nests `first` to `last`.
Choice chooseTiling(const TaskProgram &program, const FusionCost &model, unsigned first, unsigned last,
                    int64_t extent) {
  Choice best{{first, last, 0}};
  forEachSize(program, first, last, extent, [&](int64_t size, const OverlappedTiling &tiling) {
    if (double gain = model.gain(tiling); gain > best.gain)
      best = {{first, last, size}, gain};
  });
  return best;
}

/// A nest that is alone in its group and reads something. Nests without loads only fill borders.
struct Member {
  unsigned number;
  int64_t extent;  ///< of its first dimension
  bool isPassedOn; ///< whether all results are temporaries, so that a tiling may include later nests
};

std::vector<Member> findMembers(const TaskProgram &program) {
  std::vector<Member> members;
  unsigned number = 0;
  for (const NestGroup &group : program.groups) {
    const LoopNest &nest = group.nests.front();
    bool reads = !nest.loads(/*insideReduction=*/true).empty() || !nest.loads(/*insideReduction=*/false).empty();
    if (group.nests.size() == 1 && reads && !nest.dims.empty())
      members.push_back({number, nest.dims[0].extent, llvm::all_of(nest.outputs, [&](const Output &output) {
                           return program.buffers[output.buffer].isTemporary();
                         })});
    number += group.nests.size();
  }
  return members;
}

/// Returns tilings for groups of rows that share a matrix: the data that a tile passes between nests, such as rows of
/// attention scores, takes a small part of the second-level cache beside the matrix.
std::vector<FuseStep> chooseMatrixTilings(const TaskProgram &program, const Machine &machine) {
  std::vector<FuseStep> steps;
  unsigned number = 0;
  for (const NestGroup &group : program.groups) {
    unsigned first = number, last = number += group.nests.size();
    if (!group.sharesMatrix)
      continue;
    std::set<unsigned> passed;
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) {
        if (program.buffers[buffer].perRow)
          passed.insert(buffer);
      });
    int64_t bytes = 0;
    Size rows = group.nests.back().dims[group.rowDims].extent;
    for (unsigned buffer : passed)
      bytes += program.buffers[buffer].elements * bytesOf(program.buffers[buffer].elementType);
    int64_t tiles = llvm::divideCeil(bytes, machine.l2Bytes / 16),
            size = std::max<int64_t>(llvm::divideCeil(int64_t(rows), tiles), fewestRows);
    if (!llvm::all_of(group.nests, std::mem_fn(&LoopNest::hasKnownSizes)))
      size = rowsOfAnyLength;
    if (!rows.isKnown() || size < rows)
      steps.push_back({first, last - 1, size});
  }
  return steps;
}

/// Calls `consider` with the first and last member of each sequence that may be tiled: `chosen` replaces none of its
/// nests.
void forEachRun(llvm::ArrayRef<Member> members, llvm::ArrayRef<WinogradStep> chosen,
                llvm::function_ref<void(const Member &, const Member &)> consider) {
  for (size_t last = 1; last < members.size(); ++last)
    for (size_t first = last; first-- > 0 && members[first].isPassedOn;)
      if (llvm::none_of(chosen, [&](const WinogradStep &step) {
            return step.nest >= members[first].number && step.nest <= members[last].number;
          }))
        consider(members[first], members[last]);
}

bool overlaps(llvm::ArrayRef<FuseStep> steps, unsigned first, unsigned last) {
  return llvm::any_of(steps, [&](const FuseStep &step) { return first <= step.last && step.nest <= last; });
}

/// Returns the tiling that saves the most arena memory in addition to `steps`, and of equal ones the cheapest.
std::optional<FuseStep> findTilingFor(const TaskProgram &program, const FusionCost &model,
                                      llvm::ArrayRef<Member> members, llvm::ArrayRef<WinogradStep> chosen,
                                      llvm::ArrayRef<FuseStep> steps, int64_t &mostSaved) {
  std::optional<FuseStep> best;
  double least = 0;
  mostSaved = 0;
  forEachRun(members, chosen, [&](const Member &first, const Member &last) {
    if (overlaps(steps, first.number, last.number))
      return;
    forEachSize(program, first.number, last.number, last.extent, [&](int64_t size, const OverlappedTiling &tiling) {
      std::optional<double> cost = model.costOfAny(tiling);
      int64_t saved = model.savedScratch(tiling);
      if (!cost || saved < mostSaved || saved == 0 || (saved == mostSaved && *cost >= least))
        return;
      best = FuseStep{first.number, last.number, size};
      mostSaved = saved;
      least = *cost;
    });
  });
  return best;
}

/// Replaces tilings in `steps` that exceed the stack limit, and adds more, until nests pass at most `most` bytes
/// through the arena.
void keepScratch(int64_t most, const TaskProgram &program, const FusionCost &model, llvm::ArrayRef<Member> members,
                 llvm::ArrayRef<WinogradStep> chosen, std::vector<FuseStep> &steps) {
  int64_t scratch = scratchBytes(program);
  std::vector<FuseStep> kept;
  std::vector<std::pair<FuseStep, int64_t>> wide; // and the bytes that they save, at most 0
  for (const FuseStep &step : steps) {
    llvm::Expected<OverlappedTiling> tiling = tileNests(program, step.nest, step.last, step.size);
    int64_t saved = tiling ? model.savedScratch(*tiling) : 0;
    llvm::consumeError(tiling.takeError());
    if (saved <= 0) {
      wide.emplace_back(step, saved);
      continue;
    }
    scratch -= saved;
    kept.push_back(step);
  }
  for (int64_t saved = 0; scratch > most; scratch -= saved) {
    std::optional<FuseStep> best = findTilingFor(program, model, members, chosen, kept, saved);
    if (!best)
      break;
    kept.push_back(*best);
  }
  for (auto [step, saved] : wide)
    if (scratch - saved <= most && !overlaps(kept, step.nest, step.last)) {
      scratch -= saved;
      kept.push_back(step);
    }
  steps = std::move(kept);
}

} // namespace

std::vector<FuseStep> chooseFusion(const TaskProgram &program, llvm::ArrayRef<WinogradStep> chosen,
                                   const Machine &machine, int64_t mostScratch) {
  FusionCost model(program, machine);
  std::vector<Member> members = findMembers(program);
  std::vector<Choice> choices;
  forEachRun(members, chosen, [&](const Member &first, const Member &last) {
    Choice choice = chooseTiling(program, model, first.number, last.number, last.extent);
    if (choice.gain > 0)
      choices.push_back(choice);
  });
  llvm::sort(choices, [](const Choice &a, const Choice &b) {
    return std::tuple(-a.gain, a.step.nest, a.step.last) < std::tuple(-b.gain, b.step.nest, b.step.last);
  });
  std::vector<FuseStep> steps = chooseMatrixTilings(program, machine);
  llvm::append_range(steps, chooseShortRows(program, machine));
  llvm::append_range(steps, chooseCopyTiles(program, machine));
  for (const Choice &choice : choices)
    if (!overlaps(steps, choice.step.nest, choice.step.last))
      steps.push_back(choice.step);
  if (mostScratch != TaskLimits().scratchBytes)
    keepScratch(mostScratch, program, model, members, chosen, steps);
  llvm::sort(steps, [](const FuseStep &a, const FuseStep &b) { return a.nest < b.nest; });
  return steps;
}

std::vector<FuseStep> cheapestTilings(const TaskProgram &program, const Machine &machine, unsigned most) {
  FusionCost model(program, machine);
  std::vector<std::pair<double, FuseStep>> cheapest;
  std::vector<Member> members = findMembers(program);
  forEachRun(members, {}, [&](const Member &first, const Member &last) {
    std::optional<std::pair<double, FuseStep>> best;
    forEachSize(program, first.number, last.number, last.extent, [&](int64_t size, const OverlappedTiling &tiling) {
      std::optional<double> cost = model.costOfAny(tiling);
      if (cost && (!best || *cost < best->first))
        best = {*cost, {first.number, last.number, size}};
    });
    if (best)
      cheapest.push_back(*best);
  });
  llvm::sort(cheapest, [](const auto &a, const auto &b) {
    return std::tuple(a.first, a.second.nest, a.second.last) < std::tuple(b.first, b.second.nest, b.second.last);
  });
  std::vector<FuseStep> steps;
  for (const auto &[cost, step] : llvm::ArrayRef(cheapest).take_front(most))
    steps.push_back(step);
  return steps;
}

int64_t scratchBytes(const TaskProgram &program) {
  auto bytesOf = [](const Buffer &buffer) { return int64_t(buffer.elements) * schedule::bytesOf(buffer.elementType); };
  int64_t all = 0;
  for (const Buffer &buffer : program.buffers)
    if (buffer.isScratch())
      all += bytesOf(buffer);
  // Row buffers that exceed the stack limit have memory for all rows.
  for (const NestGroup &group : program.groups) {
    std::set<unsigned> passed;
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) {
        if (program.buffers[buffer].perRow)
          passed.insert(buffer);
      });
    int64_t bytes = 0, rows = 1;
    for (unsigned buffer : passed)
      bytes += bytesOf(program.buffers[buffer]);
    for (const Dimension &dim : llvm::ArrayRef(group.nests.front().dims).take_front(group.rowDims))
      rows *= int64_t(dim.extent);
    all += bytes > maxRowBytes ? rows * bytes : 0;
  }
  return all;
}

std::vector<Replacement> chooseReplacements(const TaskProgram &program, llvm::StringRef winograd,
                                            const Machine &machine, const TaskLimits &limits) {
  // Others divide extents.
  if (!program.hasKnownSizes()) {
    std::vector<WinogradStep> convolutions = chooseWinograd(program, winograd, machine, limits);
    std::vector<Replacement> replacements(convolutions.begin(), convolutions.end());
    llvm::append_range(replacements, chooseMatrixTilings(program, machine));
    std::vector<FuseStep> shortRows = chooseShortRows(program, machine);
    llvm::append_range(replacements, shortRows);
    llvm::append_range(replacements, chooseRowsSideBySide(program, machine, shortRows));
    llvm::append_range(replacements, chooseCopyTiles(program, machine));
    llvm::append_range(replacements, chooseFlattening(program, replacements, machine));
    return replacements;
  }
  std::vector<WinogradStep> convolutions = chooseWinograd(program, winograd, machine, limits);
  std::vector<Replacement> replacements(convolutions.begin(), convolutions.end());
  int64_t mostScratch = limits.scratchBytes;
  if (mostScratch != TaskLimits().scratchBytes)
    mostScratch -= winogradUse(program, replacements, machine).scratchBytes;
  llvm::append_range(replacements, chooseFusion(program, convolutions, machine, mostScratch));
  llvm::append_range(replacements, inlineConversions(program, replacements, machine));
  llvm::append_range(replacements, chooseFlattening(program, replacements, machine));
  return replacements;
}

} // namespace cameo::schedule
