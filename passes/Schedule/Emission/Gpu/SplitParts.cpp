#include "passes/Schedule/Emission/Gpu/SplitParts.h"

#include "dialects/Task/TaskCounterOps.h"
#include "passes/Schedule/Emission/Gpu/ThreadNest.h"
#include "passes/Schedule/Nests/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

/// The alignment of buffers in bytes.
static constexpr uint64_t accessBytes = 16;

int64_t elementsOfParts(const LoopNest &nest, int64_t count) {
  return count * int64_t(ThreadNest::pointsOf(nest, /*rowDims=*/0));
}

/// Returns the index of point number `first` in part number `part`.
static Value placeOf(OpBuilder &builder, const LoopNest &nest, Value part, Value first) {
  Value all = arith::ConstantIndexOp::create(builder, nest.loc, elementsOfParts(nest, 1)),
        before = arith::MulIOp::create(builder, nest.loc, part, all);
  return arith::AddIOp::create(builder, nest.loc, before, first);
}

static llvm::MaybeAlign alignmentOf(VectorType type) {
  return llvm::MaybeAlign(std::min<uint64_t>(type.getNumElements() * type.getElementTypeBitWidth() / 8, accessBytes));
}

void storeParts(OpBuilder &builder, const LoopNest &nest, SplitParts parts, Value part, Value first,
                ArrayRef<Value> values) {
  Value at = placeOf(builder, nest, part, first);
  if (values.size() == 1) {
    memref::StoreOp::create(builder, nest.loc, values[0], parts.memory, at);
    return;
  }
  auto type = VectorType::get({static_cast<int64_t>(values.size())}, values[0].getType());
  Value vector = vector::FromElementsOp::create(builder, nest.loc, type, values);
  vector::StoreOp::create(builder, nest.loc, vector, parts.memory, at, /*nontemporal=*/false, alignmentOf(type));
}

/// Thread 0 counts the block's arrival after a barrier that orders all stores of the block, and broadcasts through
/// shared memory whether the block is the last one.
void emitBehindParts(OpBuilder &builder, Location loc, SplitParts parts, Value number, Value thread,
                     llvm::function_ref<void()> emitBody) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  gpu::BarrierOp::create(builder, loc);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, zero);
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value isLast = task::ArriveOp::create(builder, loc, builder.getI1Type(), parts.counters, number, parts.count),
        isLastFlag = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isLast);
  memref::StoreOp::create(builder, loc, isLastFlag, parts.isLastFlag, zero);
  builder.setInsertionPointAfter(branch);
  gpu::BarrierOp::create(builder, loc);
  Value known = memref::LoadOp::create(builder, loc, parts.isLastFlag, zero),
        none = arith::ConstantIntOp::create(builder, loc, 0, 32);
  isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, known, none);
  builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/false).thenBlock());
  emitBody();
}

/// Loads part number `part` of the points, or the identity for points that do not exist.
static SmallVector<Value> loadParts(OpBuilder &builder, const LoopNest &nest, SplitParts parts, Value part,
                                    const PartPoints &points, int64_t count) {
  Location loc = nest.loc;
  auto load = [&]() -> Value {
    Value at = placeOf(builder, nest, part, points.first);
    if (count == 1)
      return memref::LoadOp::create(builder, loc, parts.memory, at);
    auto type = VectorType::get({count}, cast<MemRefType>(parts.memory.getType()).getElementType());
    return vector::LoadOp::create(builder, loc, type, parts.memory, at, /*nontemporal=*/false, alignmentOf(type));
  };
  Value loaded;
  if (!points.exists) {
    loaded = load();
  } else {
    OpBuilder::InsertionGuard guard(builder);
    TypedAttr identity = matchCombiner(nest, 0)->identity;
    if (count > 1)
      identity = DenseElementsAttr::get(VectorType::get({count}, identity.getType()), Attribute(identity));
    auto branch = scf::IfOp::create(builder, loc, TypeRange(identity.getType()), points.exists,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, load());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, arith::ConstantOp::create(builder, loc, identity).getResult());
    loaded = branch.getResult(0);
  }
  SmallVector<Value> values = {loaded};
  if (count > 1)
    values = llvm::map_to_vector(
        llvm::seq(count), [&](int64_t lane) -> Value { return vector::ExtractOp::create(builder, loc, loaded, lane); });
  return values;
}

/// Returns the unroll factor of the loop over parts: more loads in flight would need registers that the reduction loop
/// does not need.
static LLVM::LoopAnnotationAttr unrollParts(MLIRContext *context, size_t sums) {
  constexpr size_t mostUnderWay = 32;
  auto count = static_cast<int32_t>(std::max<size_t>(mostUnderWay / sums, 1));
  BoolAttr isKept = count == 1 ? BoolAttr::get(context, true) : BoolAttr();
  IntegerAttr together = count == 1 ? IntegerAttr() : IntegerAttr::get(IntegerType::get(context, 32), count);
  auto unroll = LLVM::LoopUnrollAttr::get(context, isKept, together, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
}

/// Loads a part of all points before it adds it, so that the loads overlap.
SmallVector<Value> addParts(OpBuilder &builder, const LoopNest &nest, SplitParts parts, ArrayRef<PartPoints> points,
                            ArrayRef<Value> sums) {
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(parts.count), constant(1), sums);
  loop->setAttr("llvm.loop_annotation", unrollParts(builder.getContext(), sums.size()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  auto count = static_cast<int64_t>(sums.size() / points.size());
  SmallVector<Value> loaded, next;
  for (const PartPoints &each : points)
    llvm::append_range(loaded, loadParts(builder, nest, parts, loop.getInductionVar(), each, count));
  for (auto [sum, part] : llvm::zip_equal(loop.getRegionIterArgs(), loaded))
    next.push_back(vector::makeArithReduction(builder, loc, matchCombiner(nest, 0)->kind, sum, part));
  scf::YieldOp::create(builder, loc, next);
  return SmallVector<Value>(loop.getResults().begin(), loop.getResults().end());
}

} // namespace cameo::schedule
