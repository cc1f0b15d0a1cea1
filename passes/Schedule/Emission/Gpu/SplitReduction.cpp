#include "passes/Schedule/Emission/Gpu/SplitReduction.h"

#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

void SplitReduction::emitPart(Value number, Value part, const Loop &loop) {
  Location loc = nest.loc;
  ifExists(number, [&] {
    Value size = arith::ConstantIndexOp::create(builder, loc, loop.size),
          begin = arith::MulIOp::create(builder, loc, part, size);
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

} // namespace cameo::schedule
