#include "passes/Schedule/Emission/Gpu/TileNest.h"

#include "passes/Schedule/Emission/Gpu/BlockPool.h"
#include "passes/Schedule/Emission/Gpu/ClusterSums.h"
#include "passes/Schedule/Nests/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

TileNest::TileNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                   const GpuSchedule &gpuSchedule, ArrayRef<Value> buffers, ArrayRef<Value> shared, SplitParts parts,
                   const EarlyBuffers *early)
    : builder(builder), nest(nest), schedule(schedule), gpuSchedule(gpuSchedule), buffers(buffers),
      tile(tileOf(nest, schedule, gpuSchedule)), positions(nest.dims.size()), neighbours(nest.dims.size(), 1),
      shared(shared), parts(parts), early(early) {}

Value TileNest::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

/// Splits off the fastest index of `number`, which counts `left` elements: returns the index along a dimension of
/// `count` elements. `number` and `left` count the other dimensions afterwards.
Value TileNest::takeNumber(Value &number, int64_t &left, int64_t count) {
  if (count == 1)
    return constant(0);
  left /= count;
  Value own = left > 1 ? arith::RemUIOp::create(builder, nest.loc, number, constant(count)).getResult() : number;
  if (left > 1)
    number = arith::DivUIOp::create(builder, nest.loc, number, constant(count));
  return own;
}

/// In the numbers of blocks the last dimension varies fastest, except that blocks of a cluster follow each other.
void TileNest::locateBlock(Value block) {
  place.blockIn.resize(nest.dims.size());
  place.begins.resize(nest.dims.size());
  place.threadIn.resize(nest.dims.size());
  if (tile.splits > 1) {
    Value count = constant(parts.areInCluster() ? tile.splits : tile.blocks),
          slow = arith::DivUIOp::create(builder, nest.loc, block, count),
          fast = arith::RemUIOp::create(builder, nest.loc, block, count);
    part = parts.areInCluster() ? fast : slow;
    own = block = parts.areInCluster() ? slow : fast;
  }
  int64_t blocks = tile.blocks;
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    const TiledDimension &tiled = tile.dims[dim];
    Value blockIn = place.blockIn[dim] = takeNumber(block, blocks, tiled.blocks());
    place.begins[dim] = arith::MulIOp::create(builder, nest.loc, blockIn, constant(tiled.step()));
    bool beginsBefore = tiled.blocks() > 1 && tiled.pool.before > 0;
    if (beginsBefore)
      place.begins[dim] = arith::MaxSIOp::create(
          builder, nest.loc, arith::SubIOp::create(builder, nest.loc, place.begins[dim], constant(tiled.pool.before)),
          constant(0));
    if (tiled.blocks() > 1)
      positions[dim].terms.push_back(beginsBefore ? std::pair(place.begins[dim], int64_t(1))
                                                  : std::pair(blockIn, tiled.step()));
  }
}

void TileNest::placeWithin(Value number) {
  int64_t left = 1;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    left *= nest.dims[dim].reduction ? 1 : tiled.threads();
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction)
      place.threadIn[dim] = constant(0);
  for (unsigned dim : llvm::reverse(tile.threadOrder)) {
    const TiledDimension &tiled = tile.dims[dim];
    place.threadIn[dim] = takeNumber(number, left, tiled.threads());
    if (tiled.threads() > 1)
      positions[dim].terms.push_back({place.threadIn[dim], tiled.thread});
  }
}

/// Returns the first index of step number `step` of the block's share along each reduction dimension.
SmallVector<Value> TileNest::beginsOf(Value step) {
  SmallVector<Value> begins(nest.dims.size());
  int64_t left = stepsOfReductions();
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (!nest.dims[dim].reduction)
      continue;
    int64_t count = tile.dims[dim].fetches();
    Value own = constant(0);
    if (count > 1) {
      left /= count;
      own = left > 1 ? arith::RemUIOp::create(builder, nest.loc, step, constant(count)).getResult() : step;
      if (left > 1)
        step = arith::DivUIOp::create(builder, nest.loc, step, constant(count));
    }
    begins[dim] = arith::MulIOp::create(builder, nest.loc, own, constant(tile.dims[dim].block));
    if (tile.dims[dim].splits() > 1)
      begins[dim] =
          arith::AddIOp::create(builder, nest.loc, begins[dim],
                                arith::MulIOp::create(builder, nest.loc, part, constant(tile.dims[dim].share)));
  }
  return begins;
}

int64_t TileNest::stepsOfReductions() const {
  int64_t steps = 1;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (nest.dims[dim].reduction)
      steps *= tiled.fetches();
  return steps;
}

