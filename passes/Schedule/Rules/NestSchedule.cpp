// Division of dimensions into pieces, and the rules a schedule must keep.
#include "passes/Schedule/Rules/NestSchedule.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/PartialLayout.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace cameo::schedule {

/// More accumulators or stores than this in one block is no register block but a code explosion.
constexpr int64_t maxBlockPoints = 1024;
/// The same of all blocks that the rests of loops leave: each is code of its own.
constexpr int64_t maxEmittedPoints = 16 * maxBlockPoints;
/// Loops over one dimension; each is one level of the emitter's recursion.
constexpr size_t maxLoopsOfDimension = 16;
/// The registers of a vector are so many points as it has lanes of the smallest elements of a register.
constexpr int64_t lanesOfRegister = 64;

llvm::SmallVector<Segment, 2> divide(int64_t extent, int64_t size, bool even) {
  llvm::SmallVector<Segment, 2> segments;
  size = std::min(size, extent);
  if (extent <= 0)
    return segments;
  int64_t pieces = llvm::divideCeil(extent, size);
  if (even)
    size = llvm::divideCeil(extent, pieces);
  int64_t small = even ? size - 1 : extent % size;
  int64_t whole = even ? extent - pieces * small : extent / size;
  if (whole > 0)
    segments.push_back({0, whole, size});
  if (whole < pieces && small > 0)
    segments.push_back({whole * size, pieces - whole, small});
  return segments;
}

int64_t mostPoints(const Dimension &dim) { return dim.extent.isKnown() ? int64_t(dim.extent) : unboundedSize; }

llvm::SmallVector<Segment, 2> segmentsOf(const LoopNest &nest, const NestSchedule &schedule, const Loop &loop,
                                         int64_t extent) {
  bool even = !nest.dims[loop.dim].reduction && schedule.vectorDim != loop.dim;
  return divide(extent, loop.size, even);
}

Size parallelExtent(const LoopNest &nest, const NestSchedule &schedule) {
  Size extent = 1;
  for (const Loop &loop : llvm::ArrayRef(schedule.loops).slice(schedule.repeatedLoops, schedule.parallelLoops))
    extent *= countPieces(nest.dims[loop.dim].extent, loop.size);
  return extent;
}

Size parallelExtent(const NestGroup &group, llvm::ArrayRef<NestSchedule> own) {
  return group.rowDims == 0 && group.nests.size() == 1 ? parallelExtent(group.nests[0], own[0]) : group.parallelRows();
}

int64_t chainsOf(const NestSchedule &schedule, int64_t points) {
  return std::clamp<int64_t>(llvm::divideCeil(points, int64_t(schedule.lanes)), 1, 8);
}

/// Only packing transforms operands.
static bool packsTransformed(const LoopNest &nest, const NestSchedule &schedule) {
  return llvm::all_of(nest.nodes, [&](const Node &node) {
    return node.transforms.empty() ||
           (schedule.vectorDim && node.address.coefficients[*schedule.vectorDim] != 0 &&
            llvm::none_of(node.transforms,
                          [&](const DimensionTransform &transform) { return transform.dim == schedule.vectorDim; }) &&
            !nest.dims[*schedule.vectorDim].reduction && llvm::is_contained(schedule.packedBuffers, node.buffer));
  });
}

/// The lanes of a reduction are partial results.
static bool combinesLanes(const LoopNest &nest) {
  for (unsigned number = 0; number < nest.reductions.size(); ++number)
    if (!matchCombiner(nest, number) || nest.nodes[nest.reductions[number].update].type.isInteger(1))
      return false;
  return true;
}

/// Packing lays out whole blocks of the vector dimension and one rest, padded to vectors: the loops must meet the same blocks.
static bool meetsPackedBlocks(const LoopNest &nest, const NestSchedule &schedule) {
  if (!nest.dims[*schedule.vectorDim].extent.isKnown())
    return true;
  int64_t left = nest.dims[*schedule.vectorDim].extent;
  bool isDivided = false;
  for (const Loop &loop : schedule.loops) {
    if (loop.dim != *schedule.vectorDim || loop.size >= left)
      continue;
    if (isDivided && left % loop.size != 0)
      return false;
    isDivided = true;
    left = loop.size;
  }
  return !isDivided || left % schedule.lanes == 0;
}

/// Blocks of packed operands lie along the vector dimension, in each of them the reductions: that is one or the other.
static std::string verifyPacked(const LoopNest &nest, const NestSchedule &schedule) {
  if (!schedule.vectorDim)
    return "";
  unsigned along = *schedule.vectorDim;
  if (nest.dims[along].reduction)
    for (NodeId id : nest.loads(/*insideReduction=*/true)) {
      const Node &node = nest.nodes[id];
      if (isPacked(schedule, node))
        return llvm::formatv("expected vectors along a parallel dimension where buffer {0} is packed, got dimension {1}, a reduction", node.buffer,
                             along);
    }
  if (!schedule.packedBuffers.empty() && !meetsPackedBlocks(nest, schedule))
    return llvm::formatv("expected loops over dimension {0} to divide packed operands into blocks of whole vectors, each size "
                         "a multiple of the next",
                         along);
  return "";
}

