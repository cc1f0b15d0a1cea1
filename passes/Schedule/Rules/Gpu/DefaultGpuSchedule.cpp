#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/ElementwiseBlock.h"
#include "passes/Schedule/Rules/Gpu/ChooseBlockTile.h"
#include "passes/Schedule/Rules/Gpu/ChooseOnline.h"
#include "passes/Schedule/Rules/Gpu/ChoosePool.h"
#include "passes/Schedule/Rules/Gpu/ThreadModel.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

bool canReduceTogether(const LoopNest &nest) {
  auto isPlain = [&](size_t number) {
    Type type = nest.nodes[nest.reductions[number].update].type;
    bool isHeld = type.isF32() || type.isF64() || (type.isInteger() && type.getIntOrFloatBitWidth() >= 8);
    return isHeld && matchCombiner(nest, number);
  };
  return nest.hasReduction() && llvm::all_of(llvm::seq(nest.reductions.size()), isPlain);
}

bool canReduceByWarp(const LoopNest &nest) {
  auto isExchanged = [&](const Reduction &reduction) {
    Type type = nest.nodes[reduction.update].type;
    return type.isF32() || type.isInteger(32);
  };
  return canReduceTogether(nest) && llvm::all_of(nest.reductions, isExchanged);
}

namespace {

/// The minimum steps of a reduction that threads share, and the cost of combining their partial results, in steps of
/// one thread: in a warp, per reduction, and in a block, including barriers.
constexpr int64_t fewestSteps = 64, stepsOfWarp = 8, stepsOfBlock = 24;
/// The factor by which a step takes longer if neighbouring threads read elements that are not contiguous.
constexpr int64_t timesApart = 4;
/// The number of threads of a multiprocessor that compute points, if there are few points.
constexpr int64_t threadsWhileFew = 512;
/// Vectors are used only if there are enough points for this many threads of each multiprocessor.
constexpr int64_t busyThreads = 512;

Size productOf(const LoopNest &nest, unsigned first, bool reductions) {
  Size product = 1;
  for (const Dimension &dim : ArrayRef(nest.dims).drop_front(first))
    if (dim.reduction == reductions)
      product *= dim.extent;
  return product;
}

/// Whether, in the reduction, neighbours along `dim` read contiguous elements or the same element.
bool readsNeighbours(const LoopNest &nest, unsigned dim) {
  return llvm::all_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) {
    const Size &stride = nest.nodes[id].address.coefficients[dim];
    return stride == 0 || stride == 1;
  });
}

/// The threads that share the steps of a reduction.
enum class Reducer { Thread, Warp, Block };

/// Returns the longest reduction dimension; the last one if several are equal, because its elements are usually
/// contiguous.
unsigned longestReduction(const LoopNest &nest) {
  std::optional<unsigned> longest;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (dimension.reduction && (!longest || int64_t(dimension.extent) >= int64_t(nest.dims[*longest].extent)))
      longest = dim;
  return *longest;
}

/// Chooses the reducer with the fewest sequential steps of the slowest thread: in a block if the group has rows,
/// otherwise on the whole device.
Reducer chooseReducer(const NestGroup &group, const LoopNest &nest, const GpuMachine &gpu) {
  Size points = productOf(nest, group.rowDims, /*reductions=*/false), steps = productOf(nest, 0, /*reductions=*/true);
  if (!points.isKnown() || !steps.isKnown() || int64_t(steps) < fewestSteps || !canReduceTogether(nest))
    return Reducer::Thread;
  int64_t threads = isAlone(group)          ? gpu.processors * threadsWhileFew
                    : group.orderedDims > 0 ? orderedThreads
                                            : rowThreads,
          blocks = isAlone(group) ? threads / rowThreads : 1;
  std::optional<unsigned> lastParallel;
  for (unsigned dim = group.rowDims; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && nest.dims[dim].extent != 1)
      lastParallel = dim;
  int64_t apart = lastParallel && !readsNeighbours(nest, *lastParallel) ? timesApart : 1,
          together = readsNeighbours(nest, longestReduction(nest)) ? 1 : timesApart;
  auto turns = [&](int64_t atOnce) { return llvm::divideCeil(int64_t(points), atOnce); };
  auto share = [&](int64_t sharing) { return llvm::divideCeil(int64_t(steps), sharing) * together; };
  int64_t byThread = turns(threads) * int64_t(steps) * apart;
  int64_t byWarp = turns(threads / GpuMachine::warpThreads) *
                   (share(GpuMachine::warpThreads) + stepsOfWarp * static_cast<int64_t>(nest.reductions.size()));
  int64_t byBlock = turns(blocks) * (share(rowThreads) + stepsOfBlock);
  if (canReduceByWarp(nest) && byWarp < std::min(byThread, byBlock))
    return Reducer::Warp;
  return byBlock < byThread ? Reducer::Block : Reducer::Thread;
}

