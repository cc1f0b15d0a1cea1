#include "passes/Schedule/Emission/Gpu/BlockVectors.h"

#include "passes/Schedule/Emission/Gpu/Pointers.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

Value BlockVectors::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

BlockVectors::BlockVectors(OpBuilder &builder, const LoopNest &nest, const BlockTile &tile, const TilePlace &place,
                           ArrayRef<Position> positions, ArrayRef<Value> buffers, SmallVector<PointVector> vectors,
                           ArrayRef<Value> memory)
    : builder(builder), nest(nest), tile(tile), place(place), positions(positions), buffers(buffers),
      vectors(std::move(vectors)) {
  for (auto [vector, own] : llvm::zip_equal(this->vectors, memory)) {
    BlockVector &part = parts.emplace_back(BlockVector{vector.dim, own, {}, 1});
    part.first = firstOf(vector.dim, part.aligned);
  }
}

/// Returns the number of the thread's first point along `dim` in the block. Where there are several blocks, the first
/// term of the position is theirs (TileNest).
Value BlockVectors::firstOf(unsigned dim, int64_t &aligned) {
  Value first;
  auto divides = static_cast<uint64_t>(tile.dims[dim].block);
  for (auto [value, scale] : ArrayRef(positions[dim].terms).drop_front(tile.dims[dim].blocks() > 1)) {
    Value term = arith::MulIOp::create(builder, nest.loc, value, constant(scale));
    first = first ? arith::AddIOp::create(builder, nest.loc, first, term).getResult() : term;
    divides |= static_cast<uint64_t>(scale);
  }
  aligned = static_cast<int64_t>(divides & -divides);
  return first;
}

/// The first threads copy a part each. What lies beyond the edge is zeros, for points that are not stored.
void BlockVectors::copy(llvm::function_ref<bool(unsigned buffer)> isCopied) {
  Location loc = nest.loc;
  for (auto [vector, part] : llvm::zip_equal(vectors, parts)) {
    const Node &node = nest.nodes[vector.load];
    const TiledDimension &tiled = tile.dims[vector.dim];
    if (!isCopied(node.buffer))
      continue;
    int64_t bytes = bytesOf(node.type), count = tiled.block / vector.width;
    OpBuilder::InsertionGuard guard(builder);
    auto loop = scf::ForOp::create(builder, loc, place.thread, constant(count), constant(tile.threads));
    builder.setInsertionPointToStart(loop.getBody());
    Value within = arith::MulIOp::create(builder, loc, loop.getInductionVar(), constant(vector.width)),
          at = arith::AddIOp::create(builder, loc, place.begins[vector.dim], within), exists;
    if (tiled.isRagged())
      exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(tiled.extent));
    at = arith::AddIOp::create(builder, loc, at, constant(int64_t(node.address.constant)));
    auto copied = static_cast<uint32_t>(vector.width * bytes);
    createAsyncCopy(builder, loc, pointerTo(builder, loc, part.memory, within, bytes, NVVM::NVVMMemorySpace::Shared),
                    pointerTo(builder, loc, buffers[node.buffer], at, bytes, NVVM::NVVMMemorySpace::Global), copied,
                    bytesIf(builder, loc, exists, copied));
  }
}

const BlockVector *BlockVectors::find(NodeId load) const {
  auto found = llvm::find_if(vectors, [&](const PointVector &each) { return each.load == load; });
  return found == vectors.end() ? nullptr : &parts[found - vectors.begin()];
}

} // namespace cameo::schedule
