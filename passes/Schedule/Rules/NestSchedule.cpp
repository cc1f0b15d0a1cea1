// Divides dimensions into pieces.
#include "passes/Schedule/Rules/NestSchedule.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

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

bool isPacked(const NestSchedule &schedule, const Node &node) {
  return node.kind == Node::Kind::Load && !node.shared && llvm::is_contained(schedule.packedBuffers, node.buffer) &&
         schedule.vectorDim && node.address.coefficients[*schedule.vectorDim] != 0;
}

bool hasKnownRange(const LoopNest &nest, const Node &node) {
  return node.kind != Node::Kind::Load ||
         llvm::all_of(llvm::zip_equal(node.address.coefficients, nest.dims), [](auto pair) {
           auto [coefficient, dim] = pair;
           return coefficient == 0 || (coefficient.isKnown() && dim.extent.isKnown());
         });
}

} // namespace cameo::schedule