/// Loops over a reduction may lie around others if what these leave in memory is small and can be taken up again.
static std::string verifyPartials(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> left, unsigned loop) {
  for (auto [dim, points] : llvm::enumerate(left))
    if (points == unboundedSize && !nest.dims[dim].reduction)
      return llvm::formatv("expected a loop over dimension {0}, whose size only the run knows, around the reductions outside of loop {1}", dim, loop);
  if (schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction)
    return llvm::formatv("loop {0} is inside of one over a reduction whose lanes are partial results", loop);
  for (const Reduction &reduction : nest.reductions)
    if (nest.nodes[reduction.update].type.isInteger(1))
      return llvm::formatv("loop {0} is inside of one over a reduction of single bits", loop);
  if (int64_t bytes = partialBytes(nest, schedule, left); bytes > maxPartialBytes)
    return llvm::formatv("expected at most {0} bytes of partial results for loop {1}, got {2}", maxPartialBytes, loop, bytes);
  return "";
}

bool isPacked(const NestSchedule &schedule, const Node &node) {
  return node.kind == Node::Kind::Load && !node.shared && llvm::is_contained(schedule.packedBuffers, node.buffer) && schedule.vectorDim &&
         node.address.coefficients[*schedule.vectorDim] != 0;
}

bool hasKnownRange(const LoopNest &nest, const Node &node) {
  return node.kind != Node::Kind::Load || llvm::all_of(llvm::zip_equal(node.address.coefficients, nest.dims), [](auto pair) {
    auto [coefficient, dim] = pair;
    return coefficient == 0 || (coefficient.isKnown() && dim.extent.isKnown());
  });
}

/// Dimensions whose size only the run knows are run through in loops, and what is laid out by them has neither groups nor blocks to fetch.
static std::string verifyCounted(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> left) {
  for (auto [dim, points] : llvm::enumerate(left))
    if (points == unboundedSize)
      return llvm::formatv("expected a loop over dimension {0}, whose size only the run knows", dim);
  for (const Node &node : nest.nodes)
    if ((schedule.dotDim || llvm::is_contained(schedule.prefetchedBuffers, node.buffer)) &&
        llvm::is_contained(schedule.packedBuffers, node.buffer) && !hasKnownRange(nest, node))
      return llvm::formatv("buffer {0} cannot be packed in groups or fetched ahead: what is read of it is known only to the run", node.buffer);
  return "";
}

/// The loops, from the outermost on. `left`, the points of each dimension, becomes what they leave of them.
static std::string verifyLoops(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, llvm::MutableArrayRef<int64_t> left) {
  if (size_t most = maxLoopsOfDimension * nest.dims.size(); schedule.loops.size() > most)
    return llvm::formatv("expected at most {0} loops, got {1}", most, schedule.loops.size());
  llvm::SmallVector<int64_t> leftAtReduction;
  bool reducing = false;
  for (auto [number, loop] : llvm::enumerate(schedule.loops)) {
    if (loop.dim < rowDims || loop.dim >= nest.dims.size())
      return llvm::formatv("expected a dimension from {0} to {1}, got {2}", rowDims, nest.dims.size() - 1, loop.dim);
    if (loop.size < 1)
      return llvm::formatv("expected a tile size of at least 1, got {0}", loop.size);
    bool reduction = nest.dims[loop.dim].reduction;
    if (reduction && !reducing)
      leftAtReduction.assign(left.begin(), left.end());
    reducing |= reduction;
    if (reducing && !reduction)
      if (std::string wrong = verifyPartials(nest, schedule, leftAtReduction, number); !wrong.empty())
        return wrong;
    if (number < schedule.parallelEnd()) {
      bool isRepeated = number < schedule.repeatedLoops;
      if (reduction)
        return llvm::formatv("loop {0} over a reduction cannot be {1}parallel", number, isRepeated ? "around what is " : "");
      if (!isRepeated && left[loop.dim] != mostPoints(nest.dims[loop.dim]))
        return llvm::formatv("dimension {0} is divided by two parallel loops, or by one and a loop around it", loop.dim);
    }
    left[loop.dim] = std::min(left[loop.dim], loop.size);
  }
  if (rowDims > 0 && schedule.parallelLoops > 0)
    return "expected no parallel loops inside of a row";
  if (schedule.repeatedLoops > schedule.loops.size() || schedule.parallelLoops > schedule.loops.size() - schedule.repeatedLoops)
    return llvm::formatv("expected at most {0} loops, parallel ones and those around them, got {1}", schedule.loops.size(),
                         int64_t(schedule.parallelLoops) + schedule.repeatedLoops);
  return "";
}

