#include "passes/Schedule/Emission/Gpu/SplitReduction.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {

int64_t elementsOfParts(const LoopNest &nest, int64_t count) {
  return count * int64_t(ThreadNest::pointsOf(nest, /*rowDims=*/0));
}

/// As buffers begin.
static constexpr uint64_t accessBytes = 16;

void storeParts(OpBuilder &builder, const LoopNest &nest, SplitParts parts, Value part, Value first,
                ArrayRef<Value> values) {
  Location loc = nest.loc;
  Value before =
      arith::MulIOp::create(builder, loc, part, arith::ConstantIndexOp::create(builder, loc, elementsOfParts(nest, 1)));
  Value at = arith::AddIOp::create(builder, loc, before, first);
  if (values.size() == 1) {
    memref::StoreOp::create(builder, loc, values[0], parts.memory, at);
    return;
  }
  Type element = values[0].getType();
  Value vector = vector::FromElementsOp::create(
      builder, loc, VectorType::get({static_cast<int64_t>(values.size())}, element), values);
  vector::StoreOp::create(
      builder, loc, vector, parts.memory, at, /*nontemporal=*/false,
      llvm::MaybeAlign(std::min<uint64_t>(values.size() * element.getIntOrFloatBitWidth() / 8, accessBytes)));
}

void SplitReduction::ifExists(Value number, llvm::function_ref<void()> emitBody) {
  Value points = createSize(builder, nest.loc, pointsOf(nest, /*rowDims=*/0, lanes));
  Value exists = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, number, points);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scf::IfOp::create(builder, nest.loc, exists, /*withElseRegion=*/false).thenBlock());
  locate(number);
  emitBody();
}

void SplitReduction::emitPart(Value number, Value part, const Loop &loop) {
  Location loc = nest.loc;
  ifExists(number, [&] {
    Value size = arith::ConstantIndexOp::create(builder, loc, loop.size),
          begin = arith::MulIOp::create(builder, loc, part, size);
    share = Share{loop.dim, begin, 1, arith::AddIOp::create(builder, loc, begin, size)};
    Values sums(lanes.count, arith::ConstantOp::create(builder, loc, matchCombiner(nest, 0)->identity));
    sums = emitReduction(0, std::move(sums));
    Value first =
        arith::MulIOp::create(builder, loc, number, arith::ConstantIndexOp::create(builder, loc, lanes.count));
    storeParts(builder, nest, parts, part, first, sums);
  });
}

void SplitReduction::emitPoint(Value number) {
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  ifExists(number, [&] {
    Value initial = evaluator().evaluate(nest.reductions[0].initial, origin, {});
    auto loop = scf::ForOp::create(builder, loc, constant(0), constant(parts.count), constant(1), initial);
    {
      OpBuilder::InsertionGuard inner(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value at = arith::AddIOp::create(
          builder, loc, arith::MulIOp::create(builder, loc, loop.getInductionVar(), constant(elementsOfParts(nest, 1))),
          number);
      Value part = memref::LoadOp::create(builder, loc, parts.memory, at);
      Value sum =
          vector::makeArithReduction(builder, loc, matchCombiner(nest, 0)->kind, loop.getRegionIterArgs()[0], part);
      scf::YieldOp::create(builder, loc, sum);
    }
    LaneEvaluator end = evaluator();
    Values results = {loop.getResult(0)};
    for (const Output &output : nest.outputs)
      end.store(output, origin, results);
  });
}

} // namespace cameo::schedule
