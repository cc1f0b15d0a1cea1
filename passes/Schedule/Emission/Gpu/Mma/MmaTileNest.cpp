#include "passes/Schedule/Emission/Gpu/Mma/MmaTileNest.h"

#include "dialects/Target/GpuMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <numeric>

using namespace mlir;

namespace cameo::schedule {

MmaTileNest::MmaTileNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                         const GpuSchedule &gpuSchedule, ArrayRef<Value> buffers, ArrayRef<Value> shared,
                         SplitParts parts, const EarlyBuffers *early)
    : TileNest(builder, nest, schedule, gpuSchedule, buffers, shared, parts, early),
      contraction(*findContraction(nest)), product(builder, nest, contraction, *gpuSchedule.tensor) {
  for (int64_t row = 0; row < pointsAlong(contraction.rows); row += mmaRows)
    for (int64_t column = 0; column < pointsAlong(contraction.columns); column += mmaColumns)
      for (int64_t sum = 0; sum < sumsOfThread; ++sum) {
        Point &point = points.emplace_back(nest.dims.size(), 0);
        addOffsets(contraction.rows, row + sum / sumColumns * matrixSide, point);
        addOffsets(contraction.columns, column + sum % sumColumns, point);
      }
  if (unsigned last = contraction.columns.back(); tile.dims[last].thread % sumColumns == 0)
    neighbours[last] = sumColumns;
}

/// Returns the number of points of a warp along `dims`.
int64_t MmaTileNest::pointsAlong(ArrayRef<unsigned> dims) const {
  int64_t count = 1;
  for (unsigned dim : dims)
    count *= tile.dims[dim].thread;
  return count;
}

int64_t MmaTileNest::stepsOfDepth() const {
  int64_t steps = 1;
  for (unsigned dim : contraction.depth)
    steps *= tile.dims[dim].block;
  return steps;
}

Value MmaTileNest::divide(Value number, int64_t by) {
  return by == 1 ? number : arith::DivUIOp::create(builder, nest.loc, number, constant(by)).getResult();
}

Value MmaTileNest::remainder(Value number, int64_t by) {
  return arith::RemUIOp::create(builder, nest.loc, number, constant(by));
}

/// Adds to `point` the offsets along `dims` of point number `number` of the warp; the last dimension varies fastest.
/// Sizes are powers of two, or there is one dimension, so a number whose parts have no bit in common can be added part
/// by part.
void MmaTileNest::addOffsets(ArrayRef<unsigned> dims, int64_t number, Point &point) const {
  for (unsigned dim : llvm::reverse(dims)) {
    point[dim] += number % tile.dims[dim].thread;
    number /= tile.dims[dim].thread;
  }
}

/// Adds to `positions` the offsets of point number `number` * `apart`, where `number` is below `count` and differs
/// between threads.
void MmaTileNest::addLanes(ArrayRef<unsigned> dims, Value number, int64_t count, int64_t apart) {
  for (unsigned dim : llvm::reverse(dims)) {
    int64_t size = tile.dims[dim].thread;
    if (apart >= size) {
      apart /= size;
      continue;
    }
    int64_t here = std::min(size / apart, count);
    positions[dim].terms.push_back({here < count ? remainder(number, here) : number, apart});
    if (here == count)
      return;
    number = divide(number, here);
    count /= here;
    apart = 1;
  }
}

void MmaTileNest::locateThread(Value thread) {
  placeWithin(divide(thread, GpuMachine::warpThreads));
  lane = remainder(thread, GpuMachine::warpThreads);
  addLanes(contraction.rows, divide(lane, threadsOfRow), matrixSide, /*apart=*/1);
  addLanes(contraction.columns, remainder(lane, threadsOfRow), threadsOfRow, /*apart=*/sumColumns);
}

SharedOperand &MmaTileNest::operandOf(NodeId load) {
  return *llvm::find_if(operands, [&](const SharedOperand &each) { return each.getNode() == load; });
}

