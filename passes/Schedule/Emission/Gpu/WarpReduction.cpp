// Each thread takes every 32nd step of one reduction dimension, from the identity on, and all of them exchange what they have: no memory, and no barrier.
#include "passes/Schedule/Emission/Gpu/WarpReduction.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

Value reduceWarp(OpBuilder &builder, const LoopNest &nest, size_t number, Value value) {
  Location loc = nest.loc;
  vector::CombiningKind kind = matchCombiner(nest, number)->kind;
  auto constant = [&](int32_t bits) { return arith::ConstantIntOp::create(builder, loc, bits, 32); };
  for (int32_t half = GpuMachine::warpThreads / 2; half > 0; half /= 2) {
    Value other = gpu::ShuffleOp::create(builder, loc, value, constant(half), constant(GpuMachine::warpThreads), gpu::ShuffleMode::XOR).getShuffleResult();
    value = vector::makeArithReduction(builder, loc, kind, value, other);
  }
  return value;
}

void WarpReduction::emitBody(Value number) {
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  locate(number);
  Value lane = arith::RemUIOp::create(builder, loc, thread, constant(GpuMachine::warpThreads));
  share = Share{dim, lane, GpuMachine::warpThreads};
  Values results;
  for (size_t reduction = 0; reduction < nest.reductions.size(); ++reduction)
    results.push_back(arith::ConstantOp::create(builder, loc, matchCombiner(nest, reduction)->identity));
  results = emitReduction(0, std::move(results));
  for (auto [reduction, result] : llvm::enumerate(results))
    result = reduceWarp(builder, nest, reduction, result);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, constant(0));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false).thenBlock());
  LaneEvaluator end = evaluator();
  for (auto [reduction, result] : llvm::enumerate(results)) {
    Value initial = end.evaluate(nest.reductions[reduction].initial, origin, {});
    result = vector::makeArithReduction(builder, loc, matchCombiner(nest, reduction)->kind, initial, result);
  }
  for (const Output &output : nest.outputs)
    end.store(output, origin, results);
}

void WarpReduction::emitPoint(Value number) {
  Value points = createSize(builder, nest.loc, pointsOf(nest, rowDims));
  Value exists = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, number, points);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scf::IfOp::create(builder, nest.loc, exists, /*withElseRegion=*/false).thenBlock());
  emitBody(number);
}

void WarpReduction::emitPoints(Value first, Value step) {
  auto loop = scf::ForOp::create(builder, nest.loc, first, createSize(builder, nest.loc, pointsOf(nest, rowDims)), step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitBody(loop.getInductionVar());
}

} // namespace cameo::schedule
