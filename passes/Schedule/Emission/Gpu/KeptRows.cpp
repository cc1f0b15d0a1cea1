#include "passes/Schedule/Emission/Gpu/KeptRows.h"

#include "passes/Schedule/Emission/Gpu/SharedOperand.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

Value KeptRows::constant(int64_t value) const {
  return arith::ConstantIndexOp::create(builder, chain.second->loc, value);
}

/// Where there are several blocks along a dimension, the first term of the position is theirs (TileNest). Along columns
/// these are the parts.
KeptRows::KeptRows(OpBuilder &builder, const Chain &chain, const BlockTile &first, const BlockTile &second,
                   ArrayRef<Position> positions, Value memory, int64_t part)
    : builder(builder), chain(chain), layout(sharedLayout(chain.second->nodes[chain.left], *chain.second, second)),
      before(part * first.dims[chain.column.ofFirst].block * layout.strides[chain.column.ofSecond]), memory(memory) {
  Location loc = chain.second->loc;
  Value offset = constant(0);
  for (auto [dim, dimension] : llvm::enumerate(chain.first->dims)) {
    if (dimension.reduction)
      continue;
    int64_t stride = layout.strides[chain.matching(dim)];
    for (auto [value, scale] : ArrayRef(positions[dim].terms).drop_front(first.dims[dim].blocks() > 1))
      offset = arith::AddIOp::create(builder, loc, offset,
                                     arith::MulIOp::create(builder, loc, value, constant(scale * stride)));
  }
  place = sharedPlaceOf(builder, loc, layout, offset);
}

/// Sizes of tiles are powers of two, so the offsets of `point` and of the part have no bit in common with that of the
/// thread.
void KeptRows::store(const Point &point, ArrayRef<Value> neighbours) const {
  Location loc = chain.second->loc;
  int64_t offset = before;
  for (auto [dim, dimension] : llvm::enumerate(chain.first->dims))
    if (!dimension.reduction)
      offset += point[dim] * layout.strides[chain.matching(dim)];
  int64_t exchanged = layout.exchangedPart(offset);
  Value at = place;
  if (exchanged > 0)
    at = arith::XOrIOp::create(builder, loc, at, constant(layout.placeOf(exchanged)));
  at = arith::AddIOp::create(builder, loc, at, constant(layout.placeOf(offset - exchanged)));
  if (neighbours.size() == 1) {
    memref::StoreOp::create(builder, loc, neighbours.front(), memory, at);
    return;
  }
  auto count = static_cast<int64_t>(neighbours.size());
  Type type = neighbours.front().getType();
  Value vector = vector::FromElementsOp::create(builder, loc, VectorType::get({count}, type), neighbours);
  vector::StoreOp::create(builder, loc, vector, memory, at, /*nontemporal=*/false,
                          llvm::MaybeAlign(count * bytesOf(type)));
}

} // namespace cameo::schedule