bool TileNest::isEarly(const SharedOperand &operand) const {
  return early && early->contains(nest.nodes[operand.getNode()].buffer);
}

/// Starts the asynchronous copies of step number `step` to stage number `stage`: of all operands, or of those that are
/// `early` or not.
void TileNest::copyStep(Value step, Value stage, std::optional<bool> early) {
  SmallVector<Value> begins = beginsOf(step);
  for (SharedOperand &operand : operands)
    if (!early || isEarly(operand) == *early)
      operand.copy(begins, arith::MulIOp::create(builder, nest.loc, stage, constant(operand.getLayout().elements)));
}

void TileNest::copyFirstSteps(bool isEarly) {
  for (int64_t step = 0; step < gpuSchedule.stages - 1; ++step) {
    if (step < stepsOfReductions())
      copyStep(constant(step), constant(step), isEarly);
    if (!isEarly)
      NVVM::CpAsyncCommitGroupOp::create(builder, nest.loc);
  }
}

/// Emits the steps with asynchronous copies. While a step is computed, the copies of the next steps are in flight, one
/// step fewer than there are stages. Each step commits a group of copies, even if nothing is left to copy, so that the
/// number of younger groups that need not have arrived is constant. After the barrier the copies of all threads have
/// arrived, and no thread reads the stage that the next copies overwrite.
TileNest::Values TileNest::emitAsyncSteps(Values sums) {
  Location loc = nest.loc;
  int64_t steps = stepsOfReductions(), ahead = gpuSchedule.stages - 1;
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(steps), constant(1), sums);
  loop->setAttr("llvm.loop_annotation", keepLoop(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar(), stages = constant(gpuSchedule.stages);
  NVVM::CpAsyncWaitGroupOp::create(builder, loc, static_cast<uint32_t>(ahead - 1));
  gpu::BarrierOp::create(builder, loc);
  if (steps > ahead) {
    Value next = arith::AddIOp::create(builder, loc, step, constant(ahead));
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, next, constant(steps));
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
    copyStep(next, arith::RemUIOp::create(builder, loc, next, stages));
  }
  NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  Value stage = arith::RemUIOp::create(builder, loc, step, stages);
  scf::YieldOp::create(
      builder, loc,
      computeStep(beginsOf(step), stage, Values(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end())));
  return Values(loop.getResults().begin(), loop.getResults().end());
}

/// Fetches the operands of the first step that may be fetched early, or the others.
void TileNest::fetchFirstStep(bool isEarly) {
  for (SharedOperand &operand : operands)
    if (this->isEarly(operand) == isEarly)
      operand.store(operand.fetch(beginsOf(constant(0))), {});
}

/// Fetches what the loop over the steps expects. Vectors arrive with the first step.
void TileNest::fetchFirst(bool isEarly) {
  if (!nest.hasReduction())
    return;
  vectors->copy([&](unsigned buffer) { return (early && early->contains(buffer)) == isEarly; });
  if (gpuSchedule.copy == Copy::Async)
    copyFirstSteps(isEarly);
  else if (isStaged())
    fetchFirstStep(isEarly);
}

/// Emits a loop over all steps of the reductions. A barrier separates the stores of the fetched operands from the
/// computation of the step. With two stages the next step is fetched meanwhile, and the first one before, by
/// fetchFirst.
TileNest::Values TileNest::emitSteps(Values sums) {
  Location loc = nest.loc;
  int64_t steps = stepsOfReductions();
  bool isStaged = this->isStaged();
  if (isStaged)
    gpu::BarrierOp::create(builder, loc);
  Value one = constant(1);
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(steps), one, sums);
  // If the loop were unrolled, all fetches would be in flight at once.
  loop->setAttr("llvm.loop_annotation", keepLoop(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar(), stage;
  std::vector<Values> fetched;
  if (isStaged) {
    stage = arith::RemUIOp::create(builder, loc, step, constant(2));
    // The last step fetches itself again; the result is not used.
    Value next =
        arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, step, one), constant(steps - 1));
    SmallVector<Value> begins = beginsOf(next);
    for (SharedOperand &operand : operands)
      fetched.push_back(operand.fetch(begins));
  } else {
    SmallVector<Value> begins = beginsOf(step);
    for (SharedOperand &operand : operands)
      fetched.push_back(operand.fetch(begins));
    if (steps > 1)
      gpu::BarrierOp::create(builder, loc);
    for (auto [operand, values] : llvm::zip_equal(operands, fetched))
      operand.store(values, {});
    gpu::BarrierOp::create(builder, loc);
  }
  Values next =
      computeStep(beginsOf(step), stage, Values(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end()));
  if (isStaged) {
    Value other = arith::SubIOp::create(builder, loc, one, stage);
    for (auto [operand, values] : llvm::zip_equal(operands, fetched))
      operand.store(values, arith::MulIOp::create(builder, loc, other, constant(operand.getLayout().elements)));
    gpu::BarrierOp::create(builder, loc);
  }
  scf::YieldOp::create(builder, loc, next);
  return Values(loop.getResults().begin(), loop.getResults().end());
}

