// Positions of extrema: a reduction that carries the value and where it was.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {
namespace {

struct Extremum {
  bool isMax = true;
  bool takesLast = false;
  Sign sign = Sign::Signed;
};

/// Whether a is better than b.
Value isBetter(ScalarBuilder &s, Value a, Value b, const Extremum &extremum) {
  return s.compare(extremum.isMax ? Order::Greater : Order::Less, a, b, extremum.sign);
}

/// The index (i64) of the extremum along the axis, which is kept with size 1.
Value findExtremum(GenericBuilder &b, Value data, int64_t axis, const Extremum &extremum) {
  int64_t rank = rankOf(data);
  Shape shape = shapeOf(data);
  shape[axis] = 1;
  Exprs target;
  for (int64_t at = 0; at < rank; ++at)
    target.push_back(at == axis ? b.fixed(0) : b.dim(at < axis ? at : at - 1));
  Type type = elementOf(data);
  TypedAttr worst = extremum.isMax ? lowestAttr(type, extremum.sign) : highestAttr(type, extremum.sign);
  Access values{b.filled(shape, worst), target}, indices{b.filled(shape, b.getI64IntegerAttr(0)), target};
  Loops loops{static_cast<unsigned>(rank - 1), 1};
  return b.generic(loops, {{data, b.reducedIndex(rank, {axis})}}, {values, indices}, [&](ScalarBuilder &s, ValueRange x) {
    Value takes = isBetter(s, x[0], x[1], extremum);
    if (extremum.takesLast)
      takes = s.logicalOr(takes, s.compare(Order::Equal, x[0], x[1]));
    Value position = s.fromIndex(s.position(rank - 1), b.getI64Type());
    return Values{s.select(takes, x[0], x[1]), s.select(takes, position, x[2])};
  })[1];
}

template <typename OpTy> Lowered lowerArgExtremum(OpTy op, Operands operands, GenericBuilder &b) {
  Extremum extremum{isa<onnx::ArgMaxOp>(op), op.getSelectLastIndex() != 0, signOf(op.getData())};
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  return one(b.reshape(findExtremum(b, operands[0], axis, extremum), resultShape(op)));
}

Lowered lowerHardmax(onnx::HardmaxOp op, Operands operands, GenericBuilder &b) {
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  Value index = findExtremum(b, operands[0], axis, {});
  Shape shape = resultShape(op);
  Type element = resultElement(op);
  return one(b.map(shape, element, {b.spread(index, shape)}, [&](ScalarBuilder &s, ValueRange x) {
    Value isThere = s.compare(Order::Equal, s.fromIndex(s.position(axis), b.getI64Type()), x[0]);
    return s.select(isThere, s.number(element, 1), s.number(element, 0));
  }));
}

/// The best element along the axis of those that come after `lastValue`, `lastIndex` (better values first, then smaller
/// indices).
Values findNext(GenericBuilder &b, Value data, int64_t axis, Value lastValue, Value lastIndex, const Extremum &extremum) {
  int64_t rank = rankOf(data);
  Shape shape = shapeOf(data);
  shape[axis] = 1;
  Exprs target;
  for (int64_t at = 0; at < rank; ++at)
    target.push_back(at == axis ? b.fixed(0) : b.dim(at < axis ? at : at - 1));
  Type type = elementOf(data);
  TypedAttr worst = extremum.isMax ? lowestAttr(type, extremum.sign) : highestAttr(type, extremum.sign);
  // An index of -1: nothing is taken yet, so that even the worst value can be.
  Access values{b.filled(shape, worst), target}, indices{b.filled(shape, b.getI64IntegerAttr(-1)), target};
  Loops loops{static_cast<unsigned>(rank - 1), 1};
  SmallVector<Access> inputs = {{data, b.reducedIndex(rank, {axis})}, {lastValue, target}, {lastIndex, target}};
  return b.generic(loops, inputs, {values, indices}, [&](ScalarBuilder &s, ValueRange x) {
    Value value = x[0], position = s.fromIndex(s.position(rank - 1), b.getI64Type());
    Value isFirst = s.compare(Order::Less, x[2], s.integer(b.getI64Type(), 0));
    Value isLater = s.logicalAnd(s.compare(Order::Equal, value, x[1]), s.compare(Order::Greater, position, x[2]));
    Value comesAfter = s.logicalOr(isFirst, s.logicalOr(isBetter(s, x[1], value, extremum), isLater));
    Value takesNone = s.compare(Order::Less, x[4], s.integer(b.getI64Type(), 0));
    Value takes = s.logicalAnd(comesAfter, s.logicalOr(takesNone, isBetter(s, value, x[3], extremum)));
    return Values{s.select(takes, value, x[3]), s.select(takes, position, x[4])};
  });
}

/// Selects the K best one after the other.
Lowered lowerTopK(onnx::TopKOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(data));
  Extremum extremum{op.getLargest() != 0, false, signOf(op.getX())};
  Shape slice = shapeOf(data);
  slice[axis] = 1;
  Type type = elementOf(data);
  Values state = {b.empty(resultShape(op), type), b.empty(resultShape(op), b.getI64Type()),
                  b.filled(slice, b.getZeroAttr(type)), b.filled(slice, b.getI64IntegerAttr(-1))};
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value end = b.size(resultShape(op)[axis]);
  auto loop = scf::ForOp::create(b, zero, end, one, state, [&](OpBuilder &builder, Location loc, Value k, ValueRange carried) {
    GenericBuilder inner(loc, builder);
    Values best = findNext(inner, data, axis, carried[2], carried[3], extremum);
    SmallVector<OpFoldResult> offsets(slice.size(), builder.getIndexAttr(0));
    offsets[axis] = k;
    Values next;
    for (unsigned i : {0u, 1u})
      next.push_back(inner.insertAt(best[i], carried[i], offsets, Ints(slice.size(), 1)));
    next.append(best);
    scf::YieldOp::create(builder, loc, next);
  });
  return Values{loop.getResult(0), loop.getResult(1)};
}

} // namespace

void addArgExtrema(LoweringTable &table) {
  table.add(lowerArgExtremum<onnx::ArgMaxOp>);
  table.add(lowerArgExtremum<onnx::ArgMinOp>);
  table.add(lowerHardmax);
  table.add(lowerTopK);
}

} // namespace cameo::lower
