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
/// A line that is stored is fetched first and written back later.
constexpr double transfersPerStore = 2;

/// The points along each dimension that a loop runs through.
using Box = llvm::SmallVector<double, 8>;

class LineFetches {
public:
  LineFetches(const LoopNest &nest, unsigned rowDims, const Machine &machine)
      : nest(nest), rowDims(rowDims), machine(machine) {}

  /// Returns the cycles in which `loops` wait for lines. Those that are read out of the second-level cache come early
  /// enough.
  double cycles(llvm::ArrayRef<Loop> loops) const {
    double near = transfers(loops, static_cast<double>(machine.l1Bytes) * 3 / 4, 0),
           far = transfers(loops, static_cast<double>(machine.l2Bytes) * 4 / 5, 1);
    return static_cast<double>(lineBytes) * (near / machine.nearBytesPerCycle + far / machine.farBytesPerCycle);
  }

private:
  /// Returns the number of transfers of lines between a cache of `bytes` and the next one, of which a line that is read
  /// counts `perLoad`. If the cache holds what an iteration of a loop uses, the next one finds it, and all of its
  /// iterations fetch a line once.
  double transfers(llvm::ArrayRef<Loop> loops, double bytes, double perLoad) const {
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
    while (level + 1 < boxes.size() && lines(boxes[level + 1], 1, 1) * static_cast<double>(lineBytes) > bytes)
      ++level;
    return counts[level] * lines(boxes[level], perLoad, transfersPerStore);
  }

  /// Returns the number of lines in `box`, of which one that is read counts `perLoad`, and one that is stored
  /// `perStore`.
  double lines(const Box &box, double perLoad, double perStore) const {
    double sum = 0;
    for (const Node &node : nest.nodes)
      if (node.kind == Node::Kind::Load)
        sum += perLoad * linesOf(node.address, bytesOf(node.type), box);
    for (const Output &output : nest.outputs)
      sum += perStore * linesOf(output.address, bytesOf(nest.nodes[output.value].type), box);
    return sum;
  }

  /// Returns the number of lines that the elements of `address` in `box` lie in: runs that are contiguous, or have
  /// elements in each line, at several places.
  static double linesOf(const LinearForm &address, int64_t bytes, const Box &box) {
    llvm::SmallVector<std::pair<double, double>> strides;
    for (auto [dim, points] : llvm::enumerate(box))
      if (const Size &stride = address.coefficients[dim]; stride != 0 && points > 1)
        strides.emplace_back(std::abs(static_cast<double>(int64_t(stride) * bytes)), points);
    llvm::sort(strides);
    double run = static_cast<double>(bytes), runs = 1;
    for (auto [stride, points] : strides)
      if (runs == 1 && stride <= std::max<double>(run, lineBytes))
        run += stride * (points - 1);
      else
        runs *= points;
    return runs * ((run - 1) / static_cast<double>(lineBytes) + 1);
  }

  const LoopNest &nest;
  unsigned rowDims;
  const Machine &machine;
};

} // namespace

void orderTransposition(const LoopNest &nest, unsigned rowDims, const Machine &machine, NestSchedule &schedule) {
  size_t outer = schedule.loops.size() - 1;
  if (!nest.hasKnownSizes() || outer < 2 || outer > mostLoops)
    return;
  LineFetches fetches(nest, rowDims, machine);
  llvm::SmallVector<Loop> loops(schedule.loops), best(schedule.loops);
  llvm::SmallVector<unsigned> order(outer);
  std::iota(order.begin(), order.end(), 0);
  double least = worthwhile * fetches.cycles(loops);
  while (std::next_permutation(order.begin(), order.end())) {
    for (auto [loop, from] : llvm::zip(loops, order))
      loop = schedule.loops[from];
    if (double cycles = fetches.cycles(loops); cycles < least) {
      least = cycles;
      best = loops;
    }
  }
  schedule.loops = best;
}

} // namespace cameo::schedule