TileNest::Values TileNest::emitInitial(ArrayRef<Point> some) {
  Values sums;
  NodeEvaluator start(builder, nest.loc, nest, buffers, positions);
  for (const Point &point : some)
    for (const Reduction &reduction : nest.reductions)
      sums.push_back(start.evaluate(reduction.initial, point, {}));
  return sums;
}

/// Adds up the sums of the blocks of a cluster. Each block does so for some points of each thread: a branch for each
/// block.
void TileNest::emitShares(ArrayRef<Value> sums) {
  SmallVector<NodeId> loads = cachedLoads(nest, gpuSchedule);
  size_t largest = llvm::find(loads, largestMemory(nest, gpuSchedule, tile).first) - loads.begin();
  ClusterSums exchange(builder, nest, shared[largest], parts.count, place.thread, tile.threads, sums);
  exchange.publish();
  for (int64_t number = 0; number < parts.count; ++number) {
    size_t first = exchange.firstOf(number), count = exchange.firstOf(number + 1) - first;
    if (count == 0)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    Value isOwn = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::eq, part, constant(number));
    builder.setInsertionPointToStart(scf::IfOp::create(builder, nest.loc, isOwn, /*withElseRegion=*/false).thenBlock());
    ArrayRef<Point> own = ArrayRef(points).slice(first, count);
    TileStores(builder, nest, buffers, tile, positions, neighbours, &*vectors)
        .emit(own, exchange.add(number, emitInitial(own)));
  }
  exchange.leave();
}

void TileNest::emitPooled(ArrayRef<Value> sums) {
  SmallVector<NodeId> loads = cachedLoads(nest, gpuSchedule);
  size_t largest = llvm::find(loads, largestMemory(nest, gpuSchedule, tile).first) - loads.begin();
  BlockPool pooled(builder, nest, *pool, buffers, tile, place, shared[largest]);
  pooled.keep(points, sums, positions, neighbours, &*vectors);
  pooled.emit();
}

void TileNest::begin(Value block, Value thread) {
  place.thread = thread;
  locateBlock(block);
  locateThread(thread);
  SmallVector<NodeId> loads = cachedLoads(nest, gpuSchedule);
  operands.reserve(loads.size());
  for (auto [load, memory] : llvm::zip_equal(loads, shared.take_front(loads.size())))
    operands.emplace_back(builder, nest, load, tile, place, buffers[nest.nodes[load].buffer], memory);
  vectors.emplace(builder, nest, tile, place, positions, buffers, pointVectors(nest, gpuSchedule, tile),
                  shared.drop_front(loads.size()));
  prepareOperands();
}

TileNest::Values TileNest::emitSums() {
  if (early) {
    fetchFirst(/*isEarly=*/true);
    waitForLaunches(builder, nest.loc);
  }
  fetchFirst(/*isEarly=*/false);
  Values sums;
  // A part starts from the identity. The last block combines the initial values with all parts.
  if (part)
    sums.assign(points.size(), arith::ConstantOp::create(builder, nest.loc, matchCombiner(nest, 0)->identity));
  else
    sums = emitInitial(points);
  if (nest.hasReduction())
    sums = gpuSchedule.copy == Copy::Async ? emitAsyncSteps(std::move(sums)) : emitSteps(std::move(sums));
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction)
      positions[dim].terms.clear();
  return sums;
}

void TileNest::emitResults(ArrayRef<Value> sums, const KeptRows *kept, bool isStored) {
  TileStores stores(builder, nest, buffers, tile, positions, neighbours, &*vectors);
  if (isStored)
    stores.emit(points, sums, kept);
  else
    stores.keep(points, sums, *kept);
}

void TileNest::emit(Value block, Value thread) {
  begin(block, thread);
  Values sums = emitSums();
  if (pool)
    return emitPooled(sums);
  if (!part)
    return emitResults(sums);
  if (parts.areInCluster())
    return emitShares(sums);
  TileStores stores(builder, nest, buffers, tile, positions, neighbours, &*vectors);
  stores.emitParts(points, sums, parts, part);
  emitBehindParts(builder, nest.loc, parts, own, thread,
                  [&] { stores.emitWhole(points, parts, [&](ArrayRef<Point> some) { return emitInitial(some); }); });
}

} // namespace cameo::schedule
