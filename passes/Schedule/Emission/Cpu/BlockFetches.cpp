// Prefetches packed operands from memory: each step of a reduction prefetches its part of the block after the one in
// use.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/CacheModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

PointShare sharePoints(OpBuilder &builder, Location loc, const LoopNest &nest, const NestSchedule &schedule,
                       Value begin, Value end) {
  PointShare share{begin, {}, parallelExtent(nest, schedule), 1};
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (!dimension.reduction && schedule.vectorDim != dim)
      share.points *= dimension.extent;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value count = arith::MaxUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, end, begin), constant(1));
  share.reciprocal =
      arith::DivUIOp::create(builder, loc, constant((share.pieces << PointShare::fraction) / share.points), count);
  return share;
}

void PointEvaluator::prefetch(NodeId id, ArrayRef<Position> panel, const std::optional<PointShare> &share) {
  constexpr int64_t streamBytes = 8192;
  const Node &node = nest.nodes[id];
  LinearForm block = packedForm(node), progress(nest.dims.size());
  int64_t width = llvm::alignTo(positions[*schedule.vectorDim].size, schedule.lanes),
          blockElements = node.packed->group * width;
  int64_t total = 1, points = 1, steps = 1;
  Value count; // number of points that share the block, if it is dynamic
  SmallVector<Position> start(positions);
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (nest.dims[dim].reduction) {
      start[dim] = panel[dim];
      if (block.coefficients[dim] == 0)
        continue;
      steps *= positions[dim].size;
      blockElements *= schedule.dotDim == dim ? llvm::divideCeil(panel[dim].size, dotGroup) : panel[dim].size;
    }
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (!nest.dims[dim].reduction && block.coefficients[dim] == 0) {
      int64_t most = std::min<int64_t>(panel[dim].size, nest.dims[dim].extent);
      progress.coefficients[dim] = total * blockElements;
      // A single dynamic dimension is counted exactly; for several ones, the maxima are used.
      if (most > 1)
        count = total == 1 ? panel[dim].length : Value();
      total *= most;
      points *= positions[dim].size;
    }
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction)
      progress.coefficients[dim] = points * block.coefficients[dim];
  Value memory = buffers[node.buffer];
  int64_t elementBytes = cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8;
  // A block that is used once would be prefetched too early: prefetch at a fixed distance instead.
  int64_t near = std::min(blockElements, streamBytes / elementBytes);
  bool mayBeOnce = count && !share && near < blockElements;
  block.constant += points == total || mayBeOnce ? near : blockElements;
  Point origin(nest.dims.size(), 0);
  SmallVector<Position> done = since(panel, positions);
  PointEvaluator relative(builder, loc, nest, schedule, buffers, done, machine);
  PointEvaluator ahead(builder, loc, nest, schedule, buffers, start, machine);
  Value part = relative.address(progress, origin);
  auto scale = [&](Value reciprocal) {
    part = arith::MulIOp::create(builder, loc, part, reciprocal);
    part = arith::ShRUIOp::create(builder, loc, part, indexConstant(PointShare::fraction));
  };
  if (share) {
    Value begun = arith::MulIOp::create(builder, loc, share->before,
                                        indexConstant(share->points * blockElements / share->pieces));
    part = arith::SubIOp::create(builder, loc, part, begun);
    scale(share->reciprocal);
  } else if (count) {
    Value divisor = arith::MaxUIOp::create(builder, loc, count, indexConstant(1));
    scale(arith::DivUIOp::create(builder, loc, indexConstant(int64_t(1) << PointShare::fraction), divisor));
  } else {
    part = arith::DivUIOp::create(builder, loc, part, indexConstant(total));
  }
  Value at = arith::AddIOp::create(builder, loc, ahead.address(block, origin), part);
  if (mayBeOnce) {
    Value isOnce = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, count, indexConstant(points));
    Value further =
        arith::SelectOp::create(builder, loc, isOnce, indexConstant(0), indexConstant(blockElements - near));
    at = arith::AddIOp::create(builder, loc, at, further);
  }
  int64_t lineElements = lineBytes / elementBytes;
  auto fetch = [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += lineElements) {
      Value line = at;
      if (first > 0)
        line = arith::AddIOp::create(builder, loc, at, arith::ConstantIndexOp::create(builder, loc, first));
      memref::PrefetchOp::create(builder, loc, memory, line, /*isWrite=*/false, /*localityHint=*/2,
                                 /*isDataCache=*/true);
    }
  };
  if (!count || share)
    return fetch(0, llvm::divideCeil(points * steps * width, total));
  // A block that is used once is a stream, which the hardware prefetcher recognises. If a few points share the block,
  // each step prefetches several lines.
  auto inside = [&](arith::CmpIPredicate predicate, int64_t limit, int64_t begin, int64_t end) {
    OpBuilder::InsertionGuard guard(builder);
    Value holds = arith::CmpIOp::create(builder, loc, predicate, count, indexConstant(limit));
    auto choice = scf::IfOp::create(builder, loc, holds, /*withElseRegion=*/false);
    builder.setInsertionPoint(choice.thenYield());
    fetch(begin, end);
  };
  inside(arith::CmpIPredicate::ugt, points, 0, lineElements);
  if (int64_t most = steps * width; most > lineElements)
    inside(arith::CmpIPredicate::ult, points * most / lineElements, lineElements, most);
}

} // namespace cameo::schedule