/// Each warp reduces one point; its threads share the longest reduction.
ThreadSchedule reduceByWarp(const LoopNest &nest) {
  ThreadSchedule chosen;
  chosen.threads.bound.push_back({0, Binding::Warp});
  chosen.loops.loops.push_back({longestReduction(nest), 1});
  return chosen;
}

/// Each block reduces one point; its threads share the longest reduction.
ThreadSchedule reduceTogether(const NestGroup &group, const LoopNest &nest) {
  ThreadSchedule chosen;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (!dimension.reduction && isAlone(group)) {
      chosen.threads.bound.push_back({static_cast<unsigned>(chosen.loops.loops.size()), Binding::Block});
      chosen.loops.loops.push_back({static_cast<unsigned>(dim), 1});
    }
  }
  chosen.threads.bound.push_back({static_cast<unsigned>(chosen.loops.loops.size()), Binding::Thread});
  chosen.loops.loops.push_back({longestReduction(nest), 1});
  return chosen;
}

/// Returns the parallel dimension along which all outputs are contiguous, if there is one.
std::optional<unsigned> findNeighbours(const NestGroup &group, const LoopNest &nest) {
  for (unsigned dim = group.rowDims; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction && llvm::all_of(nest.outputs, [&](const Output &output) {
          return output.address.coefficients[dim] == 1 && !output.index;
        }))
      return dim;
  return std::nullopt;
}

/// Returns the parallel dimension along which all loads of a copy are contiguous, but not its outputs, as in a
/// transpose.
std::optional<unsigned> findTurned(const NestGroup &group, const LoopNest &nest) {
  if (!isAlone(group) || nest.hasReduction())
    return std::nullopt;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    auto isTurned = [&](const Node &node) {
      return node.kind != Node::Kind::Load || node.address.coefficients[dim] == 1;
    };
    if (llvm::all_of(nest.nodes, isTurned) && !nest.loads(/*insideReduction=*/false).empty() &&
        llvm::all_of(nest.outputs, [&](const Output &output) { return output.address.coefficients[dim] != 1; }))
      return dim;
  }
  return std::nullopt;
}

/// The bytes of the widest access.
constexpr int64_t accessBytes = 16;

/// Returns the elements of the largest type that `nest` stores, or reads side by side along `neighbours`, in one
/// access.
int64_t elementsOfAccess(const LoopNest &nest, unsigned neighbours) {
  constexpr int64_t mostLanes = 8;
  int64_t bytes = 1;
  for (const Output &output : nest.outputs)
    bytes = std::max(bytes, bytesOf(nest.nodes[output.value].type));
  for (const Node &node : nest.nodes)
    if (node.kind == Node::Kind::Load && node.address.coefficients[neighbours] == 1)
      bytes = std::max(bytes, bytesOf(node.type));
  return std::min(accessBytes / bytes, mostLanes);
}

/// Returns the largest power of two, at most `most`, that divides `extent`.
int64_t powerDividing(int64_t extent, int64_t most) {
  auto power = static_cast<int64_t>(llvm::bit_floor(static_cast<uint64_t>(most)));
  while (extent % power != 0)
    power /= 2;
  return power;
}

/// Adds points of a thread along `dim`.
void addPoints(ThreadSchedule &chosen, unsigned dim, int64_t count) {
  if (!chosen.loops.vectorDim && llvm::isPowerOf2_64(count) && count <= accessBytes) {
    chosen.loops.vectorDim = dim;
    chosen.loops.lanes = count;
  } else {
    chosen.loops.loops.push_back({dim, count});
  }
}

