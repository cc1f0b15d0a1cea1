// Results of data-dependent sizes: loops write one entry after the other into the largest possible result, and count.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/Formulas/IndexHeap.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Value countTensor(GenericBuilder &b, ScalarBuilder &s, Value count) {
  return insertIndex(s, count, b.empty({}, b.getI64Type()), {});
}

// ---- CountedNonZero ----

Lowered lowerNonZero(onnx::CountedNonZeroOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  ScalarBuilder s(b, b.getLoc());
  Value positions = b.empty(resultShape(op), b.getI64Type());
  if (sizeOf(shapeOf(x)) == 0)
    return Values{positions, b.filled({}, b.getI64IntegerAttr(0))};
  Values state = {positions, s.indexConstant(0)};
  Values results = buildLoops(s, shapeOf(x), state, [&](ScalarBuilder &inner, ValueRange at, ValueRange carried) {
    // The index is always written. If it does not count, the next one overwrites it.
    Value rows = carried[0], count = carried[1], element = inner.extract(x, at);
    for (auto [axis, index] : llvm::enumerate(at))
      rows = insertIndex(inner, index, rows, {count, inner.indexConstant(axis)});
    Value nothing = filler(inner, op.getX().getType(), element.getType());
    Value isThere = isString(op.getX().getType()) ? compareStrings(inner, Order::NotEqual, element, nothing)
                                                  : inner.compare(Order::NotEqual, element, nothing);
    return Values{rows, inner.add(count, inner.select(isThere, inner.indexConstant(1), inner.indexConstant(0)))};
  });
  return Values{results[0], countTensor(b, s, results[1])};
}

// ---- CountedUnique ----

/// The lexicographic order of the rows of a matrix. NaN comes after all numbers and is equal to itself.
struct RowOrder {
  Value rows;
  Dim width;
  Sign sign;
  bool isOnStrings;

  Value compareElements(ScalarBuilder &s, Order order, Value a, Value b) const {
    return isOnStrings ? compareStrings(s, order, a, b) : s.compare(order, a, b, sign);
  }
  Value isNaN(ScalarBuilder &s, Value element) const { return s.compare(Order::NotEqual, element, element); }
  /// Returns a negative number, 0 or a positive number.
  Value compare(ScalarBuilder &s, Value left, Value right) const;
  Value areEqual(ScalarBuilder &s, Value left, Value right) const {
    return s.compare(Order::Equal, compare(s, left, right), s.integer(s.builder.getI64Type(), 0));
  }
  /// Equal rows are ordered by their numbers.
  Value isBefore(ScalarBuilder &s, Value left, Value right) const {
    Value order = compare(s, left, right), zero = s.integer(s.builder.getI64Type(), 0);
    Value isEarlier = s.logicalAnd(s.compare(Order::Equal, order, zero), s.compare(Order::Less, left, right));
    return s.logicalOr(s.compare(Order::Less, order, zero), isEarlier);
  }
};

Value RowOrder::compare(ScalarBuilder &s, Value left, Value right) const {
  Type i64 = s.builder.getI64Type();
  return buildLoop(s, s.size(width), {s.integer(i64, 0)}, [&](ScalarBuilder &inner, Value column, ValueRange order) {
    Value a = inner.extract(rows, {left, column}), b = inner.extract(rows, {right, column});
    Value isLess = compareElements(inner, Order::Less, a, b), isEqual = compareElements(inner, Order::Equal, a, b);
    if (isa<FloatType>(a.getType())) {
      Value leftIsNaN = isNaN(inner, a), rightIsNaN = isNaN(inner, b);
      isLess = inner.logicalOr(isLess, inner.compare(Order::Less, leftIsNaN, rightIsNaN, Sign::Unsigned));
      isEqual = inner.logicalOr(isEqual, inner.logicalAnd(leftIsNaN, rightIsNaN));
    }
    Value here = inner.select(isLess, inner.integer(i64, -1),
                              inner.select(isEqual, inner.integer(i64, 0), inner.integer(i64, 1)));
    Value isOpen = inner.compare(Order::Equal, order[0], inner.integer(i64, 0));
    return Values{inner.select(isOpen, here, order[0])};
  })[0];
}

/// The distinct rows: `places` is the first row of each, `numbers` the distinct row that each row equals, `counts` how
/// often each occurs, and `count` how many there are.
struct DistinctRows {
  Value places, numbers, counts, count;
};

Value increase(ScalarBuilder &s, Value counts, Value number) {
  return insertElement(s, s.add(s.extract(counts, {number}), s.integer(s.builder.getI64Type(), 1)), counts, {number});
}