static std::string verifyPartialLoop(const LoopNest &nest, const NestSchedule &schedule) {
  if (!schedule.partialLoop)
    return "";
  if (*schedule.partialLoop >= schedule.loops.size() || !nest.dims[schedule.loops[*schedule.partialLoop].dim].reduction)
    return llvm::formatv("expected partial results for a loop over a reduction, got loop {0}", *schedule.partialLoop);
  for (unsigned reduction = 0; reduction < nest.reductions.size(); ++reduction)
    if (!matchCombiner(nest, reduction))
      return "the partial results of this reduction cannot be combined";
  return "";
}

static std::string verifyVector(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims) {
  if (schedule.vectorDim && (*schedule.vectorDim < rowDims || *schedule.vectorDim >= nest.dims.size()))
    return llvm::formatv("expected a vector dimension from {0} to {1}, got {2}", rowDims, nest.dims.size() - 1,
                         *schedule.vectorDim);
  if (schedule.lanes < 1 || (schedule.vectorDim && !llvm::isPowerOf2_32(schedule.lanes)))
    return llvm::formatv("expected a power of two as vector length, got {0}", schedule.lanes);
  if (schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction && !combinesLanes(nest))
    return llvm::formatv("the lanes of a vector along dimension {0} cannot be combined", *schedule.vectorDim);
  return "";
}

/// What `size` points along `dim` are unrolled to.
static int64_t unrolledPoints(const NestSchedule &schedule, unsigned dim, int64_t size) {
  if (schedule.vectorDim == dim)
    return llvm::divideCeil(size, int64_t(schedule.lanes)) * llvm::divideCeil(int64_t(schedule.lanes), lanesOfRegister);
  return llvm::divideCeil(size, schedule.dotDim == dim ? dotGroup : 1);
}

/// The sizes of the pieces of `dim` that the loops leave, and how many blocks of code have them; a rest is one of its own. Stops at more
/// than the limit.
static std::map<int64_t, int64_t> emittedPieces(const LoopNest &nest, const NestSchedule &schedule, unsigned dim) {
  std::map<int64_t, int64_t> pieces = {{mostPoints(nest.dims[dim]), 1}};
  for (const Loop &loop : schedule.loops) {
    if (loop.dim != dim)
      continue;
    std::map<int64_t, int64_t> inner;
    for (auto [size, count] : pieces) {
      if (size == unboundedSize)
        inner[loop.size] += count;
      else
        for (const Segment &segment : segmentsOf(nest, schedule, loop, size))
          inner[segment.size] = std::min(inner[segment.size] + count, maxEmittedPoints + 1);
    }
    pieces = std::move(inner);
  }
  return pieces;
}

/// Whether the points that the loops leave, `left` of each dimension, are few enough to unroll.
static std::string verifyBlock(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, llvm::ArrayRef<int64_t> left) {
  int64_t points = 1, emitted = 1;
  for (auto [dim, size] : llvm::enumerate(left)) {
    points *= unrolledPoints(schedule, dim, size);
    if (points > maxBlockPoints)
      return llvm::formatv("the loops leave a block of more than {0} points to unroll", maxBlockPoints);
  }
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim) {
    int64_t along = 0;
    for (auto [size, count] : emittedPieces(nest, schedule, dim))
      along += count * unrolledPoints(schedule, dim, size);
    emitted *= std::max<int64_t>(along, 1);
    if (emitted > maxEmittedPoints)
      return llvm::formatv("the loops leave blocks of more than {0} points to unroll, of which those over dimension {1} make {2}", maxEmittedPoints,
                           dim, along);
  }
  return "";
}

std::string verify(const LoopNest &nest, const NestSchedule &schedule, unsigned rowDims, const Machine &machine) {
  // The rules of loops look at the vector dimension.
  if (std::string wrong = verifyVector(nest, schedule, rowDims); !wrong.empty())
    return wrong;
  llvm::SmallVector<int64_t> left;
  for (const Dimension &dim : nest.dims)
    left.push_back(left.size() < rowDims ? 1 : mostPoints(dim));
  if (std::string wrong = verifyLoops(nest, schedule, rowDims, left); !wrong.empty())
    return wrong;
  for (unsigned buffer : schedule.prefetchedBuffers)
    if (!llvm::is_contained(schedule.packedBuffers, buffer))
      return llvm::formatv("expected a packed buffer to fetch, got buffer {0}", buffer);
  if (std::string wrong = verifyPartialLoop(nest, schedule); !wrong.empty())
    return wrong;
  if (std::string wrong = verifyCounted(nest, schedule, left); !wrong.empty())
    return wrong;
  if (std::string wrong = verifyPacked(nest, schedule); !wrong.empty())
    return wrong;
  if (!packsTransformed(nest, schedule))
    return "expected the transformed operand to be packed along the vector dimension";
  if (std::string wrong = verifyDot(nest, schedule, machine); !wrong.empty())
    return wrong;
  return verifyBlock(nest, schedule, rowDims, left);
}

} // namespace cameo::schedule
