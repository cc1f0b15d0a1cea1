// Each thread reduces every 32nd step of one reduction dimension, starting from the identity, and the threads combine
// their partial results by shuffles, without memory or barriers.
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
    Value other = gpu::ShuffleOp::create(builder, loc, value, constant(half), constant(GpuMachine::warpThreads),
                                         gpu::ShuffleMode::XOR)
                      .getShuffleResult();
    value = vector::makeArithReduction(builder, loc, kind, value, other);
  }
  return value;
}

/// Warps without a point repeat the last point and store nothing, so that all threads of a block execute the shuffles,
/// which the emulator requires.
void WarpReduction::emitPoint(Value number) {
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  Value points = createSize(builder, loc, pointsOf(nest, rowDims));
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number, points);
  locate(arith::MinUIOp::create(builder, loc, number, arith::SubIOp::create(builder, loc, points, constant(1))));
  Value lane = arith::RemUIOp::create(builder, loc, thread, constant(GpuMachine::warpThreads));
  share = Share{dim, lane, GpuMachine::warpThreads, {}, stepsAtOnce(nest, dim, GpuMachine::warpThreads)};
  Values results;
  for (size_t reduction = 0; reduction < nest.reductions.size(); ++reduction)
    results.push_back(arith::ConstantOp::create(builder, loc, matchCombiner(nest, reduction)->identity));
  results = emitReduction(0, std::move(results));
  for (auto [reduction, result] : llvm::enumerate(results))
    result = reduceWarp(builder, nest, reduction, result);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, constant(0));
  Value stores = arith::AndIOp::create(builder, loc, exists, isFirst);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, stores, /*withElseRegion=*/false).thenBlock());
  LaneEvaluator end = evaluator();
  for (auto [reduction, result] : llvm::enumerate(results)) {
    Value initial = end.evaluate(nest.reductions[reduction].initial, origin, {});
    result = vector::makeArithReduction(builder, loc, matchCombiner(nest, reduction)->kind, initial, result);
  }
  for (const Output &output : nest.outputs)
    end.store(output, origin, results);
}

void WarpReduction::emitPoints(Value warp, int64_t warps) {
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  auto loop = scf::ForOp::create(builder, loc, constant(0),
                                 createSize(builder, loc, countPieces(pointsOf(nest, rowDims), warps)), constant(1));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitPoint(arith::AddIOp::create(builder, loc,
                                  arith::MulIOp::create(builder, loc, loop.getInductionVar(), constant(warps)), warp));
}

} // namespace cameo::schedule
