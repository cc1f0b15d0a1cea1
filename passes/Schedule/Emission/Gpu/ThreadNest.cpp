#include "passes/Schedule/Emission/Gpu/ThreadNest.h"

#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

ThreadNest::ThreadNest(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers, ArrayRef<Value> rows)
    : builder(builder), nest(nest), buffers(buffers), rowDims(rows.size()), positions(nest.dims.size()), origin(nest.dims.size(), 0) {
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

/// Turns the number of a point into its places along the parallel dimensions.
void ThreadNest::locate(Value number) {
  SmallVector<unsigned> parallel;
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
    if (!nest.dims[dim].reduction)
      parallel.push_back(dim);
  for (unsigned dim : llvm::reverse(parallel)) {
    Value place = number;
    if (dim != parallel.front()) {
      Value extent = createSize(builder, nest.loc, nest.dims[dim].extent);
      place = arith::RemUIOp::create(builder, nest.loc, number, extent);
      number = arith::DivUIOp::create(builder, nest.loc, number, extent);
    }
    positions[dim].terms = {{place, 1}};
  }
}

/// The loops over the reductions from dimension `dim` on, and what each of their steps makes of the running results.
ThreadNest::Values ThreadNest::emitReduction(unsigned dim, Values accumulators) {
  while (dim < nest.dims.size() && !nest.dims[dim].reduction)
    ++dim;
  if (dim == nest.dims.size()) {
    NodeEvaluator body = evaluator();
    return llvm::map_to_vector<6>(nest.reductions, [&](const Reduction &reduction) { return body.evaluate(reduction.update, origin, accumulators); });
  }
  bool isShared = share && share->dim == dim;
  Value begin = isShared ? share->begin : arith::ConstantIndexOp::create(builder, nest.loc, 0).getResult();
  Value step = arith::ConstantIndexOp::create(builder, nest.loc, isShared ? share->step : 1);
  auto loop = scf::ForOp::create(builder, nest.loc, begin, createSize(builder, nest.loc, nest.dims[dim].extent), step, accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  positions[dim].terms = {{loop.getInductionVar(), 1}};
  Values next = emitReduction(dim + 1, Values(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end()));
  scf::YieldOp::create(builder, nest.loc, next);
  return Values(loop.getResults().begin(), loop.getResults().end());
}

void ThreadNest::emitBody(Value number) {
  locate(number);
  Values accumulators;
  if (nest.hasReduction()) {
    NodeEvaluator start = evaluator();
    for (const Reduction &reduction : nest.reductions)
      accumulators.push_back(start.evaluate(reduction.initial, origin, {}));
    accumulators = emitReduction(0, std::move(accumulators));
  }
  NodeEvaluator end = evaluator();
  for (const Output &output : nest.outputs)
    end.store(output, origin, accumulators);
}

void ThreadNest::emitPoint(Value first) {
  Value points = createSize(builder, nest.loc, pointsOf(nest, rowDims));
  Value exists = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, first, points);
  auto branch = scf::IfOp::create(builder, nest.loc, exists, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitBody(first);
}

void ThreadNest::emitPoints(Value first, Value step) {
  auto loop = scf::ForOp::create(builder, nest.loc, first, createSize(builder, nest.loc, pointsOf(nest, rowDims)), step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitBody(loop.getInductionVar());
}

} // namespace cameo::schedule
