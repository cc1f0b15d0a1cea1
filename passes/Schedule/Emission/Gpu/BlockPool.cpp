#include "passes/Schedule/Emission/Gpu/BlockPool.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

BlockPool::BlockPool(OpBuilder &builder, const LoopNest &nest, const Pool &pool, ArrayRef<Value> buffers,
                     const BlockTile &tile, const TilePlace &place, Value memory)
    : builder(builder), nest(nest), pool(pool), buffers(buffers), tile(tile), place(place), memory(memory),
      layout(pooledLayout(nest, tile)), together(pooledTogether(nest, tile, layout)) {}

Value BlockPool::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

Value BlockPool::add(Value a, Value b) {
  return !a ? b : !b ? a : arith::AddIOp::create(builder, nest.loc, a, b).getResult();
}

Value BlockPool::scale(Value a, int64_t factor) {
  return factor == 1 ? a : arith::MulIOp::create(builder, nest.loc, a, constant(factor)).getResult();
}

/// Points beyond an edge are stored, too: windows do not reach them.
void BlockPool::keep(ArrayRef<Point> points, ArrayRef<Value> sums, ArrayRef<Position> positions,
                     ArrayRef<int64_t> neighbours, const BlockVectors *vectors) {
  Location loc = nest.loc;
  const Output &output = nest.outputs.front();
  Type type = nest.nodes[output.value].type;
  Value begin;
  // Where there are several blocks, the first term of a position is theirs (TileNest).
  for (auto [dim, stride] : llvm::enumerate(layout.strides))
    if (stride > 0)
      for (auto [value, factor] : ArrayRef(positions[dim].terms).drop_front(tile.dims[dim].blocks() > 1))
        begin = add(begin, scale(value, factor * stride));
  auto width = std::min(neighbours[layout.inner], mostLanes(type));
  gpu::BarrierOp::create(builder, loc);
  LaneEvaluator results(builder, nest, buffers, positions, Lanes{layout.inner, width}, vectors);
  size_t count = nest.reductions.size();
  for (const Point &point : points) {
    if (point[layout.inner] % width != 0)
      continue;
    SmallVector<Value> own;
    Point lane = point;
    int64_t offset = 0;
    for (auto [dim, stride] : llvm::enumerate(layout.strides))
      offset += point[dim] * stride;
    for (int64_t each = 0; each < width; ++each, ++lane[layout.inner])
      own.push_back(
          results.evaluate(output.value, lane, sums.slice((llvm::find(points, lane) - points.begin()) * count, count)));
    Value vector = vector::FromElementsOp::create(builder, loc, VectorType::get({width}, type), own);
    vector::StoreOp::create(builder, loc, vector, memory, add(begin, constant(offset)), /*nontemporal=*/false,
                            llvm::MaybeAlign(width * bytesOf(type)));
  }
  gpu::BarrierOp::create(builder, loc);
}

Value BlockPool::loadAt(Value at) {
  Type type = pool.nest.nodes[pool.load].type;
  return vector::LoadOp::create(builder, nest.loc, VectorType::get({together}, type), memory, at,
                                /*nontemporal=*/false, llvm::MaybeAlign(together * bytesOf(type)));
}

/// Returns `node` of the pool as a vector of the windows.
Value BlockPool::evaluate(NodeId id, Value sum, Value point) {
  const Node &node = pool.nest.nodes[id];
  auto type = VectorType::get({together}, node.type);
  if (node.kind == Node::Kind::Accumulator)
    return sum;
  if (id == pool.load)
    return point;
  if (node.kind == Node::Kind::Constant)
    return arith::ConstantOp::create(builder, nest.loc, DenseElementsAttr::get(type, Attribute(node.constant)));
  auto operands = llvm::map_to_vector(node.operands, [&](NodeId operand) { return evaluate(operand, sum, point); });
  OperationState state(nest.loc, node.op->getName(), operands, type, node.op->getAttrDictionary().getValue());
  return builder.create(state)->getResult(0);
}

/// Returns the sums of the windows at `at`, with all their steps.
Value BlockPool::reduce(LaneEvaluator &results, ArrayRef<Steps> steps, Value at) {
  const Reduction &reduction = pool.nest.reductions[0];
  Type type = pool.nest.nodes[reduction.update].type;
  Value initial = results.evaluate(reduction.initial, Point(pool.nest.dims.size(), 0), {}),
        sum = vector::BroadcastOp::create(builder, nest.loc, VectorType::get({together}, type), initial);
  auto visit = [&](auto &visit, ArrayRef<Steps> left, Value from) -> void {
    if (left.empty()) {
      sum = evaluate(reduction.update, sum, loadAt(from));
      return;
    }
    for (Value step : left.front())
      visit(visit, left.drop_front(), add(from, step));
  };
  visit(visit, steps, at);
  return sum;
}