/// Finds the distinct rows in sorted order, by heap sort.
DistinctRows findInOrder(GenericBuilder &b, const RowOrder &order, const Dim &length) {
  ScalarBuilder s(b, b.getLoc());
  Value zero = s.indexConstant(0), one = s.indexConstant(1), count = s.size(length),
        levels = IndexHeap::countLevels(s, count);
  IndexHeap heap{[&](ScalarBuilder &inner, Value left, Value right) { return order.isBefore(inner, left, right); },
                 [](Value entry) { return SmallVector<Value>{entry}; }};
  Value all =
      buildLoop(s, count, {b.empty({length}, b.getI64Type())}, [&](ScalarBuilder &inner, Value at, ValueRange rows) {
        return Values{insertIndex(inner, at, rows[0], {at})};
      })[0];
  Value nothing = b.filled({length}, b.getI64IntegerAttr(0));
  Values start = {heap.build(s, all, count, levels), nothing, b.empty({length}, b.getI64Type()), nothing, zero};
  Values found = buildLoop(s, count, start, [&](ScalarBuilder &inner, Value at, ValueRange state) {
    Value row = heap.read(inner, state[0], zero), rest = inner.sub(inner.sub(count, at), one);
    Value left = heap.write(inner, heap.read(inner, state[0], rest), state[0], zero);
    left = heap.sink(inner, left, zero, rest, levels);
    // The previous row is the last distinct row; there is none at first.
    Value isFirst = inner.compare(Order::Equal, state[4], zero);
    Value before = inner.toIndex(inner.extract(state[1], {inner.select(isFirst, zero, inner.sub(state[4], one))}));
    Value isNew = inner.logicalOr(
        isFirst, inner.compare(Order::Equal, order.areEqual(inner, before, row), inner.integer(b.getI1Type(), 0)));
    Value more = inner.add(state[4], inner.select(isNew, one, zero)), number = inner.sub(more, one);
    Value places = insertIndex(inner, inner.select(isNew, row, before), state[1], {number});
    return Values{left, places, insertIndex(inner, number, state[2], {row}), increase(inner, state[3], number), more};
  });
  return {found[1], found[2], found[3], found[4]};
}

/// Renumbers the distinct rows in the order of their first occurrences.
DistinctRows numberAsTheyCome(GenericBuilder &b, const DistinctRows &sorted, const Dim &length) {
  ScalarBuilder s(b, b.getLoc());
  Value empty = b.empty({length}, b.getI64Type()), nothing = b.filled({length}, b.getI64IntegerAttr(0));
  Values start = {empty, empty, nothing, nothing, s.indexConstant(0)};
  Values found = buildLoop(s, s.size(length), start, [&](ScalarBuilder &inner, Value row, ValueRange state) {
    Value old = inner.toIndex(inner.extract(sorted.numbers, {row})),
          place = inner.toIndex(inner.extract(sorted.places, {old}));
    Value isNew = inner.compare(Order::Equal, place, row);
    Value number = inner.select(isNew, state[4], inner.toIndex(inner.extract(state[3], {old})));
    Value more = inner.add(state[4], inner.select(isNew, inner.indexConstant(1), inner.indexConstant(0)));
    return Values{insertIndex(inner, place, state[0], {number}), insertIndex(inner, number, state[1], {row}),
                  increase(inner, state[2], number), insertIndex(inner, number, state[3], {old}), more};
  });
  return {found[0], found[1], found[2], found[4]};
}

Lowered lowerUnique(onnx::CountedUniqueOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  Shape shape = shapeOf(x);
  Dim length = resultShape(op)[0], width = 1;
  Value rows;
  if (op.getAxis()) {
    int64_t axis = normalizeAxis(*op.getAxis(), rankOf(x));
    SmallVector<int64_t> permutation = {axis};
    for (int64_t other = 0; other < rankOf(x); ++other)
      if (other != axis) {
        permutation.push_back(other);
        width = width * shape[other];
      }
    rows = b.reshape(b.transpose(x, permutation), {length, width});
  } else {
    rows = b.reshape(x, {length, 1});
  }
  DistinctRows distinct = findInOrder(b, {rows, width, signOf(op.getX()), isString(op.getX().getType())}, length);
  if (!op.getSorted())
    distinct = numberAsTheyCome(b, distinct, length);
  ScalarBuilder s(b, b.getLoc());
  return Values{distinct.places, distinct.numbers, distinct.counts, countTensor(b, s, distinct.count)};
}

// ---- CountedNonMaxSuppression ----

