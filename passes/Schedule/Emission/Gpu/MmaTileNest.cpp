#include "passes/Schedule/Emission/Gpu/MmaTileNest.h"

#include "dialects/Target/GpuMachine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

MmaTileNest::MmaTileNest(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                         const GpuSchedule &gpuSchedule, ArrayRef<Value> buffers, ArrayRef<Value> shared,
                         SplitParts parts)
    : TileNest(builder, nest, schedule, gpuSchedule, buffers, shared, parts), contraction(*findContraction(nest)),
      product(builder, nest, contraction, *gpuSchedule.tensor) {
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
/// Sizes are powers of two, so a number whose parts have no bit in common can be added part by part.
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

MmaOperand MmaTileNest::operandOf(NodeId load, bool isLeft) {
  SharedOperand &operand = *llvm::find_if(operands, [&](const SharedOperand &each) { return each.getNode() == load; });
  return {builder,
          nest,
          operand,
          product,
          {isLeft, pointsAlong(isLeft ? contraction.rows : contraction.columns), stepsOfDepth()},
          lane};
}

void MmaTileNest::prepareOperands() {
  left.emplace(operandOf(contraction.left, /*isLeft=*/true));
  right.emplace(operandOf(contraction.right, /*isLeft=*/false));
}

/// The operands of the next step are loaded before the instructions of the current step.
TileNest::Values MmaTileNest::computeStep(ArrayRef<Value>, Value stage, Values sums) {
  left->readFrom(stage);
  right->readFrom(stage);
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

} // namespace cameo::schedule