MmaOperand MmaTileNest::factorOf(NodeId load, bool isLeft) {
  ArrayRef<unsigned> dims = isLeft ? contraction.rows : contraction.columns;
  MmaSide side{isLeft, pointsAlong(dims), stepsOfDepth()};
  const SharedLayout &layout = operandOf(load).getLayout();
  if (layout.isWindow)
    for (unsigned dim : dims)
      side.parts.emplace_back(tile.dims[dim].thread, layout.strides[dim]);
  return {builder, nest, operandOf(load), product, side, lane};
}

void MmaTileNest::prepareOperands() {
  left.emplace(factorOf(contraction.left, /*isLeft=*/true));
  right.emplace(factorOf(contraction.right, /*isLeft=*/false));
}

TileNest::Values MmaTileNest::computeStep(ArrayRef<Value>, Value stage, Values sums) {
  auto behind = [&](NodeId load) -> Value {
    return stage ? arith::MulIOp::create(builder, nest.loc, stage, constant(stageBytes(operandOf(load)))).getResult()
                 : Value();
  };
  left->readFrom(behind(contraction.left));
  right->readFrom(behind(contraction.right));
  return multiply(std::move(sums));
}

/// The operands of the next instructions are loaded before the current ones.
TileNest::Values MmaTileNest::multiply(Values sums) {
  int64_t depth = gpuSchedule.tensor->depth;
  std::vector<MmaOperand::Registers> rows = left->load(0), columns = right->load(0);
  for (int64_t step = 0; step < stepsOfDepth(); step += depth) {
    std::vector<MmaOperand::Registers> nextRows, nextColumns;
    if (step + depth < stepsOfDepth()) {
      nextRows = left->load(step + depth);
      nextColumns = right->load(step + depth);
    }
    MutableArrayRef<Value> own = sums;
    std::vector<MmaProduct::Factors> columnFactors = right->convert(columns);
    for (const MmaProduct::Factors &row : left->convert(rows))
      for (const MmaProduct::Factors &column : columnFactors)
        for (size_t half : {0, 2}) {
          llvm::copy(product.add(row, column, half, MmaProduct::Registers(own.take_front(sumsOfThread))), own.begin());
          own = own.drop_front(sumsOfThread);
        }
    rows = std::move(nextRows);
    columns = std::move(nextColumns);
  }
  return sums;
}

Value MmaTileNest::word(int64_t value) { return arith::ConstantIntOp::create(builder, nest.loc, value, 32); }

Value MmaTileNest::asIndex(Value number) {
  return arith::IndexCastOp::create(builder, nest.loc, builder.getIndexType(), number);
}

int64_t MmaTileNest::stageBytes(const SharedOperand &operand) const {
  return operand.getLayout().elements * bytesOf(nest.nodes[operand.getNode()].type);
}

/// Returns the bytes in which the places of stages are counted: those of the smaller operand where they divide those of
/// the other one, as sizes that are powers of two do.
int64_t MmaTileNest::stageUnit() const {
  int64_t unit = 0;
  for (const SharedOperand &operand : operands)
    unit = std::gcd(unit, stageBytes(operand));
  return unit;
}

/// Returns the offset in bytes of a stage of `operand`, whose place is `stage`.
Value MmaTileNest::offsetOf(const SharedOperand &operand, Value stage) {
  int64_t times = stageBytes(operand) / stageUnit();
  return asIndex(times == 1 ? stage : arith::MulIOp::create(builder, nest.loc, stage, word(times)).getResult());
}

/// Computes what the copies of all steps have in common, and the values of the first steps.
void MmaTileNest::prepareCopies() {
  SmallVector<Value> begins = beginsOf(constant(0));
  for (const SharedOperand &operand : operands)
    copies.emplace_back(builder, nest, operand, tile, place, begins);
  steps.emplace(builder, nest, tile, cachedLoads(nest, gpuSchedule));
  firstSteps.push_back(steps->first());
  for (int64_t step = 1; step <= std::min(stepsAhead(), stepsOfReductions()); ++step)
    firstSteps.push_back(steps->next(firstSteps.back()));
}