/// Chooses for a thread all points along the dimensions whose elements lie side by side in the outputs, as those of a
/// pixel and of its channels, and some along the next dimension, so that it computes an address for all of them. Of a
/// constant, it has some along other dimensions, too. At least `fewest` threads have work.
std::optional<ThreadSchedule> chooseBlock(const NestGroup &group, const LoopNest &nest, int64_t access, int64_t points,
                                          int64_t fewest) {
  ThreadSchedule chosen;
  auto isPlain = [](const Node &node) { return node.kind != Node::Kind::Gather; };
  if (!isAlone(group) || nest.hasReduction() || !llvm::all_of(nest.nodes, isPlain))
    return std::nullopt;
  int64_t all = 1;
  llvm::SmallDenseSet<unsigned> taken;
  auto take = [&](unsigned dim, int64_t count) {
    if (count == 1 || all * count > mostThreadPoints || points / (all * count) < fewest)
      return false;
    addPoints(chosen, dim, count);
    all *= count;
    return taken.insert(dim).second;
  };
  auto isNext = [&](unsigned dim) {
    return !taken.contains(dim) && nest.dims[dim].extent != 1 && llvm::all_of(nest.outputs, [&](const Output &output) {
      return output.address.coefficients[dim] == all && !output.index;
    });
  };
  auto next = [&] { return llvm::find_if(llvm::seq<unsigned>(nest.dims.size()), isNext); };
  for (auto dim = next(); *dim < nest.dims.size(); dim = next()) {
    int64_t extent = nest.dims[*dim].extent, part = powerDividing(extent, access);
    if (part == access || all * extent > mostThreadPoints) {
      take(*dim, powerDividing(extent, std::min(access, mostThreadPoints / all)));
      break;
    }
    if (!take(*dim, extent))
      break;
  }
  for (unsigned dim = nest.dims.size(); storesConstants(nest) && dim-- > 0;)
    if (!taken.contains(dim))
      take(dim, powerDividing(nest.dims[dim].extent, mostThreadPoints / all));
  return all > 1 ? std::optional(chosen) : std::nullopt;
}

/// Adds points of a thread along a dimension where neighbours read the same elements at other steps of the last
/// reduction, as pixels of a row do in a window, and all of these steps at once: such elements are read once, as are
/// filters. At least `fewest` threads have work.
void addNeighbours(const NestGroup &group, const LoopNest &nest, int64_t points, int64_t fewest,
                   ThreadSchedule &chosen) {
  constexpr int64_t mostAtOnce = 4, mostSteps = 8;
  unsigned last = nest.dims.size() - 1;
  if (!isAlone(group) || !nest.dims[last].reduction || int64_t(nest.dims[last].extent) > mostSteps)
    return;
  SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  auto sharesAlong = [&](unsigned dim) {
    auto isFilter = [&](NodeId load) { return nest.nodes[load].address.coefficients[dim] == 0; };
    auto isWindow = [&](NodeId load) {
      const LinearForm &form = nest.nodes[load].address;
      int64_t apart = form.coefficients[dim], ofStep = form.coefficients[last];
      return apart > 0 && ofStep > 0 && apart % ofStep == 0 && apart / ofStep < int64_t(nest.dims[last].extent);
    };
    return !nest.dims[dim].reduction && dim != chosen.loops.vectorDim && llvm::any_of(loads, isFilter) &&
           llvm::any_of(loads, isWindow);
  };
  auto dims = llvm::seq<unsigned>(last);
  auto found = llvm::find_if(dims, sharesAlong);
  if (found == dims.end())
    return;
  int64_t count = powerDividing(nest.dims[*found].extent, mostAtOnce);
  while (count > 1 && points / (chosen.loops.lanes * count) < fewest)
    count /= 2;
  if (count == 1)
    return;
  chosen.loops.loops.push_back({*found, count});
  chosen.threads.unroll = nest.dims[last].extent;
}

/// Chooses the widest vectors that one access can read or write, if there are enough points. Borders are filled by few
/// threads, so that they can be beside the plane that they surround (SharedLaunch.cpp). Where neighbours among the
/// outputs are too few, a thread has a block of points, or vectors are of what it reads, and it stores their elements
/// one by one.
ThreadSchedule chooseLanes(const NestGroup &group, const LoopNest &nest, const GpuMachine &gpu) {
  // With more elements that are stored apart, the stores of a warp at a time are too far from each other.
  constexpr int64_t mostApart = 4;
  // Threads of a multiprocessor that have a block of points each: their accesses are under way side by side.
  constexpr int64_t threadsOfBlocks = 64;
  ThreadSchedule chosen;
  Size points = productOf(nest, group.rowDims, /*reductions=*/false);
  std::optional<unsigned> neighbours = findNeighbours(group, nest);
  if (!nest.hasKnownSizes() || !points.isKnown() || !neighbours)
    return chosen;
  bool isConstant = storesConstants(nest);
  int64_t needed = !isAlone(group) ? fewestTogether : isConstant ? rowThreads : gpu.processors * busyThreads;
  auto choose = [&](unsigned dim, int64_t lanes) {
    while (lanes > 1 && (int64_t(nest.dims[dim].extent) % lanes != 0 || int64_t(points) / lanes < needed))
      lanes /= 2;
    if (lanes > 1) {
      chosen.loops.vectorDim = dim;
      chosen.loops.lanes = lanes;
    }
    return lanes > 1;
  };
  int64_t access = elementsOfAccess(nest, *neighbours);
  if (isConstant || int64_t(nest.dims[*neighbours].extent) % access != 0)
    if (std::optional<ThreadSchedule> block = chooseBlock(group, nest, access, int64_t(points),
                                                          isConstant ? rowThreads : gpu.processors * threadsOfBlocks))
      return std::move(*block);
  if (choose(*neighbours, access)) {
    addNeighbours(group, nest, points, gpu.processors * threadsOfBlocks, chosen);
    return chosen;
  }
  if (std::optional<unsigned> turned = findTurned(group, nest))
    choose(*turned, mostApart);
  return chosen;
}