/// Takes the candidates of a class in the order of their scores, and selects those that overlap no selected one, until
/// enough are selected: as in ONNX Runtime, with strict comparisons, and the first of equal scores first. Candidates
/// wait in a heap, because few are taken.
class BoxSelector {
public:
  BoxSelector(onnx::CountedNonMaxSuppressionOp op, Operands operands, GenericBuilder &b)
      : op(op), operands(operands), b(b), boxes(operands[0]), scores(operands[1]), spatial(shapeOf(scores)[2]) {}

  Lowered run();

private:
  Value scalar(ScalarBuilder &s, unsigned operand, TypedAttr absent) {
    if (!operands[operand])
      return s.constant(absent);
    SmallVector<Value> first(rankOf(operands[operand]), s.indexConstant(0));
    return s.extract(operands[operand], first);
  }
  Values selectClass(ScalarBuilder &s, Value batch, Value number, ValueRange state);
  Values listCandidates(ScalarBuilder &s, Value batch, Value number, Value list);
  Value isBefore(ScalarBuilder &s, Value batch, Value number, Value left, Value right);
  Value overlapsAny(ScalarBuilder &s, Value batch, Value selected, Value first, Value count, Value box);
  std::pair<SmallVector<Value, 2>, SmallVector<Value, 2>> corners(ScalarBuilder &s, Value batch, Value box);
  Value overlaps(ScalarBuilder &s, Value batch, Value left, Value right);

  onnx::CountedNonMaxSuppressionOp op;
  Operands operands;
  GenericBuilder &b;
  Value boxes, scores, limit, iouThreshold, scoreThreshold;
  Dim spatial;
};

/// Returns the boxes whose score is above the threshold, in order, and their number.
Values BoxSelector::listCandidates(ScalarBuilder &s, Value batch, Value number, Value list) {
  return buildLoop(
      s, s.size(spatial), {list, s.indexConstant(0)}, [&](ScalarBuilder &inner, Value box, ValueRange state) {
        Value score = inner.extract(scores, {batch, number, box});
        Value takes = inner.integer(b.getI1Type(), 1);
        if (operands[4])
          takes = inner.compare(Order::Greater, score, scoreThreshold);
        Value count = inner.add(state[1], inner.select(takes, inner.indexConstant(1), inner.indexConstant(0)));
        // Always in bounds: the list is never longer than the number of boxes visited.
        return Values{insertIndex(inner, box, state[0], {state[1]}), count};
      });
}

/// Whether box `left` comes before box `right`.
Value BoxSelector::isBefore(ScalarBuilder &s, Value batch, Value number, Value left, Value right) {
  Value a = s.extract(scores, {batch, number, left}), b = s.extract(scores, {batch, number, right});
  Value isFirst = s.logicalAnd(s.compare(Order::Equal, a, b), s.compare(Order::Less, left, right));
  return s.logicalOr(s.compare(Order::Greater, a, b), isFirst);
}

/// Returns the low and the high corner of a box.
std::pair<SmallVector<Value, 2>, SmallVector<Value, 2>> BoxSelector::corners(ScalarBuilder &s, Value batch, Value box) {
  SmallVector<Value, 2> low, high;
  for (int64_t axis = 0; axis < 2; ++axis) {
    Value a = s.extract(boxes, {batch, box, s.indexConstant(axis)});
    Value c = s.extract(boxes, {batch, box, s.indexConstant(axis + 2)});
    if (op.getCenterPointBox()) {
      Value half = s.mul(c, s.number(c.getType(), 0.5));
      low.push_back(s.sub(a, half));
      high.push_back(s.add(a, half));
    } else {
      low.push_back(s.min(a, c));
      high.push_back(s.max(a, c));
    }
  }
  return {low, high};
}

/// Whether intersection / union is above the threshold.
Value BoxSelector::overlaps(ScalarBuilder &s, Value batch, Value left, Value right) {
  auto [lowA, highA] = corners(s, batch, left);
  auto [lowB, highB] = corners(s, batch, right);
  Value zero = s.number(b.getF32Type(), 0), common;
  auto area = [&](ArrayRef<Value> low, ArrayRef<Value> high) {
    return s.mul(s.sub(high[0], low[0]), s.sub(high[1], low[1]));
  };
  for (int axis = 0; axis < 2; ++axis) {
    Value extent = s.max(s.sub(s.min(highA[axis], highB[axis]), s.max(lowA[axis], lowB[axis])), zero);
    common = common ? s.mul(common, extent) : extent;
  }
  Value areaA = area(lowA, highA), areaB = area(lowB, highB), both = s.sub(s.add(areaA, areaB), common);
  Value isBox = s.logicalAnd(s.compare(Order::Greater, areaA, zero), s.compare(Order::Greater, areaB, zero));
  isBox = s.logicalAnd(isBox, s.compare(Order::Greater, both, zero));
  return s.logicalAnd(isBox, s.compare(Order::Greater, s.div(common, both), iouThreshold));
}

