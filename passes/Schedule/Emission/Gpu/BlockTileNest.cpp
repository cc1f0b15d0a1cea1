#include "passes/Schedule/Emission/Gpu/BlockTileNest.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Reads operands that are in shared memory there.
class TileEvaluator : public LaneEvaluator {
public:
  TileEvaluator(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers, ArrayRef<Position> positions,
                std::vector<SharedOperand> &operands)
      : LaneEvaluator(builder, nest, buffers, positions, Lanes()), operands(operands) {}

protected:
  /// Points beyond an edge have something else at the places of others.
  std::optional<Size> elementKey(const Node &node, const Point &point) const override {
    return findOperand(node) ? std::nullopt : LaneEvaluator::elementKey(node, point);
  }
  Value load(const Node &node, const Point &point) override {
    SharedOperand *operand = findOperand(node);
    return operand ? operand->read(point) : LaneEvaluator::load(node, point);
  }

private:
  SharedOperand *findOperand(const Node &node) const {
    auto found = llvm::find_if(
        operands, [&](const SharedOperand &operand) { return operand.getNode() == &node - nest.nodes.data(); });
    return found == operands.end() ? nullptr : &*found;
  }

  std::vector<SharedOperand> &operands;
};

/// Keeps LLVM from unrolling a loop.
LLVM::LoopAnnotationAttr keepLoop(MLIRContext *context) {
  auto unroll = LLVM::LoopUnrollAttr::get(context, /*disable=*/BoolAttr::get(context, true), {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
}

/// All offsets of `offsets`, one list for each dimension, the last varying fastest.
std::vector<Point> productOf(ArrayRef<SmallVector<int64_t>> offsets) {
  std::vector<Point> points = {Point(offsets.size(), 0)};
  for (auto [dim, list] : llvm::enumerate(offsets)) {
    std::vector<Point> longer;
    for (const Point &point : points)
      for (int64_t offset : list) {
        longer.push_back(point);
        longer.back()[dim] = offset;
      }
    points = std::move(longer);
  }
  return points;
}

} // namespace

BlockTileNest::BlockTileNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                             const GpuSchedule &gpuSchedule, ArrayRef<Value> buffers, ArrayRef<Value> shared,
                             SplitParts parts)
    : builder(builder), nest(nest), schedule(schedule), gpuSchedule(gpuSchedule), buffers(buffers), shared(shared),
      parts(parts), tile(tileOf(nest, schedule, gpuSchedule)), positions(nest.dims.size()) {
  SmallVector<SmallVector<int64_t>> offsets(nest.dims.size(), {0});
  for (auto [dim, tiled] : llvm::enumerate(tile.dims)) {
    if (nest.dims[dim].reduction) {
      lastStep = dim;
      continue;
    }
    offsets[dim].clear();
    for (int64_t part = 0; part < tiled.parts(); ++part)
      for (int64_t point = 0; point < tiled.thread; ++point)
        offsets[dim].push_back(part * tiled.apart + point);
  }
  points = productOf(offsets);
}

Value BlockTileNest::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, nest.loc, value); }

/// Numbers of blocks and threads count the dimensions in their order, the last one fastest.
void BlockTileNest::locate(Value block, Value thread) {
  place.thread = thread;
  place.begins.resize(nest.dims.size());
  place.threadIn.resize(nest.dims.size());
  if (tile.splits > 1) {
    part = arith::DivUIOp::create(builder, nest.loc, block, constant(tile.blocks));
    block = arith::RemUIOp::create(builder, nest.loc, block, constant(tile.blocks));
  }
  int64_t blocks = tile.blocks, threads = tile.threads;
  auto take = [&](Value &number, int64_t &left, int64_t count) -> Value {
    if (count == 1)
      return constant(0);
    left /= count;
    Value own = left > 1 ? arith::RemUIOp::create(builder, nest.loc, number, constant(count)).getResult() : number;
    if (left > 1)
      number = arith::DivUIOp::create(builder, nest.loc, number, constant(count));
    return own;
  };
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    const TiledDimension &tiled = tile.dims[dim];
    Value blockIn = take(block, blocks, tiled.blocks());
    place.threadIn[dim] = take(thread, threads, tiled.threads());
    place.begins[dim] = arith::MulIOp::create(builder, nest.loc, blockIn, constant(tiled.block));
    if (tiled.blocks() > 1)
      positions[dim].terms.push_back({blockIn, tiled.block});
    if (tiled.threads() > 1)
      positions[dim].terms.push_back({place.threadIn[dim], tiled.thread});
  }
}

