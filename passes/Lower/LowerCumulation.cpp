// Running sums: the steps along the axis are sequential, all other dimensions are not.
#include "passes/Lower/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Lowered lowerCumSum(onnx::CumSumOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  int64_t rank = rankOf(data);
  std::optional<Ints> axes = knownInts(op->getOperand(1));
  if (!axes && rank > 1)
    return unsupported(op, "an axis that is not known at compile time");
  int64_t axis = axes ? normalizeAxis(axes->front(), rank) : 0, extent = shapeOf(data)[axis];
  bool isExclusive = op.getExclusive() != 0, isReverse = op.getReverse() != 0;
  Type element = resultElement(op), sumType = computeType(element);
  Ints slice(shapeOf(data));
  slice[axis] = 1;
  Value zero = arith::ConstantIndexOp::create(b, 0), step = arith::ConstantIndexOp::create(b, 1);
  Value last = arith::ConstantIndexOp::create(b, extent - 1), end = arith::ConstantIndexOp::create(b, extent);
  Values state = {b.empty(shapeOf(data), element), b.filled(slice, b.getZeroAttr(sumType))};
  auto loop = scf::ForOp::create(b, zero, end, step, state, [&](OpBuilder &builder, Location loc, Value i, ValueRange carried) {
    GenericBuilder inner(loc, builder);
    Value position = isReverse ? arith::SubIOp::create(inner, last, i).getResult() : i;
    SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)), strides(rank, builder.getIndexAttr(1));
    offsets[axis] = position;
    SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(builder.getContext(), slice);
    Value part = tensor::ExtractSliceOp::create(inner, data, offsets, sizes, strides);
    Value sum = inner.elementwise(slice, sumType, {carried[1], part},
                                  [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
    Value written = inner.convert(isExclusive ? carried[1] : sum, element);
    Value result = tensor::InsertSliceOp::create(inner, written, carried[0], offsets, sizes, strides);
    scf::YieldOp::create(builder, loc, ValueRange{result, sum});
  });
  return one(loop.getResult(0));
}

} // namespace

void addCumulations(LoweringTable &table) { table.add(lowerCumSum); }

} // namespace cameo::lower