/// Returns a schedule in which each thread has `lanes` contiguous points, which it accesses as vectors, and `splits`
/// blocks divide the longest reduction; none if that is not possible.
std::optional<ThreadSchedule> splitAmong(const NestGroup &group, const LoopNest &nest, int64_t lanes, int64_t splits) {
  std::optional<unsigned> neighbours = findNeighbours(group, nest), longest;
  if (!isAlone(group) || !nest.hasKnownSizes() || !neighbours || nest.reductions.size() != 1 ||
      !canReduceTogether(nest))
    return std::nullopt;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    // Partial results are stored in the order of points.
    if (!dimension.reduction && dim > *neighbours)
      return std::nullopt;
    if (dimension.reduction && (!longest || int64_t(dimension.extent) > int64_t(nest.dims[*longest].extent)))
      longest = dim;
  }
  int64_t extent = nest.dims[*longest].extent;
  if (int64_t(nest.dims[*neighbours].extent) % lanes != 0 || extent % splits != 0)
    return std::nullopt;
  ThreadSchedule chosen;
  if (lanes > 1) {
    chosen.loops.vectorDim = neighbours;
    chosen.loops.lanes = lanes;
  }
  chosen.threads.bound.push_back({0, Binding::Block});
  chosen.loops.loops.push_back({*longest, extent / splits});
  return chosen;
}

/// Splits the reduction if there are too few points for all threads of the device: products with a vector, and sums
/// over contiguous rows.
std::optional<ThreadSchedule> splitReduction(const NestGroup &group, const LoopNest &nest, const GpuMachine &gpu) {
  constexpr int64_t fewestSteps = 128, fewestShare = 16, fewestSplits = 4, mostSplits = 64, threadsOfBlock = 128,
                    blocksAtOnce = 2;
  Size points = productOf(nest, 0, /*reductions=*/false), steps = productOf(nest, 0, /*reductions=*/true);
  std::optional<unsigned> neighbours = findNeighbours(group, nest);
  if (!nest.hasReduction() || !points.isKnown() || !steps.isKnown() || int64_t(steps) < fewestSteps || !neighbours)
    return std::nullopt;
  auto isSideBySide = [&](NodeId id) {
    return nest.nodes[id].kind == Node::Kind::Load && nest.nodes[id].address.coefficients[*neighbours] == 1;
  };
  if (llvm::none_of(nest.loads(/*insideReduction=*/true), isSideBySide))
    return std::nullopt;
  int64_t lanes = accessBytes / std::max<int64_t>(bytesOf(nest.nodes[nest.reductions[0].update].type), 4);
  while (lanes > 1 && int64_t(nest.dims[*neighbours].extent) % lanes != 0)
    lanes /= 2;
  int64_t blocks = llvm::divideCeil(int64_t(points) / lanes, threadsOfBlock), splits = mostSplits;
  while (splits >= fewestSplits &&
         (int64_t(steps) / splits < fewestShare || blocks * splits >= 2 * blocksAtOnce * gpu.processors ||
          !splitAmong(group, nest, lanes, splits)))
    splits /= 2;
  return splits >= fewestSplits ? splitAmong(group, nest, lanes, splits) : std::nullopt;
}

} // namespace