/// Returns the steps of number `window` of the block's windows along `dim`. Where it reaches beyond the points that
/// exist, the first or the last one of these is read again.
BlockPool::Steps BlockPool::stepsAlong(unsigned dim, Value window) {
  Location loc = nest.loc;
  const TiledDimension &tiled = tile.dims[dim];
  const PoolWindow &windows = tiled.pool;
  Value first = scale(window, windows.stride);
  // The first block begins with the first point, the others where their first window does.
  if (windows.before > 0) {
    Value begin =
        arith::SubIOp::create(builder, loc, scale(place.blockIn[dim], tiled.step()), constant(windows.before));
    first = add(first, arith::MinSIOp::create(builder, loc, begin, constant(0)));
  }
  Steps steps;
  for (int64_t step = 0; step < windows.size; ++step) {
    Value at = step == 0 ? first : add(first, constant(step));
    if (step < windows.before)
      at = arith::MaxSIOp::create(builder, loc, at, constant(0));
    if ((windows.count - 1) * windows.stride - windows.before + step >= tiled.extent)
      at = arith::MinSIOp::create(builder, loc, at,
                                  arith::SubIOp::create(builder, loc, constant(tiled.extent - 1), place.begins[dim]));
    steps.push_back(scale(at, layout.strides[dim]));
  }
  return steps;
}

/// Emits the windows whose number among those of the block is that of the thread plus `first`.
void BlockPool::emitWindow(int64_t first) {
  Location loc = nest.loc;
  Value number = first > 0 ? add(place.thread, constant(first)) : place.thread, exists, at;
  SmallVector<Position> positions(pool.nest.dims.size());
  std::vector<Steps> steps;
  // In 32 bits, since divisions by numbers of windows are no shifts.
  number = arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(), number);
  auto take = [&](int64_t count) -> Value {
    Value divisor = arith::ConstantIntOp::create(builder, loc, count, 32),
          own = arith::RemUIOp::create(builder, loc, number, divisor);
    number = arith::DivUIOp::create(builder, loc, number, divisor);
    return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), own);
  };
  auto require = [&](Value own) {
    exists = exists ? arith::AndIOp::create(builder, loc, exists, own).getResult() : own;
  };
  auto place = [&](unsigned dim) {
    const TiledDimension &tiled = tile.dims[dim];
    int64_t atOnce = dim == layout.inner ? together : 1;
    Value own = take(tiled.windows() / atOnce), within = scale(own, atOnce),
          index = add(within, scale(this->place.blockIn[dim], tiled.windows()));
    if (tiled.pool.count % tiled.windows() != 0)
      require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, constant(tiled.pool.count)));
    if (pool.ofWindows[dim]) {
      // Terms with their factors show how addresses are aligned.
      if (tiled.blocks() > 1)
        positions[*pool.ofWindows[dim]].terms.push_back({this->place.blockIn[dim], tiled.windows()});
      positions[*pool.ofWindows[dim]].terms.push_back({own, atOnce});
    }
    if (dim == layout.inner && together > 1)
      at = within;
    else
      steps.push_back(stepsAlong(dim, within));
  };
  place(layout.inner);
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (!nest.dims[dim].reduction && dim != layout.inner)
      place(dim);
  OpBuilder::InsertionGuard guard(builder);
  int64_t all = 1;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    all *= nest.dims[dim].reduction ? 1 : tiled.windows();
  if (first + tile.threads > all / together)
    require(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, this->place.thread,
                                  constant(all / together - first)));
  if (exists)
    builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
  Lanes lanes{pool.ofWindows[layout.inner].value_or(0), together};
  LaneEvaluator results(builder, pool.nest, buffers, positions, lanes);
  Value sum = reduce(results, steps, at);
  std::vector<SmallVector<Value>> sums;
  for (int64_t lane = 0; lane < together; ++lane)
    sums.push_back({vector::ExtractOp::create(builder, loc, sum, lane)});
  for (const Output &output : pool.nest.outputs)
    results.storeLanes(output, Point(pool.nest.dims.size(), 0), sums);
}

void BlockPool::emit() {
  int64_t all = 1;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    all *= nest.dims[dim].reduction ? 1 : tiled.windows();
  for (int64_t first = 0; first < all / together; first += tile.threads)
    emitWindow(first);
}

} // namespace cameo::schedule