/// Where the reduction dimensions stand in step number `step` of the block's share.
SmallVector<Value> BlockTileNest::beginsOf(Value step) {
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

SharedOperand &BlockTileNest::operandOf(NodeId load) {
  return *llvm::find_if(operands, [&](const SharedOperand &operand) { return operand.getNode() == load; });
}

/// As addProducts, for bytes, of which four steps of one reduction are one instruction.
BlockTileNest::Values BlockTileNest::addGroups(int64_t steps, Values sums) {
  SmallVector<SmallVector<int64_t>> offsets(nest.dims.size(), {0});
  for (auto [dim, tiled] : llvm::enumerate(tile.dims)) {
    if (!nest.dims[dim].reduction)
      continue;
    offsets[dim].clear();
    for (int64_t step = 0; step < (dim == *lastStep ? steps : tiled.block);
         step += dim == *schedule.dotDim ? dotGroup : 1)
      offsets[dim].push_back(step);
  }
  auto [left, right] = *matchByteProducts(nest);
  auto typeOf = [](const ByteFactor &factor) {
    return factor.isSigned ? NVVM::DotAccumulateType::SIGNED : NVVM::DotAccumulateType::UNSIGNED;
  };
  for (const Point &step : productOf(offsets))
    for (auto [number, point] : llvm::enumerate(points)) {
      Point at = point;
      for (unsigned dim = 0; dim < at.size(); ++dim)
        at[dim] += step[dim];
      Value a = operandOf(left.load).readGroup(at, *schedule.dotDim),
            b = operandOf(right.load).readGroup(at, *schedule.dotDim);
      sums[number] = NVVM::DotAccumulate4WayOp::create(builder, nest.loc, builder.getI32Type(), a, typeOf(left), b,
                                                       typeOf(right), sums[number]);
    }
  return sums;
}

/// The sums after all steps of what is fetched at once, of which the innermost reduction takes `steps`.
BlockTileNest::Values BlockTileNest::addProducts(int64_t steps, Values sums) {
  if (schedule.dotDim)
    return addGroups(steps, std::move(sums));
  SmallVector<SmallVector<int64_t>> offsets(nest.dims.size(), {0});
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (nest.dims[dim].reduction)
      offsets[dim] = llvm::to_vector(llvm::seq<int64_t>(0, dim == *lastStep ? steps : tiled.block));
  TileEvaluator body(builder, nest, buffers, positions, operands);
  size_t count = nest.reductions.size();
  for (const Point &step : productOf(offsets))
    for (auto [number, point] : llvm::enumerate(points)) {
      Point at = point;
      for (unsigned dim = 0; dim < at.size(); ++dim)
        at[dim] += step[dim];
      Values before(ArrayRef(sums).slice(number * count, count)), next;
      for (const Reduction &reduction : nest.reductions)
        next.push_back(body.evaluate(reduction.update, at, before));
      llvm::copy(next, sums.begin() + number * count);
    }
  return sums;
}

BlockTileNest::Values BlockTileNest::computeStep(ArrayRef<Value> begins, Value stage, Values sums) {
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction)
      positions[dim].terms = {{begins[dim], 1}};
  int64_t steps = tile.dims[*lastStep].block, atOnce = gpuSchedule.unroll > 0 ? gpuSchedule.unroll : steps;
  auto stageOf = [&](SharedOperand &operand) -> Value {
    return stage ? arith::MulIOp::create(builder, nest.loc, stage, constant(operand.getLayout().elements)).getResult()
                 : Value();
  };
  if (atOnce >= steps) {
    for (SharedOperand &operand : operands)
      operand.readFrom(stageOf(operand), {});
    return addProducts(steps, std::move(sums));
  }
  auto loop = scf::ForOp::create(builder, nest.loc, constant(0), constant(steps), constant(atOnce), sums);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  positions[*lastStep].terms.push_back({loop.getInductionVar(), 1});
  for (SharedOperand &operand : operands) {
    Value stride = constant(operand.getLayout().strides[*lastStep]);
    operand.readFrom(stageOf(operand), arith::MulIOp::create(builder, nest.loc, loop.getInductionVar(), stride));
  }
  scf::YieldOp::create(builder, nest.loc,
                       addProducts(atOnce, Values(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end())));
  return Values(loop.getResults().begin(), loop.getResults().end());
}

