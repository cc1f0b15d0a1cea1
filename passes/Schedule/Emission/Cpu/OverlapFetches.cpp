// If two threads share a plane by halves, windows at the edge of one half read rows that another core computed. Their
// cache lines are fetched one by one when a window needs them, because channels of other blocks lie between them. So
// they are prefetched one block of channels ahead.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/CacheModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Elements that windows on both sides of a boundary read: `count` elements of each channel, starting at `first`,
/// `step` apart.
struct Overlap {
  int64_t first, step, count;
};

/// Returns the elements of `node` that windows before and after `boundary` of dimension `along` share; channels are
/// along `channels`. `count` is 0 if the windows do not move forwards.
Overlap overlapAt(const LoopNest &nest, const Node &node, unsigned along, int64_t boundary, unsigned channels) {
  Overlap overlap{node.address.constant + node.address.coefficients[along] * boundary, 0, 0};
  for (auto [dim, stride] : llvm::enumerate(node.address.coefficients)) {
    if (stride < 0 || (dim == along && stride == 0))
      return overlap;
    if (dim != channels && stride != 0)
      overlap.step = overlap.step == 0 ? int64_t(stride) : std::min<int64_t>(overlap.step, stride);
  }
  uint64_t window = ~(uint64_t(1) << along | uint64_t(1) << channels);
  int64_t shared = nest.reach<int64_t>(node.address, window).count() - node.address.coefficients[along];
  if (overlap.step > 0 && shared > 0)
    overlap.count = (shared - 1) / overlap.step + 1;
  return overlap;
}

} // namespace

void PointEvaluator::prefetchOverlaps(unsigned level, ArrayRef<Position> panel, std::pair<Value, Value> called) {
  if (!called.first || level != 2 || schedule.parallelLoops != 2 || schedule.repeatedLoops != 0 ||
      !nest.hasKnownSizes())
    return;
  const Loop &halves = schedule.loops[0], &blocks = schedule.loops[1], &rows = schedule.loops[level];
  int64_t extent = nest.dims[halves.dim].extent;
  if (halves.dim == schedule.vectorDim || blocks.dim != schedule.vectorDim || rows.dim != halves.dim ||
      countPieces(extent, halves.size) != 2)
    return;
  int64_t boundary = segmentsOf(nest, schedule, halves, extent).front().size;
  Point origin(nest.dims.size(), 0);
  SmallVector<Position> done = since(panel, positions);
  PointEvaluator relative(builder, loc, nest, schedule, buffers, done, machine);
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (node.kind != Node::Kind::Load || node.packed || node.address.coefficients[blocks.dim] != 1)
      continue;
    Overlap overlap = overlapAt(nest, node, halves.dim, boundary, blocks.dim);
    if (overlap.count == 0)
      continue;
    // Every row prefetches its part.
    int64_t perRow = llvm::divideCeil(overlap.count, extent / 2), elementBytes = node.type.getIntOrFloatBitWidth() / 8;
    LinearForm next(nest.dims.size()), progress(nest.dims.size());
    next.constant = overlap.first + blocks.size;
    next.coefficients[blocks.dim] = 1;
    progress.coefficients[halves.dim] = perRow * overlap.step;
    Value first = address(next, origin, relative.address(progress, origin));
    Value step = indexConstant(overlap.step);
    Value pieces = arith::SubIOp::create(builder, loc, called.second, called.first);
    Value isWhole = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, pieces,
                                          indexConstant(parallelExtent(nest, schedule)));
    Value count = arith::SelectOp::create(builder, loc, isWhole, indexConstant(0), indexConstant(perRow * rows.size));
    auto loop = scf::ForOp::create(builder, loc, indexConstant(0), count, indexConstant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value place = arith::MulIOp::create(builder, loc, loop.getInductionVar(), step);
    place = arith::AddIOp::create(builder, loc, first, place);
    for (int64_t element = 0; element < blocks.size; element += lineBytes / elementBytes) {
      Value line = arith::AddIOp::create(builder, loc, place, arith::ConstantIndexOp::create(builder, loc, element));
      memref::PrefetchOp::create(builder, loc, buffers[node.buffer], line, /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
    }
  }
}

} // namespace cameo::schedule