/// Whether `box` overlaps one of the `count` boxes in the rows of `selected` from `first` on.
Value BoxSelector::overlapsAny(ScalarBuilder &s, Value batch, Value selected, Value first, Value count, Value box) {
  Value no = s.integer(b.getI1Type(), 0);
  return buildLoop(s, count, {no}, [&](ScalarBuilder &inner, Value at, ValueRange found) {
    return buildWhen(inner, inner.compare(Order::Equal, found[0], no), found, [&](ScalarBuilder &then, ValueRange) {
      Value other = then.toIndex(then.extract(selected, {then.add(first, at), then.indexConstant(2)}));
      return Values{overlaps(then, batch, other, box)};
    });
  })[0];
}

/// Selects the boxes of a class. `state` is the selected boxes and their number.
Values BoxSelector::selectClass(ScalarBuilder &s, Value batch, Value number, ValueRange state) {
  Values candidates = listCandidates(s, batch, number, b.empty({spatial}, b.getI64Type()));
  Value count = candidates[1], one = s.indexConstant(1), none = s.indexConstant(0);
  IndexHeap heap{
      [&](ScalarBuilder &inner, Value left, Value right) { return isBefore(inner, batch, number, left, right); },
      [](Value entry) { return SmallVector<Value>{entry}; }};
  Value levels = IndexHeap::countLevels(s, count);
  Values start = {state[0], state[1], heap.build(s, candidates[0], count, levels)};
  Values results = buildLoop(s, count, start, [&](ScalarBuilder &outer, Value taken, ValueRange carried) {
    Value shouldContinue = outer.compare(Order::Less, outer.sub(carried[1], state[1]), limit);
    return buildWhen(outer, shouldContinue, carried, [&](ScalarBuilder &then, ValueRange now) {
      Value left = then.sub(then.sub(count, one), taken), best = heap.read(then, now[2], none);
      Value rest = heap.write(then, heap.read(then, now[2], left), now[2], none);
      rest = heap.sink(then, rest, none, left, levels);
      Value overlapping = overlapsAny(then, batch, now[0], state[1], then.sub(now[1], state[1]), best),
            selected = now[0];
      SmallVector<Value, 3> row = {batch, number, best};
      for (auto [column, value] : llvm::enumerate(row))
        selected = insertIndex(then, value, selected, {now[1], then.indexConstant(column)});
      return Values{selected, then.add(now[1], then.select(overlapping, none, one)), rest};
    });
  });
  return {results[0], results[1]};
}

Lowered BoxSelector::run() {
  ScalarBuilder s(b, b.getLoc());
  Value selected = b.empty(resultShape(op), b.getI64Type());
  if (sizeOf(resultShape(op)) == 0)
    return Values{selected, b.filled({}, b.getI64IntegerAttr(0))};
  iouThreshold = scalar(s, 3, b.getF32FloatAttr(0));
  scoreThreshold = scalar(s, 4, b.getF32FloatAttr(0));
  Value most = s.max(scalar(s, 2, b.getI64IntegerAttr(0)), s.integer(b.getI64Type(), 0));
  limit = s.toIndex(s.min(most, s.size(spatial, b.getI64Type())));
  Values start = {selected, s.indexConstant(0)};
  Values results =
      buildLoop(s, s.size(shapeOf(scores)[0]), start, [&](ScalarBuilder &inner, Value batch, ValueRange outer) {
        return buildLoop(inner, inner.size(shapeOf(scores)[1]), outer,
                         [&](ScalarBuilder &deeper, Value number, ValueRange state) {
                           OpBuilder::InsertionGuard guard(b);
                           b.setInsertionPoint(deeper.builder.getInsertionBlock(), deeper.builder.getInsertionPoint());
                           return selectClass(deeper, batch, number, state);
                         });
      });
  return Values{results[0], countTensor(b, s, results[1])};
}

Lowered lowerNonMaxSuppression(onnx::CountedNonMaxSuppressionOp op, Operands operands, GenericBuilder &b) {
  return BoxSelector(op, operands, b).run();
}

} // namespace

void addCounted(LoweringTable &table) {
  table.add(lowerNonZero);
  table.add(lowerUnique);
  table.add(lowerNonMaxSuppression);
}

} // namespace cameo::lower
