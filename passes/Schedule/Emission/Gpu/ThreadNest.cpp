#include "passes/Schedule/Emission/Gpu/ThreadNest.h"

#include "passes/Schedule/Emission/Shared/TaskBody.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

/// The most steps of a reduction that a thread takes at once.
static constexpr int64_t mostTogether = 8;

ThreadNest::ThreadNest(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers, ArrayRef<Value> rows,
                       Lanes lanes, int64_t unroll)
    : builder(builder), nest(nest), buffers(buffers), rowDims(rows.size()), positions(nest.dims.size()),
      origin(nest.dims.size(), 0), lanes(lanes), unroll(unroll) {
  for (auto [position, row] : llvm::zip(positions, rows))
    position.terms.push_back({row, 1});
}

Size ThreadNest::pointsOf(const LoopNest &nest, unsigned rowDims) {
  Size points = 1;
  for (const Dimension &dim : ArrayRef(nest.dims).drop_front(rowDims))
    if (!dim.reduction)
      points *= dim.extent;
  return points;
}

Size ThreadNest::pointsOf(const LoopNest &nest, unsigned rowDims, Lanes lanes) {
  Size points = pointsOf(nest, rowDims);
  return lanes.points() == 1 ? points : Size(int64_t(points) / lanes.points());
}

int64_t ThreadNest::stepsAtOnce(const LoopNest &nest, unsigned dim, int64_t threads) {
  if (!nest.hasKnownSizes() || dim + 1 != nest.dims.size())
    return 1;
  int64_t extent = nest.dims[dim].extent, most = mostTogether;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    if (node.kind != Node::Kind::Load || node.shared)
      return 1;
    if (node.address.dependsOn(dim))
      most = node.address.coefficients[dim] == 1 ? std::min(most, mostLanes(node.type)) : 1;
  }
  while (most > 1 && (extent % most != 0 || extent / most < threads))
    most /= 2;
  return most;
}

/// Returns the number of points along `dim`, counting those of a thread as one.
Size ThreadNest::extentOf(unsigned dim) const {
  const Size &extent = nest.dims[dim].extent;
  return lanes.countAlong(dim) > 1 ? Size(int64_t(extent) / lanes.countAlong(dim)) : extent;
}

/// Converts the number of a point to indices along the parallel dimensions.
void ThreadNest::locate(Value number) {
  SmallVector<unsigned> parallel;
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction)
      parallel.push_back(dim);
  for (unsigned dim : llvm::reverse(parallel)) {
    positions[dim].terms.clear();
    // A term would hide how addresses are aligned.
    if (extentOf(dim) == 1)
      continue;
    Value place = number;
    if (dim != parallel.front()) {
      Value extent = createSize(builder, nest.loc, extentOf(dim));
      place = arith::RemUIOp::create(builder, nest.loc, number, extent);
      number = arith::DivUIOp::create(builder, nest.loc, number, extent);
    }
    positions[dim].terms.push_back({place, lanes.countAlong(dim)});
  }
}

/// Returns the accumulators of all lanes after `count` steps from the position of the innermost reduction loop on.
/// Points share what several of them read in these steps.
ThreadNest::Values ThreadNest::takeSteps(int64_t count, Values accumulators) {
  LaneEvaluator body = evaluator();
  size_t reductions = nest.reductions.size();
  for (int64_t step = 0; step < count; ++step) {
    Values next;
    for (auto [lane, point] : llvm::enumerate(lanes.pointsFrom(origin))) {
      if (step > 0)
        point.back() = step;
      for (const Reduction &reduction : nest.reductions)
        next.push_back(
            body.evaluate(reduction.update, point, ArrayRef(accumulators).slice(lane * reductions, reductions)));
    }
    accumulators = std::move(next);
  }
  return accumulators;
}

/// Returns the accumulators after the steps that the thread takes at once, along the last dimension.
ThreadNest::Values ThreadNest::takeTogether(Values accumulators) {
  LaneEvaluator body(builder, nest, buffers, positions, Lanes{share->dim, share->atOnce});
  Point point = origin;
  for (int64_t step = 0; step < share->atOnce; ++step) {
    point[share->dim] = step;
    Values next;
    for (const Reduction &reduction : nest.reductions)
      next.push_back(body.evaluate(reduction.update, point, accumulators));
    accumulators = std::move(next);
  }
  return accumulators;
}

/// Emits the reduction loops from dimension `dim` on, and returns the accumulators.
ThreadNest::Values ThreadNest::emitReduction(unsigned dim, Values accumulators) {
  while (dim < nest.dims.size() && !nest.dims[dim].reduction)
    ++dim;
  bool isInnermost = dim + 1 == nest.dims.size();
  if (dim == nest.dims.size())
    return takeSteps(1, std::move(accumulators));
  bool isShared = share && share->dim == dim;
  int64_t atOnce = isInnermost && unroll > 0 ? unroll : 1;
  Value begin = isShared ? share->begin : arith::ConstantIndexOp::create(builder, nest.loc, 0).getResult();
  Value step = arith::ConstantIndexOp::create(builder, nest.loc, isShared ? share->step : atOnce);
  bool isTogether = isShared && share->atOnce > 1;
  Value end = isShared && share->end ? share->end
              : isTogether           ? createSize(builder, nest.loc, int64_t(nest.dims[dim].extent) / share->atOnce)
                                     : createSize(builder, nest.loc, loopExtent(nest, dim, rowDims));
  auto loop = scf::ForOp::create(builder, nest.loc, begin, end, step, accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  positions[dim].terms = {{loop.getInductionVar(), isTogether ? share->atOnce : 1}};
  Values next(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
  next = isTogether   ? takeTogether(std::move(next))
         : atOnce > 1 ? takeSteps(atOnce, std::move(next))
                      : emitReduction(dim + 1, std::move(next));
  scf::YieldOp::create(builder, nest.loc, next);
  return Values(loop.getResults().begin(), loop.getResults().end());
}

ThreadNest::Values ThreadNest::emitInitial() {
  LaneEvaluator start = evaluator();
  Values accumulators;
  for (const Point &point : lanes.pointsFrom(origin))
    for (const Reduction &reduction : nest.reductions)
      accumulators.push_back(start.evaluate(reduction.initial, point, {}));
  return accumulators;
}

void ThreadNest::emitResults(ArrayRef<Value> accumulators) {
  LaneEvaluator end = evaluator();
  std::vector<Values> results;
  size_t count = nest.reductions.size();
  for (int64_t lane = 0; lane < lanes.points(); ++lane) {
    ArrayRef<Value> own = accumulators.slice(lane * count, count);
    results.emplace_back(own.begin(), own.end());
  }
  for (const Output &output : nest.outputs)
    end.storeLanes(output, origin, results);
}

void ThreadNest::emitBody(Value number) {
  locate(number);
  emitResults(nest.hasReduction() ? emitReduction(0, emitInitial()) : Values());
}

void ThreadNest::emitPoint(Value first) {
  Value points = createSize(builder, nest.loc, pointsOf(nest, rowDims, lanes));
  Value exists = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, first, points);
  auto branch = scf::IfOp::create(builder, nest.loc, exists, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitBody(first);
}

void ThreadNest::emitPoints(Value first, Value step) {
  auto loop =
      scf::ForOp::create(builder, nest.loc, first, createSize(builder, nest.loc, pointsOf(nest, rowDims, lanes)), step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitBody(loop.getInductionVar());
}

} // namespace cameo::schedule
