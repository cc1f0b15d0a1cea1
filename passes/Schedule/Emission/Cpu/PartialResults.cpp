#include "passes/Schedule/Emission/Cpu/PartialResults.h"

#include "passes/Schedule/Emission/Cpu/KernelStack.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

static Type typeOf(const LoopNest &nest, const Reduction &reduction) { return nest.nodes[reduction.update].type; }

PartialResults::PartialResults(OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                               ArrayRef<Position> positions)
    : builder(builder), nest(nest), schedule(schedule), before(positions), form(nest.dims.size()) {
  SmallVector<int64_t> points;
  for (const Position &position : positions)
    points.push_back(position.size);
  int64_t elements = layOutPartials(nest, schedule, points, &form);
  for (const Reduction &reduction : nest.reductions)
    memory.push_back(allocateOnStack(builder, nest.loc, MemRefType::get({elements}, typeOf(nest, reduction))));
}

SmallVector<Value> PartialResults::load(ArrayRef<Position> now, ArrayRef<Point> points) {
  SmallVector<Position> moved = since(before, now);
  PointEvaluator within(builder, nest.loc, nest, schedule, {}, moved, Machine());
  SmallVector<Value> results;
  for (const Point &point : points)
    for (auto [reduction, place] : llvm::zip_equal(nest.reductions, memory)) {
      Value at = within.address(form, point);
      if (schedule.vectorDim)
        results.push_back(vector::LoadOp::create(builder, nest.loc,
                                                 VectorType::get(schedule.lanes, typeOf(nest, reduction)), place, at));
      else
        results.push_back(memref::LoadOp::create(builder, nest.loc, place, at));
    }
  return results;
}

void PartialResults::store(ArrayRef<Position> now, ArrayRef<Point> points, ArrayRef<Value> results) {
  SmallVector<Position> moved = since(before, now);
  PointEvaluator within(builder, nest.loc, nest, schedule, {}, moved, Machine());
  for (auto [number, point] : llvm::enumerate(points))
    for (auto [reduction, place] : llvm::enumerate(memory)) {
      Value at = within.address(form, point), result = results[number * memory.size() + reduction];
      if (schedule.vectorDim)
        vector::StoreOp::create(builder, nest.loc, result, place, at);
      else
        memref::StoreOp::create(builder, nest.loc, result, place, at);
    }
}

} // namespace cameo::schedule
