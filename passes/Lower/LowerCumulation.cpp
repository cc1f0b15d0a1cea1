// Running sums and products: the steps along the axis are sequential, all other dimensions are not.
#include "passes/Lower/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Which of both, and how.
struct Cumulation {
  bool isProduct, isExclusive, isReverse;
};

Value cumulateAlong(GenericBuilder &b, Value data, int64_t axis, const Cumulation &how) {
  int64_t rank = rankOf(data);
  Dim extent = shapeOf(data)[axis];
  Type element = elementOf(data), sumType = computeType(element);
  Shape slice = shapeOf(data);
  slice[axis] = 1;
  Value zero = arith::ConstantIndexOp::create(b, 0), step = arith::ConstantIndexOp::create(b, 1);
  Value last = b.size(extent - 1), end = b.size(extent);
  Values state = {b.empty(shapeOf(data), element), b.filled(slice, numberAttr(sumType, how.isProduct ? 1 : 0))};
  auto loop = scf::ForOp::create(b, zero, end, step, state, [&](OpBuilder &builder, Location loc, Value i, ValueRange carried) {
    GenericBuilder inner(loc, builder);
    Value position = how.isReverse ? arith::SubIOp::create(inner, last, i).getResult() : i;
    SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0));
    offsets[axis] = position;
    Value part = inner.sliceAt(data, offsets, slice, Ints(rank, 1));
    Value sum = inner.elementwise(slice, sumType, {carried[1], part}, [&](ScalarBuilder &s, ValueRange x) {
      return how.isProduct ? s.mul(x[0], x[1]) : s.add(x[0], x[1]);
    });
    Value written = inner.convert(how.isExclusive ? carried[1] : sum, element);
    Value result = inner.insertAt(written, carried[0], offsets, Ints(rank, 1));
    scf::YieldOp::create(builder, loc, ValueRange{result, sum});
  });
  return loop.getResult(0);
}

template <typename OpTy> Lowered lowerCumulation(OpTy op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  Cumulation how{isa<onnx::CumProdOp>(op), op.getExclusive() != 0, op.getReverse() != 0};
  auto along = [&](int64_t axis) { return cumulateAlong(b, operands[0], axis, how); };
  if (std::optional<Ints> axes = knownInts(op->getOperand(1)))
    return one(along(normalizeAxis(axes->front(), rank)));
  return one(alongReadAxis(b, operands[1], rank, allAxes(rank), along));
}

} // namespace

void addCumulations(LoweringTable &table) {
  table.add(lowerCumulation<onnx::CumSumOp>);
  table.add(lowerCumulation<onnx::CumProdOp>);
}

} // namespace cameo::lower
