// Each thread reduces every `threads`-th step of one reduction dimension, starting from the identity. The partial
// results are combined within warps, and then by the first thread.
#include "passes/Schedule/Emission/Gpu/SharedReduction.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Emission/Gpu/WarpReduction.h"
#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// The number of the shared address space in LLVM's NVPTX backend.
static constexpr unsigned sharedSpace = 3;

MemRefType sharedMemoryType(Type element, int64_t threads) {
  return MemRefType::get({threads}, element, MemRefLayoutAttrInterface(),
                         IntegerAttr::get(IntegerType::get(element.getContext(), 64), sharedSpace));
}

/// Whether warps can exchange values of `type` by shuffles.
static bool isExchanged(Type type) { return type.isF32() || type.isInteger(32); }

/// Stores the result of each warp to the element with the warp's number.
void SharedReduction::handOnWarps(size_t number, Value value) {
  Location loc = nest.loc;
  value = reduceWarp(builder, nest, number, value);
  Value warpThreads = arith::ConstantIndexOp::create(builder, loc, GpuMachine::warpThreads);
  Value lane = arith::RemUIOp::create(builder, loc, block.thread, warpThreads),
        warp = arith::DivUIOp::create(builder, loc, block.thread, warpThreads);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane,
                                        arith::ConstantIndexOp::create(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  memref::StoreOp::create(builder, loc, value, block.memory[number], warp);
}

/// Combines partial results in shared memory: each half of the block adds those of the other half, until the first
/// thread has the result.
void SharedReduction::handOnHalves(ArrayRef<size_t> numbers, ArrayRef<Value> partial) {
  Location loc = nest.loc;
  for (size_t number : numbers)
    memref::StoreOp::create(builder, loc, partial[number], block.memory[number], block.thread);
  for (int64_t half = llvm::PowerOf2Ceil(block.threads) / 2; half > 0; half /= 2) {
    gpu::BarrierOp::create(builder, loc);
    // If the number of threads is not a power of two, some threads have no partner.
    Value limit = arith::ConstantIndexOp::create(builder, loc, std::min(half, block.threads - half));
    Value hasPartner = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block.thread, limit);
    auto branch = scf::IfOp::create(builder, loc, hasPartner, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    Value partner =
        arith::AddIOp::create(builder, loc, block.thread, arith::ConstantIndexOp::create(builder, loc, half));
    for (size_t number : numbers) {
      Value memory = block.memory[number];
      Value own = memref::LoadOp::create(builder, loc, memory, block.thread),
            other = memref::LoadOp::create(builder, loc, memory, partner);
      Value both = vector::makeArithReduction(builder, loc, matchCombiner(nest, number)->kind, own, other);
      memref::StoreOp::create(builder, loc, both, memory, block.thread);
    }
  }
}

void SharedReduction::shareReductions() {
  Location loc = nest.loc;
  Values partial;
  for (size_t number = 0; number < nest.reductions.size(); ++number)
    partial.push_back(arith::ConstantOp::create(builder, loc, matchCombiner(nest, number)->identity));
  share = Share{block.dim, block.thread, block.threads, {}, stepsAtOnce(nest, block.dim, fewestTogether)};
  partial = emitReduction(0, std::move(partial));
  SmallVector<size_t> others;
  for (auto [number, value] : llvm::enumerate(partial)) {
    if (isExchanged(value.getType()))
      handOnWarps(number, value);
    else
      others.push_back(number);
  }
  if (!others.empty())
    handOnHalves(others, partial);
  if (others.size() < partial.size())
    gpu::BarrierOp::create(builder, loc);
}

/// Returns the result of reduction `number` for the first thread.
Value SharedReduction::collect(size_t number) {
  Location loc = nest.loc;
  auto at = [&](int64_t place) -> Value {
    return memref::LoadOp::create(builder, loc, block.memory[number],
                                  arith::ConstantIndexOp::create(builder, loc, place).getResult());
  };
  Value all = at(0);
  if (isExchanged(all.getType()))
    for (int64_t warp = 1; warp < block.threads / GpuMachine::warpThreads; ++warp)
      all = vector::makeArithReduction(builder, loc, matchCombiner(nest, number)->kind, all, at(warp));
  return all;
}

void SharedReduction::emitPoint(Value number) {
  Location loc = nest.loc;
  locate(number);
  shareReductions();
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, block.thread,
                                        arith::ConstantIndexOp::create(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  LaneEvaluator end = evaluator();
  Values results;
  for (size_t count = 0; count < nest.reductions.size(); ++count) {
    Value initial = end.evaluate(nest.reductions[count].initial, origin, {});
    results.push_back(
        vector::makeArithReduction(builder, loc, matchCombiner(nest, count)->kind, initial, collect(count)));
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