ThreadSchedule defaultSchedule(const TaskProgram &program, const NestGroup &group, const LoopNest &nest,
                               const GpuMachine &gpu, Beside beside) {
  if (std::optional<BlockTileOption> tile = isAlone(group) ? chooseBlockTile(program, nest, gpu, beside) : std::nullopt)
    return std::move(tile->schedule);
  if (std::optional<ThreadSchedule> split = splitReduction(group, nest, gpu))
    return std::move(*split);
  Reducer reducer = nest.hasReduction() ? chooseReducer(group, nest, gpu) : Reducer::Thread;
  if (reducer == Reducer::Warp)
    return reduceByWarp(nest);
  return reducer == Reducer::Block ? reduceTogether(group, nest) : chooseLanes(group, nest, gpu);
}

/// Returns the estimated cycles of separate kernels for the nests of `attention`, whose last group is number `last`:
/// the products as the model of their tiles estimates them, but at least a short kernel, and a group of rows that reads
/// and writes all scores.
static double separateCycles(const TaskProgram &program, size_t last, const Attention &attention,
                             const GpuMachine &gpu) {
  constexpr double bytesPerCycle = 4350, rowBytes = 8, rowsAtOnce = 8, rowCycles = 2000;
  double rows = static_cast<double>(attention.heads() * attention.rows()),
         turns = rows / (rowsAtOnce * static_cast<double>(gpu.processors));
  double cycles =
      startCycles + turns * rowCycles + rows * static_cast<double>(attention.keys()) * rowBytes / bytesPerCycle;
  for (size_t group : {last - 2, last}) {
    std::optional<BlockTileOption> tile = chooseBlockTile(program, program.groups[group].nests.front(), gpu);
    cycles += tile ? std::max(tile->cycles, startCycles) : startCycles;
  }
  return cycles;
}

/// Lets blocks of group number `first`, whose nest is number `nest`, compute the pool behind it where that is faster.
static void addPool(const TaskProgram &program, size_t first, size_t nest, const GpuMachine &gpu, Beside beside,
                    ThreadSchedules &all) {
  std::optional<Pool> pool = findPool(program, first);
  std::optional<BlockTileOption> chosen =
      pool ? choosePool(program, program.groups[first].nests[0], *pool, gpu, beside) : std::nullopt;
  if (!chosen)
    return;
  for (unsigned other : pool->nests) {
    all.loops[other] = NestSchedule();
    all.threads[other] = GpuSchedule();
  }
  all.loops[nest] = std::move(chosen->schedule.loops);
  all.threads[nest] = std::move(chosen->schedule.threads);
}

ThreadSchedules defaultSchedules(const TaskProgram &program, const GpuMachine &gpu, Beside beside) {
  ThreadSchedules all;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      ThreadSchedule chosen = defaultSchedule(program, group, nest, gpu, beside);
      all.loops.push_back(std::move(chosen.loops));
      all.threads.push_back(std::move(chosen.threads));
    }
  size_t nests = 0;
  for (auto [number, group] : llvm::enumerate(program.groups)) {
    addPool(program, number, nests, gpu, beside, all);
    nests += group.nests.size();
    std::optional<Attention> attention = findAttention(program, number);
    if (!attention)
      continue;
    std::optional<OnlineOption> chosen =
        chooseOnline(*attention, gpu, separateCycles(program, number, *attention, gpu));
    if (!chosen)
      continue;
    std::fill(all.loops.begin() + nests - attentionNests, all.loops.begin() + nests, NestSchedule());
    std::fill(all.threads.begin() + nests - attentionNests, all.threads.begin() + nests, GpuSchedule());
    all.threads[nests - 1].online = chosen->tile;
    all.threads[nests - 1].tensor = chosen->tensor;
  }
  return all;
}

std::vector<ThreadSchedule> plainOptions(const NestGroup &group, const LoopNest &nest) {
  std::vector<ThreadSchedule> all(1);
  std::optional<unsigned> dim = nest.hasKnownSizes() ? findNeighbours(group, nest) : std::nullopt;
  for (unsigned lanes = 2; dim && lanes <= 8 && int64_t(nest.dims[*dim].extent) % lanes == 0; lanes *= 2) {
    all.emplace_back().loops.vectorDim = dim;
    all.back().loops.lanes = lanes;
  }
  if (canReduceTogether(nest))
    all.push_back(reduceTogether(group, nest));
  if (canReduceByWarp(nest))
    all.push_back(reduceByWarp(nest));
  for (int64_t lanes : {4, 2, 1})
    for (int64_t splits : {4, 8, 16, 32, 64})
      if (std::optional<ThreadSchedule> split = splitAmong(group, nest, lanes, splits))
        all.push_back(std::move(*split));
  return all;
}

} // namespace cameo::schedule
