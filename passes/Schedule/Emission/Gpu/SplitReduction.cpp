#include "passes/Schedule/Emission/Gpu/SplitReduction.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

void SplitReduction::ifExists(Value number, llvm::function_ref<void()> emitBody) {
  Value points = createSize(builder, nest.loc, pointsOf(nest, /*rowDims=*/0, lanes));
  Value exists = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::ult, number, points);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(scf::IfOp::create(builder, nest.loc, exists, /*withElseRegion=*/false).thenBlock());
  locate(number);
  emitBody();
}

/// Returns the number of the first lane among all points.
Value SplitReduction::firstOf(Value number) {
  return arith::MulIOp::create(builder, nest.loc, number,
                               arith::ConstantIndexOp::create(builder, nest.loc, lanes.count));
}

/// Returns the index along the loop's dimension at which part number `part` begins.
Value SplitReduction::beginOf(Value part, const Loop &loop) {
  return arith::MulIOp::create(builder, nest.loc, part, arith::ConstantIndexOp::create(builder, nest.loc, loop.size));
}

/// Returns how many bytes a step along `dim` moves in memory; 0 if that is not known.
int64_t SplitReduction::bytesAlong(const Node &node, unsigned dim) const {
  const Size &moved = node.address.coefficients[dim];
  return moved.isKnown() ? std::abs(int64_t(moved)) * llvm::divideCeil(node.type.getIntOrFloatBitWidth(), 8) : 0;
}

/// Only one loop is emitted, so other reduction dimensions must not matter. Steps and lanes that lie in one sector of
/// the cache are prefetched once.
void SplitReduction::emitPrefetches(Value number, Value part, const Loop &loop, const EarlyBuffers &early) {
  Location loc = nest.loc;
  constexpr int64_t sectorBytes = 32;
  auto isEarly = [&](NodeId load) {
    const Node &node = nest.nodes[load];
    return node.kind == Node::Kind::Load && !node.shared && early.contains(node.buffer) && node.type.isIntOrFloat() &&
           bytesAlong(node, loop.dim) > 0;
  };
  SmallVector<NodeId> loads = llvm::filter_to_vector(nest.loads(/*insideReduction=*/true), isEarly);
  if (llvm::count_if(nest.dims, [](const Dimension &dim) { return dim.reduction; }) > 1 || loads.empty())
    return;
  ifExists(number, [&] {
    Value begin = beginOf(part, loop),
          end = arith::AddIOp::create(builder, loc, begin, arith::ConstantIndexOp::create(builder, loc, loop.size));
    for (NodeId load : loads) {
      const Node &node = nest.nodes[load];
      int64_t steps = std::max<int64_t>(sectorBytes / bytesAlong(node, loop.dim), 1);
      auto each = scf::ForOp::create(builder, loc, begin, end, arith::ConstantIndexOp::create(builder, loc, steps));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(each.getBody());
      positions[loop.dim].terms = {{each.getInductionVar(), 1}};
      bool areApart = lanes.count > 1 && bytesAlong(node, lanes.dim) >= sectorBytes;
      Point point = origin;
      for (int64_t lane = 0; lane < (areApart ? lanes.count : 1); ++lane) {
        if (lane > 0)
          point[lanes.dim] = lane;
        evaluator().prefetch(node, point);
      }
    }
  });
}

void SplitReduction::emitPart(Value number, Value part, const Loop &loop) {
  Location loc = nest.loc;
  ifExists(number, [&] {
    Value size = arith::ConstantIndexOp::create(builder, loc, loop.size), begin = beginOf(part, loop);
    share = Share{loop.dim, begin, 1, arith::AddIOp::create(builder, loc, begin, size)};
    Values sums(lanes.count, arith::ConstantOp::create(builder, loc, matchCombiner(nest, 0)->identity));
    sums = emitReduction(0, std::move(sums));
    storeParts(builder, nest, parts, part, firstOf(number), sums);
  });
}

void SplitReduction::emitWhole(Value number) {
  ifExists(number, [&] {
    for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
      if (nest.dims[dim].reduction)
        positions[dim].terms.clear();
    emitResults(addParts(builder, nest, parts, PartPoints{firstOf(number), {}}, emitInitial()));
  });
}

void SplitReduction::emit(Counted blocks, Counted threads, const Loop &loop, const EarlyBuffers *early) {
  Location loc = nest.loc;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value).getResult(); };
  Value part = arith::DivUIOp::create(builder, loc, blocks.number, constant(blocks.count)),
        own = arith::RemUIOp::create(builder, loc, blocks.number, constant(blocks.count)),
        before = arith::MulIOp::create(builder, loc, own, constant(threads.count)),
        number = arith::AddIOp::create(builder, loc, before, threads.number);
  if (early) {
    emitPrefetches(number, part, loop, *early);
    waitForLaunches(builder, loc);
  }
  emitPart(number, part, loop);
  emitBehindParts(builder, loc, parts, own, threads.number, [&] { emitWhole(number); });
}

} // namespace cameo::schedule
