// Chooses the tile that a model of a multiprocessor estimates to be fastest (TensorModel.h). Products that share a
// launch have tiles for the launch as a whole.
#include "passes/Schedule/Rules/Gpu/ChooseTensorTile.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Rules/Gpu/TensorTileOptions.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Products share a launch only if they have few sums, and equal numbers of threads and of blocks of a cluster.
constexpr int64_t mostSumsBeside = 128;
constexpr double warpsBeside[] = {1, 2, 4, 8, 16};
constexpr int64_t clustersBeside[] = {1, 2, 3, 4, 6, 8};

/// Products of equal sizes that may share a launch. All have the same tile.
struct EqualProducts {
  const TaskProgram *program;
  const LoopNest *nest; ///< one of them
  size_t count = 1;
  std::vector<TensorTileOption> options = {};
};

SmallVector<int64_t> sizesOf(const LoopNest &nest) {
  return llvm::map_to_vector(nest.dims, [](const Dimension &dim) { return int64_t(dim.extent); });
}

/// Returns for each group of `program` how many groups follow each other before it, at least.
SmallVector<unsigned> levelsOf(const TaskProgram &program) {
  SmallVector<unsigned> levels;
  for (const NestGroup &group : program.groups) {
    unsigned least = 0;
    for (auto [before, level] : llvm::zip(program.groups, levels))
      if (!areIndependent(before, group))
        least = std::max(least, level + 1);
    levels.push_back(least);
  }
  return levels;
}

/// Returns the products with which `nest`, one of the program's, may share a launch, and itself, in an order that is
/// the same for each of them. Products of several tiles share a launch where as many groups follow each other before
/// them (SharedLaunch.h), also those of other tasks. Products that the matrix unit cannot multiply are left out.
std::vector<EqualProducts> companyOf(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                     Beside beside) {
  std::vector<EqualProducts> company = {{&program, &nest}};
  auto isOf = [&](const NestGroup &group) { return isAlone(group) && &group.nests.front() == &nest; };
  auto own = llvm::find_if(program.groups, isOf);
  auto add = [&](const TaskProgram &of, const NestGroup &group) {
    if (!isAlone(group) || !group.nests.front().hasKnownSizes())
      return;
    const LoopNest &other = group.nests.front();
    auto equal =
        llvm::find_if(company, [&](const EqualProducts &each) { return sizesOf(*each.nest) == sizesOf(other); });
    if (equal != company.end())
      ++equal->count;
    else
      company.push_back({&of, &other});
  };
  auto addLevel = [&](const TaskProgram &of, unsigned wanted) {
    for (auto [group, level] : llvm::zip_equal(of.groups, levelsOf(of)))
      if (level == wanted && !isOf(group))
        add(of, group);
  };
  if (own != program.groups.end()) {
    unsigned level = levelsOf(program)[own - program.groups.begin()];
    addLevel(program, level);
    for (const TaskProgram *other : beside)
      addLevel(*other, level);
  }
  for (EqualProducts &each : company)
    each.options = tensorTilesOf(*each.program, *each.nest, gpu);
  llvm::erase_if(company, [](const EqualProducts &each) { return each.options.empty(); });
  llvm::sort(company,
             [](const EqualProducts &a, const EqualProducts &b) { return sizesOf(*a.nest) < sizesOf(*b.nest); });
  return company;
}

const TensorTileOption *fastestOf(ArrayRef<const TensorTileOption *> options) {
  auto best = llvm::min_element(
      options, [](const TensorTileOption *a, const TensorTileOption *b) { return a->tile.cycles < b->tile.cycles; });
  return best == options.end() ? nullptr : *best;
}

/// The tiles of a launch, in the order of the company.
struct LaunchTiles {
  SmallVector<const TensorTileOption *> tiles;
  double cycles = std::numeric_limits<double>::infinity();
};

class LaunchChoice {
public:
  LaunchChoice(ArrayRef<EqualProducts> company, const GpuMachine &gpu) : company(company), gpu(gpu) {}

  LaunchTiles choose() const;

private:
  using Options = std::vector<const TensorTileOption *>;
  LaunchTiles chooseFor(double warps, int64_t cluster) const;
  LaunchTiles improve(LaunchTiles best, ArrayRef<Options> fitting) const;
  double cyclesOf(ArrayRef<const TensorTileOption *> tiles) const;

  ArrayRef<EqualProducts> company;
  const GpuMachine &gpu;
};

