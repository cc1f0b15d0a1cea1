// Counts the cache lines that loops fetch, and takes the order of loops with the fewest.
#include "passes/Schedule/Rules/OrderTransposition.h"

#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cameo::schedule {
namespace {

/// More loops have too many orders to try all.
constexpr size_t mostLoops = 5;
/// Another order than that of the results must take this part of its time at most: the estimate is rough.
constexpr double worthwhile = 0.97;
/// Parts of lines must take this part of the time: they are another loop.
constexpr double worthwhileParts = 0.85;
/// A load out of the second-level cache waits for this part of its transfer, as the loads of other rows go on. It
/// counts where stored lines stay whole.
constexpr double waitOfLoad = 0.5;
/// The pages whose addresses a core finds at once, and the cycles that each further page takes.
constexpr double nearPages = 64, pageCycles = 1;
/// A line that is stored is fetched first and written back later.
constexpr double transfersPerStore = 2;

/// The points along each dimension that a loop runs through.
using Box = llvm::SmallVector<double, 8>;

class LineFetches {
public:
  LineFetches(const LoopNest &nest, unsigned rowDims, const Machine &machine)
      : nest(nest), rowDims(rowDims), machine(machine) {}

  /// Returns the cycles in which `loops` wait for lines, as if those that are read out of the second-level cache came
  /// early enough.
  double cycles(llvm::ArrayRef<Loop> loops) const { return cycles(loops, /*perNearLoad=*/0); }

  /// Returns the same with the waits for lines out of the second-level cache and for the addresses of pages.
  double cyclesOfParts(llvm::ArrayRef<Loop> loops) const {
    double pages = transfers(loops, nearPages * pageBytes, 1, /*perStore=*/0, pageBytes);
    return cycles(loops, waitOfLoad) + pageCycles * pages;
  }

private:
  double cycles(llvm::ArrayRef<Loop> loops, double perNearLoad) const {
    double near = transfers(loops, static_cast<double>(machine.l1Bytes) * 3 / 4, perNearLoad, transfersPerStore),
           far = transfers(loops, static_cast<double>(machine.l2Bytes) * 4 / 5, 1, transfersPerStore);
    return static_cast<double>(lineBytes) * (near / machine.nearBytesPerCycle + far / machine.farBytesPerCycle);
  }

  /// Returns the number of transfers of lines of `ofLine` bytes between a cache of `bytes` and the next one, of which a
  /// line that is read counts `perLoad` and one that is stored `perStore`. If the cache holds what an iteration of a
  /// loop uses, the next one finds it, and all of its iterations fetch a line once.
  double transfers(llvm::ArrayRef<Loop> loops, double bytes, double perLoad, double perStore,
                   int64_t ofLine = lineBytes) const {
    llvm::SmallVector<Box> boxes(1);
    llvm::SmallVector<double> counts(1, 1);
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      boxes.back().push_back(dim < rowDims ? 1 : static_cast<double>(int64_t(dimension.extent)));
    for (const Loop &loop : loops) {
      Box inside = boxes.back();
      double pieces = std::ceil(inside[loop.dim] / static_cast<double>(loop.size));
      inside[loop.dim] /= pieces;
      boxes.push_back(inside);
      counts.push_back(counts.back() * pieces);
    }
    size_t level = 0;
    double storesCount = perStore > 0 ? 1 : 0;
    while (level + 1 < boxes.size() &&
           lines(boxes[level + 1], 1, storesCount, ofLine) * static_cast<double>(ofLine) > bytes)
      ++level;
    return counts[level] * lines(boxes[level], perLoad, perStore, ofLine);
  }

  /// Returns the number of lines of `ofLine` bytes in `box`, of which one that is read counts `perLoad`, and one that
  /// is stored `perStore`.
  double lines(const Box &box, double perLoad, double perStore, int64_t ofLine) const {
    double sum = 0;
    for (const Node &node : nest.nodes)
      if (node.kind == Node::Kind::Load)
        sum += perLoad * linesOf(node.address, bytesOf(node.type), box, ofLine);
    for (const Output &output : nest.outputs)
      sum += perStore * linesOf(output.address, bytesOf(nest.nodes[output.value].type), box, ofLine);
    return sum;
  }

