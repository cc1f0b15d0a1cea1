// Results of data-dependent sizes: loops write one entry after the other into the largest possible result, and count.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/Formulas/CollectPlaces.h"
#include "passes/Lower/Formulas/IndexHeap.h"
#include "passes/Lower/Formulas/OrderedKeys.h"
#include "passes/Lower/Formulas/SortPlaces.h"
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

/// As many elements or fewer are sorted sooner by a heap than by digits, which count how often each of 256 occurs.
constexpr int64_t kMostInHeap = 16;

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

/// Finds the distinct rows from all rows in order, which `next` returns one after the other. It also gets, and returns
/// the next state of, a tensor of its own.
DistinctRows findInOrder(GenericBuilder &b, const RowOrder &order, const Dim &length, Value own,
                         llvm::function_ref<Values(ScalarBuilder &, Value at, Value own)> next) {
  ScalarBuilder s(b, b.getLoc());
  Value zero = s.indexConstant(0), one = s.indexConstant(1), isDifferent = s.integer(b.getI1Type(), 0);
  Value nothing = b.filled({length}, b.getI64IntegerAttr(0));
  // The last distinct row, and the number of rows before it, stay in registers.
  Values start = {own, nothing, b.empty({length}, b.getI64Type()), nothing, zero, zero, zero};
  Values found = buildLoop(s, s.size(length), start, [&](ScalarBuilder &inner, Value at, ValueRange state) {
    Values taken = next(inner, at, state[0]);
    Value row = taken[1], isFirst = inner.compare(Order::Equal, at, zero);
    Value isNew =
        inner.logicalOr(isFirst, inner.compare(Order::Equal, order.areEqual(inner, state[5], row), isDifferent));
    Value last = inner.select(isNew, row, state[5]), begin = inner.select(isNew, at, state[6]);
    Value more = inner.add(state[4], inner.select(isNew, one, zero)), number = inner.sub(more, one);
    Value count = inner.sub(inner.add(at, one), begin);
    return Values{taken[0],
                  insertIndex(inner, last, state[1], {number}),
                  insertIndex(inner, number, state[2], {row}),
                  insertIndex(inner, count, state[3], {number}),
                  more,
                  last,
                  begin};
  });
  return {found[1], found[2], found[3], found[4]};
}

/// Finds the distinct rows in sorted order, by heap sort.
DistinctRows findByHeap(GenericBuilder &b, const RowOrder &order, const Dim &length) {
  ScalarBuilder s(b, b.getLoc());
  Value zero = s.indexConstant(0), one = s.indexConstant(1), count = s.size(length),
        levels = IndexHeap::countLevels(s, count);
  IndexHeap heap{[&](ScalarBuilder &inner, Value left, Value right) { return order.isBefore(inner, left, right); },
                 [](Value entry) { return SmallVector<Value>{entry}; }};
  Value all =
      buildLoop(s, count, {b.empty({length}, b.getI64Type())}, [&](ScalarBuilder &inner, Value at, ValueRange rows) {
        return Values{insertIndex(inner, at, rows[0], {at})};
      })[0];
  return findInOrder(b, order, length, heap.build(s, all, count, levels),
                     [&](ScalarBuilder &inner, Value at, Value entries) {
                       Value row = heap.read(inner, entries, zero), rest = inner.sub(inner.sub(count, at), one);
                       Value left = heap.write(inner, heap.read(inner, entries, rest), entries, zero);
                       return Values{heap.sink(inner, left, zero, rest, levels), row};
                     });
}

/// Finds the distinct elements in sorted order, by their digits.
DistinctRows findByDigits(GenericBuilder &b, const RowOrder &order, const Dim &length) {
  OrderedKeys keys{/*prefersGreater=*/true, order.sign};
  SortedPlaces sorted = sortPlaces(b, length, [&](ScalarBuilder &inner, Value place) {
    return keys.orderOf(inner, inner.extract(order.rows, {place, inner.indexConstant(0)}));
  });
  return findInOrder(b, order, length, sorted.places, [&](ScalarBuilder &inner, Value at, Value places) {
    return Values{places, SortedPlaces{places, sorted.row}.read(inner, at)};
  });
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
  // True comes after false, so its bit is no sign.
  Sign sign = elementOf(x).isInteger(1) ? Sign::Unsigned : signOf(op.getX());
  RowOrder order{rows, width, sign, isString(op.getX().getType())};
  bool hasDigits = !order.isOnStrings && width.isStatic() && width.getSize() == 1;
  bool isShort = length.isStatic() && length.getSize() <= kMostInHeap;
  DistinctRows distinct = hasDigits && !isShort ? findByDigits(b, order, length) : findByHeap(b, order, length);
  if (!op.getSorted())
    distinct = numberAsTheyCome(b, distinct, length);
  ScalarBuilder s(b, b.getLoc());
  return Values{distinct.places, distinct.numbers, distinct.counts, countTensor(b, s, distinct.count)};
}

// ---- CountedNonMaxSuppression ----

/// Takes the candidates of a class in the order of their scores, and selects those that overlap no selected one, until
/// enough are selected: as in ONNX Runtime, with strict comparisons, and the first of equal scores first. Candidates
/// wait in a heap, because few are taken, as keys. The corners and areas of selected boxes are side by side, so that a
/// box is compared with vectors of them.
class BoxSelector {
public:
  BoxSelector(onnx::CountedNonMaxSuppressionOp op, Operands operands, GenericBuilder &b)
      : op(op), operands(operands), b(b), boxes(operands[0]), scores(operands[1]), spatial(shapeOf(scores)[2]) {}

  Lowered run();

private:
  /// The low and the high corner of a box, and its area.
  enum Measure { LowY, LowX, HighY, HighX, Area, MeasureCount };
  using Box = SmallVector<Value, MeasureCount>;