/// Starts the copies of the step `at` to the stage whose place is `stage`: of all operands, or of those that are
/// `early` or not.
void MmaTileNest::copyStep(ArrayRef<Value> at, Value stage, std::optional<bool> early) {
  MmaCopies::Step step;
  step.begins.resize(nest.dims.size());
  for (auto [dim, tiled] : llvm::enumerate(tile.dims))
    if (nest.dims[dim].reduction && tiled.isRagged())
      step.begins[dim] = asIndex(steps->beginOf(at, dim));
  for (auto [number, operand] : llvm::enumerate(operands)) {
    if (early && isEarly(operand) != *early)
      continue;
    step.moved = asIndex(steps->movedBy(at, number));
    step.stage = offsetOf(operand, stage);
    copies[number].copy(step);
  }
}

void MmaTileNest::copyFirstSteps(bool isEarly) {
  if (copies.empty())
    prepareCopies();
  for (int64_t step = 0; step < stepsAhead(); ++step) {
    if (step < stepsOfReductions())
      copyStep(firstSteps[step], word(step * stageUnit()), isEarly);
    if (!isEarly)
      NVVM::CpAsyncCommitGroupOp::create(builder, nest.loc);
  }
}

TileNest::Values MmaTileNest::finishStep(Values sums, Value read) {
  left->readFrom(offsetOf(operandOf(contraction.left), read));
  right->readFrom(offsetOf(operandOf(contraction.right), read));
  return multiply(std::move(sums));
}

void MmaTileNest::startCopies() {
  MmaCopies::Step step{constant(0), SmallVector<Value>(nest.dims.size()), constant(0)};
  MmaCopies(builder, nest, operandOf(contraction.right), tile, place, beginsOf(constant(0))).copy(step);
  vectors->copy([](unsigned) { return true; });
  NVVM::CpAsyncCommitGroupOp::create(builder, nest.loc);
}

TileNest::Values MmaTileNest::multiplyKept() {
  NVVM::CpAsyncWaitGroupOp::create(builder, nest.loc, 0);
  publishCopies();
  gpu::BarrierOp::create(builder, nest.loc);
  return finishSteps(finishStep(startStep(emitInitial(points), word(0)), word(0)));
}

/// Does the same as TileNest::emitAsyncSteps, but what tells a step from the one before it is carried by the loop, so
/// no iteration divides the number of its step: where the next copies begin, and the places of the stages from the one
/// that is written to the one that is read. Stages that are read no more are written next, the oldest one first.
TileNest::Values MmaTileNest::emitAsyncSteps(Values sums) {
  Location loc = nest.loc;
  int64_t count = stepsOfReductions(), stages = gpuSchedule.stages, ahead = stepsAhead(), unit = stageUnit();
  Values next = firstSteps.back(), carried(sums);
  llvm::append_range(carried, next);
  for (int64_t stage = ahead; stage <= stages; ++stage)
    carried.push_back(word(stage % stages * unit));
  auto loop = scf::ForOp::create(builder, loc, word(0), word(count), word(1), carried);
  loop->setAttr("llvm.loop_annotation", keepLoop(builder.getContext()));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ValueRange now = loop.getRegionIterArgs();
    Values places(now.drop_front(sums.size() + next.size()));
    next.assign(now.begin() + sums.size(), now.begin() + sums.size() + next.size());
    NVVM::CpAsyncWaitGroupOp::create(builder, loc, static_cast<uint32_t>(ahead - 1));
    publishCopies();
    gpu::BarrierOp::create(builder, loc);
    Values results = startStep(Values(now.take_front(sums.size())), places.back());
    if (count > ahead) {
      Value exists =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getInductionVar(), word(count - ahead));
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, exists, /*withElseRegion=*/false).thenBlock());
      copyStep(next, places.front());
    }
    NVVM::CpAsyncCommitGroupOp::create(builder, loc);
    results = finishStep(std::move(results), places.back());
    llvm::append_range(results, count > ahead ? steps->next(next) : next);
    Value following = arith::AddIOp::create(builder, loc, places.back(), word(unit));
    Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, following, word(unit * stages));
    llvm::append_range(results, ArrayRef(places).drop_front());
    results.push_back(arith::SelectOp::create(builder, loc, isLast, word(0), following));
    scf::YieldOp::create(builder, loc, results);
  }
  return finishSteps(Values(loop.getResults().take_front(sums.size())));
}

} // namespace cameo::schedule
