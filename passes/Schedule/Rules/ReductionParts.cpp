#include "passes/Schedule/Rules/ReductionParts.h"

#include "passes/Schedule/Rules/Complete/BlockedSummation.h"
#include "passes/Schedule/Rules/Operands/PartialLayout.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// The cycles for a block of points to store its sums, to load them again, and to refill the pipeline.
constexpr double continueCycles = 60;
/// The fewest pieces outside of the parts, for threads to share.
constexpr int64_t fewestPieces = 8;

} // namespace

/// Whether parts are possible with `pieces` blocks; `left` has the points inside of the loop over blocks.
bool ReductionParts::arePossible(llvm::ArrayRef<int64_t> left, int64_t pieces) const {
  return !schedule.dotDim && pieces >= fewestPieces && partialBytes(nest, schedule, left) <= maxPartialBytes;
}

bool ReductionParts::arePossible(llvm::ArrayRef<unsigned> dims, int64_t vectors) const {
  llvm::SmallVector<int64_t> left;
  for (const Dimension &dim : nest.dims)
    left.push_back(dim.extent);
  int64_t &block = left[*schedule.vectorDim], pieces = llvm::divideCeil(block, vectors * schedule.lanes);
  block = std::min<int64_t>(block, vectors * schedule.lanes);
  for (unsigned dim : dims) {
    // Dynamic extents are bounded by loops.
    if (nest.dims[dim].extent.isKnown() && !operands.variesVector(dim))
      continue;
    pieces *= operands.variesVector(dim) ? left[dim] : 1;
    left[dim] = 1;
  }
  return arePossible(left, pieces);
}

/// Returns loops to insert at `inside`: one for each later loop of `spatial` over a dynamic dimension that no outer
/// loop divides. Inside of them the number of points is static, and so is the memory for partial sums; their sizes are
/// as large as `maxPartialBytes` allows. Sets `left` to the points inside of them.
llvm::SmallVector<Loop> ReductionParts::boundCountedPoints(llvm::ArrayRef<Loop> spatial, size_t inside,
                                                           llvm::MutableArrayRef<int64_t> left) const {
  llvm::SmallVector<Loop> bounds;
  for (const Loop &loop : spatial.drop_front(inside)) {
    bool isDivided = llvm::any_of(spatial.take_front(inside), [&](const Loop &outer) { return outer.dim == loop.dim; });
    if (nest.dims[loop.dim].extent.isKnown() || isDivided)
      continue;
    left[loop.dim] = loop.size;
    bounds.push_back(loop);
  }
  for (Loop &bound : llvm::reverse(bounds)) {
    left[bound.dim] *= std::max<int64_t>(1, maxPartialBytes / partialBytes(nest, schedule, left));
    bound.size = left[bound.dim];
  }
  return bounds;
}

/// Whether packed blocks of `bytes` are processed whole; `left` has the points inside of the loop over blocks. This
/// needs a block and the data that blocks share to stay in the cache, and reading the first block without prefetches
/// must cost less than continuing from sums in memory for each part.
bool ReductionParts::areBlocksWhole(llvm::ArrayRef<Loop> spatial, llvm::ArrayRef<int64_t> left, int64_t bytes) const {
  double shared = static_cast<double>(operands.sharedBytes()), continued = llvm::divideCeil(bytes, fetchedBytes) - 1;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (dimension.reduction)
      continue;
    int64_t extent = dimension.extent, size = extent;
    for (const Loop &loop : spatial)
      size = loop.dim == dim ? std::min(size, loop.size) : size;
    continued *= static_cast<double>(llvm::divideCeil(extent, size));
    if (schedule.vectorDim != dim && !operands.isBatch(dim))
      shared *= static_cast<double>(left[dim]) / static_cast<double>(extent);
  }
  double fetching = static_cast<double>(bytes - fetchedBytes) / machine.memoryBytesPerCycle;
  return static_cast<double>(2 * bytes) + shared <= static_cast<double>(machine.roomBytes()) &&
         fetching < continued * continueCycles;
}

void ReductionParts::takeOut(llvm::SmallVectorImpl<Loop> &spatial, size_t inside) {
  llvm::SmallVector<int64_t> left;
  for (const Dimension &dim : nest.dims)
    left.push_back(dim.extent);
  int64_t pieces = 1;
  for (const Loop &loop : llvm::ArrayRef(spatial).take_front(inside)) {
    pieces *= llvm::divideCeil(left[loop.dim], loop.size);
    left[loop.dim] = std::min(left[loop.dim], loop.size);
  }
  llvm::SmallVector<Loop> bounds = boundCountedPoints(spatial, inside, left);
  if (inside == spatial.size() || !arePossible(left, pieces))
    return;
  spatial.insert(spatial.begin() + inside, bounds.begin(), bounds.end());
  inside += bounds.size();
  int64_t bytes = operands.vectorBytes(left[*schedule.vectorDim]);
  if (areBlocksWhole(spatial, left, bytes))
    return;
  // Sums that exceed the limit of blocked summation restart anyway, at the points where parts would continue from
  // memory.
  int64_t terms = 1, most = isSumOfFloats(nest) ? mostTerms : unboundedSize;
  for (const Dimension &dim : nest.dims)
    terms *= dim.reduction ? int64_t(dim.extent) : 1;
  llvm::SmallVector<Loop> outer;
  while ((bytes > fetchedBytes || terms > most) && schedule.loops.size() > 1) {
    const Loop loop = schedule.loops.front();
    int64_t pieces = llvm::divideCeil(nest.dims[loop.dim].extent, loop.size);
    bytes /= pieces;
    terms /= pieces;
    outer.push_back(loop);
    schedule.loops.erase(schedule.loops.begin());
  }
  if (bytes > fetchedBytes || terms > most) {
    const Loop &last = schedule.loops.front();
    int64_t pieces = llvm::divideCeil(nest.dims[last.dim].extent, last.size);
    int64_t parts = std::max(llvm::divideCeil(bytes, fetchedBytes), llvm::divideCeil(terms, most));
    outer.push_back({last.dim, last.size * piecesPerPart(pieces, llvm::divideCeil(pieces, parts))});
  }
  spatial.insert(spatial.begin() + inside, outer.begin(), outer.end());
}

} // namespace cameo::schedule
