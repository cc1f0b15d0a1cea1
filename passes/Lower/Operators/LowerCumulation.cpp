// Cumulative sums and products. The axis is a sequential loop, all other dimensions are parallel.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/Builders/LoopBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The kind of cumulation.
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
  auto loop =
      scf::ForOp::create(b, zero, end, step, state, [&](OpBuilder &builder, Location loc, Value i, ValueRange carried) {
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

/// Rows that one loop processes together: each sum depends on the one before, and more rows, which are pages apart,
/// would map to one set of the cache.
constexpr int64_t kRows = 4;

/// Computes the cumulative sums of `count` rows, one element of each per iteration.
Value cumulateRows(ScalarBuilder &s, Value data, Value result, Value first, int64_t count, const Cumulation &how) {
  Dim extent = shapeOf(data)[1];
  Type element = elementOf(data);
  Values state = {result};
  for (int64_t row = 0; row < count; ++row)
    state.push_back(s.number(computeType(element), how.isProduct ? 1 : 0));
  return buildLoop(s, s.size(extent), state, [&](ScalarBuilder &inner, Value step, ValueRange before) {
    Value at = how.isReverse ? inner.sub(inner.size(extent - 1), step) : step;
    Values after = {before[0]};
    for (int64_t row = 0; row < count; ++row) {
      Values place = {inner.add(first, inner.indexConstant(row)), at};
      Value so = before[row + 1], next = inner.widen(inner.extract(data, place));
      after.push_back(how.isProduct ? inner.mul(so, next) : inner.add(so, next));
      after[0] = insertElement(inner, inner.convert(how.isExclusive ? so : after.back(), element), after[0], place);
    }
    return after;
  })[0];
}

/// Cumulates along the last axis, where slices would be single elements that are a row apart.
Value cumulateInRows(GenericBuilder &b, Value data, const Cumulation &how) {
  Shape shape = shapeOf(data);
  if (sizeOf(shape) == 0)
    return b.empty(shape, elementOf(data));
  Dim extent = shape.back(), rows = sizeOf(ShapeRef(shape).drop_back()), blocks = rows / kRows, before = blocks * kRows;
  Value flat = b.reshape(data, {rows, extent});
  ScalarBuilder s(b, b.getLoc());
  auto inBlocks = [&](const Dim &begin, const Dim &blocks, int64_t count, Value into) {
    if (blocks == 0)
      return into;
    return buildLoop(s, s.size(blocks), {into}, [&](ScalarBuilder &inner, Value block, ValueRange result) {
      Value first = inner.add(inner.size(begin), inner.mul(block, inner.indexConstant(count)));
      return Values{cumulateRows(inner, flat, result[0], first, count, how)};
    })[0];
  };
  Value whole = inBlocks(0, blocks, kRows, b.empty({rows, extent}, elementOf(data)));
  return b.reshape(inBlocks(before, rows - before, 1, whole), shape);
}

template <typename OpTy> Lowered lowerCumulation(OpTy op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  Cumulation how{isa<onnx::CumProdOp>(op), op.getExclusive() != 0, op.getReverse() != 0};
  // The proof that samples of a batch are independent needs slices. It is made for a batch of one sample and others.
  Shape shape = shapeOf(operands[0]);
  bool mayCountSamples = !shape.empty() && !isStatic(shape) && isStatic(ShapeRef(shape).drop_front());
  auto along = [&](int64_t axis) {
    return !mayCountSamples && axis == rank - 1 ? cumulateInRows(b, operands[0], how)
                                                : cumulateAlong(b, operands[0], axis, how);
  };
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