  Value scalar(ScalarBuilder &s, unsigned operand, TypedAttr absent) {
    if (!operands[operand])
      return s.constant(absent);
    SmallVector<Value> first(rankOf(operands[operand]), s.indexConstant(0));
    return s.extract(operands[operand], first);
  }
  Values selectClass(ScalarBuilder &s, Value batch, Value number, ValueRange state);
  Values listCandidates(ScalarBuilder &s, Value batch, Value number, Value list);
  Value overlapsAny(ScalarBuilder &s, Value selected, Value count, const Box &box);
  Box measure(ScalarBuilder &s, Value batch, Value box);
  Value overlaps(ScalarBuilder &s, const Box &left, const Box &right);

  onnx::CountedNonMaxSuppressionOp op;
  Operands operands;
  GenericBuilder &b;
  Value boxes, scores, limit, iouThreshold, scoreThreshold;
  Dim spatial;
  OrderedKeys keys{/*prefersGreater=*/true, Sign::Signed};
};

/// Returns the keys of the boxes whose score is above the threshold, and their number.
Values BoxSelector::listCandidates(ScalarBuilder &s, Value batch, Value number, Value list) {
  auto scoreOf = [&](ScalarBuilder &inner, Value box) { return inner.extract(scores, {batch, number, box}); };
  return collectPlaces(
      s, s.size(spatial), list, s.indexConstant(0),
      [&](ScalarBuilder &inner, Value box) {
        return operands[4] ? inner.compare(Order::Greater, scoreOf(inner, box), scoreThreshold)
                           : inner.integer(b.getI1Type(), 1);
      },
      [&](ScalarBuilder &inner, Value box) {
        return OrderedKeys::keyOf(inner, keys.orderOf(inner, scoreOf(inner, box)), box);
      });
}

BoxSelector::Box BoxSelector::measure(ScalarBuilder &s, Value batch, Value box) {
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
  return {low[0], low[1], high[0], high[1], s.mul(s.sub(high[0], low[0]), s.sub(high[1], low[1]))};
}

/// Whether intersection / union is above the threshold.
Value BoxSelector::overlaps(ScalarBuilder &s, const Box &left, const Box &right) {
  Value zero = s.number(b.getF32Type(), 0), common;
  for (auto [low, high] : {std::pair(LowY, HighY), std::pair(LowX, HighX)}) {
    Value extent = s.max(s.sub(s.min(left[high], right[high]), s.max(left[low], right[low])), zero);
    common = common ? s.mul(common, extent) : extent;
  }
  Value both = s.sub(s.add(left[Area], right[Area]), common);
  Value isBox = s.logicalAnd(s.compare(Order::Greater, left[Area], zero), s.compare(Order::Greater, right[Area], zero));
  isBox = s.logicalAnd(isBox, s.compare(Order::Greater, both, zero));
  return s.logicalAnd(isBox, s.compare(Order::Greater, s.div(common, both), iouThreshold));
}

/// Whether `box` overlaps one of the `count` boxes in the columns of `selected`.
Value BoxSelector::overlapsAny(ScalarBuilder &s, Value selected, Value count, const Box &box) {
  return buildLoop(s, count, {s.integer(b.getI1Type(), 0)}, [&](ScalarBuilder &inner, Value at, ValueRange found) {
    Box other;
    for (int64_t row = 0; row < MeasureCount; ++row)
      other.push_back(inner.extract(selected, {inner.indexConstant(row), at}));
    return Values{inner.logicalOr(found[0], overlaps(inner, other, box))};
  })[0];
}

/// Selects the boxes of a class. `state` is the selected boxes and their number.
Values BoxSelector::selectClass(ScalarBuilder &s, Value batch, Value number, ValueRange state) {
  Values candidates = listCandidates(s, batch, number, b.empty({spatial}, b.getI64Type()));
  Value count = candidates[1], one = s.indexConstant(1), none = s.indexConstant(0);
  IndexHeap heap{
      [](ScalarBuilder &inner, Value left, Value right) { return inner.compare(Order::Greater, left, right); },
      [](Value entry) { return SmallVector<Value>{entry}; }};
  Value levels = IndexHeap::countLevels(s, count);
  Values start = {state[0], state[1], heap.build(s, candidates[0], count, levels),
                  b.empty({MeasureCount, spatial}, b.getF32Type())};
  Values results = buildLoop(s, count, start, [&](ScalarBuilder &outer, Value taken, ValueRange carried) {
    Value shouldContinue = outer.compare(Order::Less, outer.sub(carried[1], state[1]), limit);
    return buildWhen(outer, shouldContinue, carried, [&](ScalarBuilder &then, ValueRange now) {
      Value left = then.sub(then.sub(count, one), taken),
            best = OrderedKeys::placeOf(then, heap.read(then, now[2], none));
      Value rest = heap.write(then, heap.read(then, now[2], left), now[2], none);
      rest = heap.sink(then, rest, none, left, levels);
      // The box is always written. If it is not selected, the next one overwrites it.
      Box box = measure(then, batch, best);
      Value place = then.sub(now[1], state[1]), overlapping = overlapsAny(then, now[3], place, box), selected = now[0],
            measures = now[3];
      SmallVector<Value, 3> row = {batch, number, best};
      for (auto [column, value] : llvm::enumerate(row))
        selected = insertIndex(then, value, selected, {now[1], then.indexConstant(column)});
      for (auto [column, value] : llvm::enumerate(box))
        measures = insertElement(then, value, measures, {then.indexConstant(column), place});
      return Values{selected, then.add(now[1], then.select(overlapping, none, one)), rest, measures};
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
