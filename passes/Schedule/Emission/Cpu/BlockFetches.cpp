// Packed operands that come from memory: each step of a reduction asks for its part of the block after the one in use.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/CacheModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
      progress.coefficients[dim] = total * blockElements;
      total *= std::min<int64_t>(panel[dim].size, nest.dims[dim].extent);
      points *= positions[dim].size;
    }
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction)
      progress.coefficients[dim] = points * block.coefficients[dim];
  Value memory = buffers[node.buffer];
  int64_t elementBytes = cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8;
  // A block that is run through once is far ahead too early: the stream is followed at a distance.
  block.constant += points == total ? std::min(blockElements, streamBytes / elementBytes) : blockElements;
  Point origin(nest.dims.size(), 0);
  SmallVector<Position> done = since(panel, positions);
  PointEvaluator relative(builder, loc, nest, schedule, buffers, done, machine);
  PointEvaluator ahead(builder, loc, nest, schedule, buffers, start, machine);
  Value part = relative.address(progress, origin);
  if (share) {
    Value begun = arith::MulIOp::create(builder, loc, share->before,
                                        indexConstant(share->points * blockElements / share->pieces));
    part = arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, part, begun), share->reciprocal);
    part = arith::ShRUIOp::create(builder, loc, part, indexConstant(PointShare::fraction));
  } else {
    part = arith::DivUIOp::create(builder, loc, part, indexConstant(total));
  }
  Value at = arith::AddIOp::create(builder, loc, ahead.address(block, origin), part);
  int64_t stepElements = llvm::divideCeil(points * steps * width, total);
  for (int64_t first = 0; first < stepElements; first += lineBytes / elementBytes) {
    Value line = first == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(first)).getResult();
    memref::PrefetchOp::create(builder, loc, memory, line, /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }
}

} // namespace cameo::schedule