  /// Returns the number of lines of `ofLine` bytes that the elements of `address` in `box` lie in: runs that are
  /// contiguous, or have elements in each line, at several places.
  static double linesOf(const LinearForm &address, int64_t bytes, const Box &box, int64_t ofLine) {
    llvm::SmallVector<std::pair<double, double>> strides;
    for (auto [dim, points] : llvm::enumerate(box))
      if (const Size &stride = address.coefficients[dim]; stride != 0 && points > 1)
        strides.emplace_back(std::abs(static_cast<double>(int64_t(stride) * bytes)), points);
    llvm::sort(strides);
    double run = static_cast<double>(bytes), runs = 1;
    for (auto [stride, points] : strides)
      if (runs == 1 && stride <= std::max<double>(run, ofLine))
        run += stride * (points - 1);
      else
        runs *= points;
    return runs * ((run - 1) / static_cast<double>(ofLine) + 1);
  }

  const LoopNest &nest;
  unsigned rowDims;
  const Machine &machine;
};

/// Returns a loop over parts of rows that are a line of each result, if a block stores less than a line, and the lines
/// that a part reads find room in the sets of the first-level cache.
std::optional<Loop> partOfLine(const LoopNest &nest, const Machine &machine, const Loop &block) {
  int64_t part = 0;
  for (const Output &output : nest.outputs) {
    if (output.address.coefficients[block.dim] != 1)
      return std::nullopt;
    part = std::max(part, lineBytes / bytesOf(nest.nodes[output.value].type));
  }
  for (const Node &node : nest.nodes)
    if (node.kind == Node::Kind::Load && node.address.coefficients[block.dim] != 0) {
      int64_t apart = std::abs(int64_t(node.address.coefficients[block.dim])) * bytesOf(node.type),
              way = machine.l1WayBytes();
      if (part > way / std::gcd(apart, way) * machine.l1Ways)
        return std::nullopt;
    }
  bool isShort = block.size < part && part % block.size == 0 && nest.dims[block.dim].extent > part;
  return isShort ? std::optional(Loop{block.dim, part}) : std::nullopt;
}

/// Returns the order of all `loops` but the innermost with the fewest cycles, if they are fewer than `least`.
llvm::SmallVector<Loop> bestOrder(llvm::ArrayRef<Loop> loops, double least,
                                  llvm::function_ref<double(llvm::ArrayRef<Loop>)> cyclesOf) {
  llvm::SmallVector<Loop> ordered(loops), best;
  llvm::SmallVector<unsigned> order(loops.size() - 1);
  std::iota(order.begin(), order.end(), 0);
  do {
    for (auto [loop, from] : llvm::zip(ordered, order))
      loop = loops[from];
    // Parts directly around their blocks change nothing.
    if (ordered.end()[-2].dim == ordered.back().dim)
      continue;
    if (double cycles = cyclesOf(ordered); cycles < least) {
      least = cycles;
      best = ordered;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

} // namespace

void orderTransposition(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule) {
  size_t outer = schedule.loops.size() - 1;
  if (!nest.hasKnownSizes() || outer < 2 || outer > mostLoops)
    return;
  LineFetches fetches(nest, rowDims, machine);
  auto take = [&](llvm::ArrayRef<Loop> loops, double part, llvm::function_ref<double(llvm::ArrayRef<Loop>)> cyclesOf) {
    if (llvm::SmallVector<Loop> best = bestOrder(loops, part * cyclesOf(schedule.loops), cyclesOf); !best.empty())
      schedule.loops = best;
  };
  take(schedule.loops, worthwhile, [&](llvm::ArrayRef<Loop> loops) { return fetches.cycles(loops); });
  std::optional<Loop> part = rowDims == 0 ? partOfLine(nest, machine, schedule.loops.back()) : std::nullopt;
  if (!part)
    return;
  llvm::SmallVector<Loop> parted(schedule.loops);
  parted.insert(parted.begin(), *part);
  take(parted, worthwhileParts, [&](llvm::ArrayRef<Loop> loops) { return fetches.cyclesOfParts(loops); });
}

} // namespace cameo::schedule
