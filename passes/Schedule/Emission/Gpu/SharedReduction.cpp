// Each thread takes every so manieth step of one reduction dimension, from the identity on; what they have is combined in halves.
#include "passes/Schedule/Emission/Gpu/SharedReduction.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// As LLVM numbers it for NVIDIA's GPUs.
static constexpr unsigned sharedSpace = 3;

MemRefType sharedMemoryType(Type element, int64_t threads) {
  return MemRefType::get({threads}, element, MemRefLayoutAttrInterface(), IntegerAttr::get(IntegerType::get(element.getContext(), 64), sharedSpace));
}

ThreadNest::Values SharedReduction::shareReductions() {
  Location loc = nest.loc;
  Values partial;
  for (size_t number = 0; number < nest.reductions.size(); ++number)
    partial.push_back(arith::ConstantOp::create(builder, loc, matchCombiner(nest, number)->identity));
  share = Share{block.dim, block.thread, block.threads};
  partial = emitReduction(0, std::move(partial));
  for (auto [memory, value] : llvm::zip_equal(block.memory, partial))
    memref::StoreOp::create(builder, loc, value, memory, block.thread);
  for (int64_t half = llvm::PowerOf2Ceil(block.threads) / 2; half > 0; half /= 2) {
    gpu::BarrierOp::create(builder, loc);
    // Of threads that are no power of two some have no partner.
    Value limit = arith::ConstantIndexOp::create(builder, loc, std::min(half, block.threads - half));
    Value hasPartner = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block.thread, limit);
    auto branch = scf::IfOp::create(builder, loc, hasPartner, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value partner = arith::AddIOp::create(builder, loc, block.thread, arith::ConstantIndexOp::create(builder, loc, half));
    for (auto [number, memory] : llvm::enumerate(block.memory)) {
      Value own = memref::LoadOp::create(builder, loc, memory, block.thread), other = memref::LoadOp::create(builder, loc, memory, partner);
      Value both = vector::makeArithReduction(builder, loc, matchCombiner(nest, number)->kind, own, other);
      memref::StoreOp::create(builder, loc, both, memory, block.thread);
    }
  }
  return partial;
}

void SharedReduction::emitPoint(Value number) {
  Location loc = nest.loc;
  locate(number);
  shareReductions();
  // Only the first thread goes on, and it has combined the last two parts itself.
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, block.thread, zero);
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  LaneEvaluator end = evaluator();
  Values results;
  for (auto [count, memory] : llvm::enumerate(block.memory)) {
    Value initial = end.evaluate(nest.reductions[count].initial, origin, {}), all = memref::LoadOp::create(builder, loc, memory, zero);
    results.push_back(vector::makeArithReduction(builder, loc, matchCombiner(nest, count)->kind, initial, all));
  }
  for (const Output &output : nest.outputs)
    end.store(output, origin, results);
}

void SharedReduction::emitPoints() {
  Location loc = nest.loc;
  auto zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, zero, createSize(builder, loc, pointsOf(nest, rowDims)), one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  emitPoint(loop.getInductionVar());
  gpu::BarrierOp::create(builder, loc);
}

} // namespace cameo::schedule