double LaunchChoice::cyclesOf(ArrayRef<const TensorTileOption *> tiles) const {
  // In the order of their blocks (SharedLaunch.h): cycles of the matrix unit are in the order of products.
  auto startsBefore = [](const TensorWork &a, const TensorWork &b) { return a.unitCycles > b.unitCycles; };
  SmallVector<TensorWork> pieces;
  for (auto [products, tile] : llvm::zip_equal(company, tiles)) {
    TensorWork work = tile->work;
    work.blocks *= static_cast<double>(products.count);
    pieces.insert(llvm::upper_bound(pieces, work, startsBefore), work);
  }
  if (sharedBytesOf(pieces) + static_cast<double>(flagBytes) > static_cast<double>(gpu.blockSharedBytes))
    return std::numeric_limits<double>::infinity();
  return schedule::cyclesOf(pieces, gpu);
}

/// Changes one tile of `best` after the other for the better; more than a few turns change nothing.
LaunchTiles LaunchChoice::improve(LaunchTiles best, ArrayRef<Options> fitting) const {
  constexpr int mostTurns = 4;
  best.cycles = cyclesOf(best.tiles);
  bool changes = true;
  for (int turn = 0; changes && turn < mostTurns; ++turn) {
    changes = false;
    for (size_t number = 0; number < company.size(); ++number)
      for (const TensorTileOption *option : fitting[number]) {
        LaunchTiles other = best;
        other.tiles[number] = option;
        other.cycles = cyclesOf(other.tiles);
        if (other.cycles < best.cycles) {
          best = std::move(other);
          changes = true;
        }
      }
  }
  return best;
}

/// Returns tiles of blocks with `warps` warps, `cluster` of which are a cluster. Begins with the tiles that are fastest
/// alone, and with those whose blocks have least to do together: alone these may leave a last round that is almost
/// empty, which the blocks of others fill.
LaunchTiles LaunchChoice::chooseFor(double warps, int64_t cluster) const {
  std::vector<Options> fitting;
  LaunchTiles alone, together;
  for (const EqualProducts &products : company) {
    auto &own = fitting.emplace_back();
    for (const TensorTileOption &option : products.options)
      if (option.work.warps == warps && option.work.cluster == cluster && option.sums <= mostSumsBeside)
        own.push_back(&option);
    if (own.empty())
      return {};
    alone.tiles.push_back(fastestOf(own));
    together.tiles.push_back(*llvm::min_element(own, [](const TensorTileOption *a, const TensorTileOption *b) {
      return a->work.blocks * busiestCyclesOf(a->work) < b->work.blocks * busiestCyclesOf(b->work);
    }));
  }
  alone = improve(std::move(alone), fitting);
  together = improve(std::move(together), fitting);
  return together.cycles < alone.cycles ? together : alone;
}

LaunchTiles LaunchChoice::choose() const {
  LaunchTiles best;
  for (double warps : warpsBeside)
    for (int64_t cluster : clustersBeside)
      if (LaunchTiles tiles = chooseFor(warps, cluster); tiles.cycles < best.cycles)
        best = std::move(tiles);
  return best;
}

SmallVector<const TensorTileOption *> pointersTo(ArrayRef<TensorTileOption> options) {
  return llvm::map_to_vector(options, [](const TensorTileOption &option) { return &option; });
}

} // namespace

std::vector<BlockTileOption> tensorTileOptions(const TaskProgram &program, const LoopNest &nest,
                                               const GpuMachine &gpu) {
  std::vector<BlockTileOption> all;
  for (TensorTileOption &option : tensorTilesOf(program, nest, gpu))
    all.push_back(std::move(option.tile));
  return all;
}

std::optional<BlockTileOption> chooseTensorTile(const TaskProgram &program, const LoopNest &nest, const GpuMachine &gpu,
                                                Beside beside) {
  std::vector<EqualProducts> company = companyOf(program, nest, gpu, beside);
  auto own = llvm::find_if(company, [&](const EqualProducts &each) { return each.nest == &nest; });
  if (own == company.end())
    return std::nullopt;
  // Products that are faster in launches of their own have tiles for these.
  const TensorTileOption *best = fastestOf(pointersTo(own->options));
  double cycles = best->tile.cycles;
  double apart = 0;
  size_t count = 0;
  for (const EqualProducts &products : company) {
    apart += static_cast<double>(products.count) * fastestOf(pointersTo(products.options))->tile.cycles;
    count += products.count;
  }
  if (count > 1)
    if (LaunchTiles launch = LaunchChoice(company, gpu).choose(); launch.cycles < apart)
      best = launch.tiles[own - company.begin()];
  // The caller compares with tiles for threads, which are alone, too.
  BlockTileOption chosen = best->tile;
  chosen.cycles = cycles;
  return chosen;
}

} // namespace cameo::schedule