int64_t BlockTileNest::stepsOfReductions() const {
  int64_t steps = 1;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (nest.dims[dim].reduction)
      steps *= tiled.fetches();
  return steps;
}

/// Begins the copies of step number `step` into stage number `stage`.
void BlockTileNest::copyStep(Value step, Value stage) {
  SmallVector<Value> begins = beginsOf(step);
  for (SharedOperand &operand : operands)
    operand.copy(begins, arith::MulIOp::create(builder, nest.loc, stage, constant(operand.getLayout().elements)));
}

/// The same with copies past registers: those of one step less than there are stages are under way while a step is
/// computed. Each step has a group of copies, also where nothing is left to copy, so that always as many younger groups
/// are there as need not have arrived. Behind the barrier all threads have waited for theirs, and nobody reads the
/// stage that is copied into next.
BlockTileNest::Values BlockTileNest::emitAsyncSteps(Values sums) {
  Location loc = nest.loc;
  int64_t steps = stepsOfReductions(), ahead = gpuSchedule.stages - 1;
  for (int64_t step = 0; step < ahead; ++step) {
    if (step < steps)
      copyStep(constant(step), constant(step));
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
  }
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

/// A loop over all steps of the reductions, each of which needs what the threads have fetched before a barrier. With
/// two stages the next step is under way meanwhile.
BlockTileNest::Values BlockTileNest::emitSteps(Values sums) {
  Location loc = nest.loc;
  int64_t steps = stepsOfReductions();
  bool isStaged = gpuSchedule.stages > 1 && steps > 1;
  if (isStaged) {
    for (SharedOperand &operand : operands)
      operand.store(operand.fetch(beginsOf(constant(0))), {});
    gpu::BarrierOp::create(builder, loc);
  }
  Value one = constant(1);
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(steps), one, sums);
  // Unrolled, all fetches would be under way at once.
  loop->setAttr("llvm.loop_annotation", keepLoop(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar(), stage;
  std::vector<Values> fetched;
  if (isStaged) {
    stage = arith::RemUIOp::create(builder, loc, step, constant(2));
    // The last step fetches itself again, for nobody.
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

/// Neighbours along `dim`, numbers of `type`, that one access stores: as many as a thread has, of which all or none
/// exist.
Lanes BlockTileNest::lanesAlong(unsigned dim, Type type) const {
  const TiledDimension &tiled = tile.dims[dim];
  Lanes lanes{dim, 1};
  while (lanes.count < mostLanes(type) && tiled.thread % (2 * lanes.count) == 0 &&
         (!tiled.isRagged() || tiled.extent % (2 * lanes.count) == 0))
    lanes.count *= 2;
  return lanes;
}

/// Neighbours in the memory of parts, or of the first result.
Lanes BlockTileNest::chooseLanes() const {
  const Output &first = nest.outputs.front();
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    if (part)
      return lanesAlong(dim, nest.nodes[nest.reductions[0].update].type);
    if (first.address.coefficients[dim] == 1)
      return lanesAlong(dim, nest.nodes[first.value].type);
  }
  return {};
}

/// The number of the point `at` of the nest, the last dimension varying fastest.
Value BlockTileNest::numberOf(const Point &at) {
  Location loc = nest.loc;
  int64_t stride = 1;
  Value number;
  for (unsigned dim = nest.dims.size(); dim-- > 0;) {
    if (nest.dims[dim].reduction)
      continue;
    Value within = arith::MulIOp::create(builder, loc, place.threadIn[dim], constant(tile.dims[dim].thread));
    within = arith::AddIOp::create(builder, loc, arith::AddIOp::create(builder, loc, place.begins[dim], within),
                                   constant(at[dim]));
    within = arith::MulIOp::create(builder, loc, within, constant(stride));
    number = number ? arith::AddIOp::create(builder, loc, number, within).getResult() : within;
    stride *= tile.dims[dim].extent;
  }
  return number;
}

/// The results or parts, neighbours in memory together; of a block at an edge those that exist.
void BlockTileNest::emitStores(ArrayRef<Value> sums) {
  Location loc = nest.loc;
  Lanes lanes = chooseLanes();
  SmallVector<unsigned> ragged;
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (!nest.dims[dim].reduction && tiled.isRagged())
      ragged.push_back(dim);
  std::map<std::pair<unsigned, int64_t>, Value> inside;
  auto isInside = [&](unsigned dim, int64_t offset) {
    Value &known = inside[{dim, offset}];
    if (!known) {
      Value at = arith::AddIOp::create(builder, loc, place.begins[dim], constant(offset));
      Value thread = arith::MulIOp::create(builder, loc, place.threadIn[dim], constant(tile.dims[dim].thread));
      at = arith::AddIOp::create(builder, loc, at, thread);
      known = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, constant(tile.dims[dim].extent));
    }
    return known;
  };
  for (const Point &point : points)
    for (unsigned dim : ragged)
      isInside(dim, point[dim]);
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction)
      positions[dim].terms.clear();
  std::optional<LaneEvaluator> all;
  if (ragged.empty())
    all.emplace(builder, nest, buffers, positions, lanes);
  size_t count = nest.reductions.size();
  auto number = [&](const Point &point) { return llvm::find(points, point) - points.begin(); };
  for (const Point &point : points) {
    if (point[lanes.dim] % lanes.count != 0)
      continue;
    std::vector<Values> results;
    Point lane = point;
    for (int64_t each = 0; each < lanes.count; ++each, ++lane[lanes.dim]) {
      ArrayRef<Value> own = sums.slice(number(lane) * count, count);
      results.emplace_back(own.begin(), own.end());
    }
    OpBuilder::InsertionGuard guard(builder);
    Value exists;
    for (unsigned dim : ragged)
      exists = exists ? arith::AndIOp::create(builder, loc, exists, isInside(dim, point[dim])).getResult()
                      : isInside(dim, point[dim]);
    if (exists)
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
    if (part) {
      storeParts(builder, nest, parts, part, numberOf(point),
                 llvm::map_to_vector(results, [](const Values &each) { return each[0]; }));
      continue;
    }
    LaneEvaluator own(builder, nest, buffers, positions, lanes);
    for (const Output &output : nest.outputs)
      (all ? *all : own).storeLanes(output, point, results);
  }
}

void BlockTileNest::emit(Value block, Value thread) {
  locate(block, thread);
  SmallVector<NodeId> loads = cachedLoads(nest, gpuSchedule);
  operands.reserve(loads.size());
  for (auto [load, memory] : llvm::zip_equal(loads, shared))
    operands.emplace_back(builder, nest, load, tile, place, buffers[nest.nodes[load].buffer], memory);
  Values sums;
  NodeEvaluator start(builder, nest.loc, nest, buffers, positions);
  for (const Point &point : points)
    for (auto [number, reduction] : llvm::enumerate(nest.reductions))
      // What begins from nothing is put together with the rest behind all blocks.
      sums.push_back(
          part ? arith::ConstantOp::create(builder, nest.loc, matchCombiner(nest, number)->identity).getResult()
               : start.evaluate(reduction.initial, point, {}));
  if (nest.hasReduction())
    sums = gpuSchedule.copy == Copy::Async ? emitAsyncSteps(std::move(sums)) : emitSteps(std::move(sums));
  emitStores(sums);
}

} // namespace cameo::schedule
