#include "passes/Schedule/Emission/Gpu/BlockTileNest.h"

#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Reads operands that are in shared memory from there.
class TileEvaluator : public LaneEvaluator {
public:
  TileEvaluator(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers, ArrayRef<Position> positions,
                std::vector<SharedOperand> &operands)
      : LaneEvaluator(builder, nest, buffers, positions, Lanes()), operands(operands) {}

protected:
  /// Returns no key for shared operands: points beyond an edge load zeros from addresses that belong to other points.
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

/// Returns all combinations of `offsets`, one list per dimension; the last dimension varies fastest.
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
                             SplitParts parts, const EarlyBuffers *early)
    : TileNest(builder, nest, schedule, gpuSchedule, buffers, shared, parts, early) {
  SmallVector<SmallVector<int64_t>> offsets(nest.dims.size(), {0});
  for (auto [dim, tiled] : llvm::enumerate(tile.dims)) {
    if (nest.dims[dim].reduction) {
      lastStep = dim;
      continue;
    }
    neighbours[dim] = tiled.thread;
    offsets[dim].clear();
    for (int64_t part = 0; part < tiled.parts(); ++part)
      for (int64_t point = 0; point < tiled.thread; ++point)
        offsets[dim].push_back(part * tiled.apart + point);
  }
  points = productOf(offsets);
}

void BlockTileNest::locateThread(Value thread) { placeWithin(thread); }

SharedOperand &BlockTileNest::operandOf(NodeId load) {
  return *llvm::find_if(operands, [&](const SharedOperand &operand) { return operand.getNode() == load; });
}

/// Adds the products of bytes: one instruction multiplies four steps of one reduction. See addProducts.
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

/// Returns the sums after all steps of one fetch; the innermost reduction has `steps` of them.
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

} // namespace cameo::schedule
