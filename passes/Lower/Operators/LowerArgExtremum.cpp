// Indices of extrema: a reduction that carries the value and its index, and a heap for the k best.
#include "passes/Lower/Formulas/Extremum.h"
#include "passes/Lower/Formulas/IndexHeap.h"
#include "passes/Lower/Formulas/OrderedKeys.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The best elements so far and their indices (i64), in tensors of one shape.
struct Found {
  Value value, index;
};

/// Which of the best elements counts.
struct Choice {
  Extremum extremum;
  bool takesLast = false;

  /// Whether an element replaces the best one, which has a lower index.
  Value replaces(ScalarBuilder &s, Value element, Value best) const {
    return takesLast ? extremum.isAsGood(s, element, best) : extremum.isBetter(s, element, best);
  }
};

Found findNothing(GenericBuilder &b, ShapeRef shape, Type type, const Choice &choice) {
  Sign sign = choice.extremum.sign;
  TypedAttr worst = choice.extremum.isMax ? lowestAttr(type, sign) : highestAttr(type, sign);
  return {b.filled(shape, worst), b.filled(shape, b.getI64IntegerAttr(0))};
}

/// Continues a search along an axis, which `before` has with size 1. The first element has index `first`.
Found findAlong(GenericBuilder &b, Value data, int64_t axis, int64_t first, const Found &before, const Choice &choice) {
  int64_t rank = rankOf(data);
  Exprs target;
  for (int64_t at = 0; at < rank; ++at)
    target.push_back(at == axis ? b.fixed(0) : b.dim(at < axis ? at : at - 1));
  Values found = b.generic({static_cast<unsigned>(rank - 1), 1}, {{data, b.reducedIndex(rank, {axis})}},
                           {{before.value, target}, {before.index, target}}, [&](ScalarBuilder &s, ValueRange x) {
                             Value takes = choice.replaces(s, x[0], x[1]);
                             Value position = s.fromIndex(s.position(rank - 1), b.getI64Type());
                             if (first != 0)
                               position = s.add(position, s.integer(b.getI64Type(), first));
                             return Values{s.select(takes, x[0], x[1]), s.select(takes, position, x[2])};
                           });
  return {found[0], found[1]};
}

/// Columns of a long row: more than any processor has lanes and additions on the way.
constexpr int64_t kColumns = 64;

/// Searches rows of `extent` elements, as there are few of in the logits of a decoder, column by column, so that
/// columns are lanes; then the best of the columns, and what remains of the row.
Value findInColumns(GenericBuilder &b, Value data, int64_t rows, int64_t extent, const Choice &choice) {
  Type type = elementOf(data);
  int64_t steps = extent / kColumns, whole = steps * kColumns;
  Value flat = b.reshape(data, {rows, extent});
  auto cut = [&](int64_t begin, int64_t size) {
    SmallVector<OpFoldResult> offsets = {b.getIndexAttr(0), b.getIndexAttr(begin)};
    return size == extent ? flat : b.sliceAt(flat, offsets, {rows, size}, {1, 1});
  };
  Value columns = b.reshape(cut(0, whole), {rows, steps, kColumns});
  Found each = findAlong(b, columns, 1, 0, findNothing(b, {rows, 1, kColumns}, type, choice), choice);
  Found start = findNothing(b, {rows, 1}, type, choice);
  Exprs read = {b.dim(0), b.dim(1)}, target = {b.dim(0), b.fixed(0)};
  Values best = b.generic(
      {1, 1}, {{b.reshape(each.value, {rows, kColumns}), read}, {b.reshape(each.index, {rows, kColumns}), read}},
      {{start.value, target}, {start.index, target}}, [&](ScalarBuilder &s, ValueRange x) {
        Value column = s.fromIndex(s.position(1), b.getI64Type());
        Value index = s.add(s.mul(x[1], s.integer(b.getI64Type(), kColumns)), column);
        Value isOther = s.compare(choice.takesLast ? Order::Greater : Order::Less, index, x[3]);
        Value takes = s.logicalOr(choice.extremum.isBetter(s, x[0], x[2]),
                                  s.logicalAnd(choice.extremum.areEqual(s, x[0], x[2]), isOther));
        return Values{s.select(takes, x[0], x[2]), s.select(takes, index, x[3])};
      });
  Found found{best[0], best[1]};
  if (whole < extent)
    found = findAlong(b, cut(whole, extent - whole), 1, whole, found, choice);
  return found.index;
}

/// Returns the index (i64) of the extremum along the axis, which is kept with size 1.
Value findExtremum(GenericBuilder &b, Value data, int64_t axis, const Choice &choice) {
  Shape shape = shapeOf(data);
  Dim extent = shape[axis];
  shape[axis] = 1;
  auto isOne = [](const Dim &dim) { return dim == 1; };
  // Columns of many rows would be lanes, too.
  if (Dim rows = sizeOf(shape); isStatic(shapeOf(data)) && rows.getSize() > 0 && rows.getSize() <= 4 &&
                                extent.getSize() >= 16 * kColumns &&
                                llvm::all_of(ShapeRef(shape).drop_front(axis), isOne))
    return b.reshape(findInColumns(b, data, rows.getSize(), extent.getSize(), choice), shape);
  return findAlong(b, data, axis, 0, findNothing(b, shape, elementOf(data), choice), choice).index;
}

template <typename OpTy> Lowered lowerArgExtremum(OpTy op, Operands operands, GenericBuilder &b) {
  Choice choice{{isa<onnx::ArgMaxOp>(op), signOf(op.getData())}, op.getSelectLastIndex() != 0};
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  return one(b.reshape(findExtremum(b, operands[0], axis, choice), resultShape(op)));
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

/// Selects the k best elements along one axis into the result of indices. NaN is greater than all numbers. The best so
/// far form a heap with the worst at the top, which is replaced by each better element. At the end the tops are removed
/// one by one and written in reverse order. Entries of the heap are keys if elements fit into them, otherwise indices.
class TopSelector {
public:
  TopSelector(onnx::TopKOp op, Value data)
      : extremum{op.getLargest() != 0, signOf(op.getX()), /*prefersNaN=*/op.getLargest() != 0}, data(data),
        axis(normalizeAxis(op.getAxis(), rankOf(data))), shape(resultShape(op)), keys{extremum.isMax, extremum.sign},
        hasKeys(OrderedKeys::hold(elementOf(data))) {}

  Lowered run(GenericBuilder &b);

private:
  /// Returns values and indices of the slice at `at`.
  Values selectSlice(ScalarBuilder &s, ValueRange at, ValueRange state);
  Value readAt(ScalarBuilder &s, const IndexHeap &heap, Value place) { return s.extract(data, heap.placeOf(place)); }
  Value entryAt(ScalarBuilder &s, const IndexHeap &heap, Value place) {
    return hasKeys ? keys.keyOf(s, readAt(s, heap, place), place) : place;
  }
  Value placeOf(ScalarBuilder &s, Value entry) { return hasKeys ? OrderedKeys::placeOf(s, entry) : entry; }
  Value replaceTops(ScalarBuilder &s, const IndexHeap &heap, Value best, Value count, Value levels);
  Value sortHeap(ScalarBuilder &s, const IndexHeap &heap, Value best, Value count, Value levels);

  Extremum extremum;
  Value data;
  int64_t axis;
  Shape shape;
  OrderedKeys keys;
  bool hasKeys;
};

/// Lets each element behind the first `count` replace the top of the heap if it is better; of equal elements the first
/// stay. Few elements are better, so one branch skips a block without any.
Value TopSelector::replaceTops(ScalarBuilder &s, const IndexHeap &heap, Value best, Value count, Value levels) {
  constexpr int64_t blockSize = 8;
  Value none = s.indexConstant(0), block = s.indexConstant(blockSize),
        others = s.sub(s.size(shapeOf(data)[axis]), count);
  others = s.select(s.compare(Order::Greater, count, none), others, none);
  auto elements = [&](ScalarBuilder &inner, Value index, Value top) {
    return std::pair(readAt(inner, heap, index), readAt(inner, heap, placeOf(inner, top)));
  };
  auto beats = [&](ScalarBuilder &inner, Value index, Value top) {
    auto [element, best] = elements(inner, index, top);
    return extremum.isBetter(inner, element, best);
  };
  auto mayBeat = [&](ScalarBuilder &inner, Value index, Value top) {
    auto [element, best] = elements(inner, index, top);
    return extremum.mayBeBetter(inner, element, best);
  };
  auto replaceTop = [&](ScalarBuilder &inner, Value index, ValueRange state) {
    return buildWhen(inner, beats(inner, index, heap.read(inner, state[0], none)), state,
                     [&](ScalarBuilder &then, ValueRange now) {
                       return Values{heap.sink(then, heap.write(then, entryAt(then, heap, index), now[0], none), none,
                                               count, levels)};
                     });
  };
  Value blocks = s.div(others, block, Sign::Unsigned), behind = s.add(count, s.mul(blocks, block));
  best = buildLoop(s, blocks, {best}, [&](ScalarBuilder &inner, Value number, ValueRange state) {
    Value begin = inner.add(count, inner.mul(number, block)), top = heap.read(inner, state[0], none),
          isAny = mayBeat(inner, begin, top);
    for (int64_t at = 1; at < blockSize; ++at)
      isAny = inner.logicalOr(isAny, mayBeat(inner, inner.add(begin, inner.indexConstant(at)), top));
    return buildWhen(inner, isAny, state, [&](ScalarBuilder &then, ValueRange now) {
      return buildLoop(then, block, now, [&](ScalarBuilder &each, Value at, ValueRange current) {
        return replaceTop(each, each.add(begin, at), current);
      });
    });
  })[0];
  return buildLoop(s, s.sub(others, s.mul(blocks, block)), {best},
                   [&](ScalarBuilder &inner, Value at, ValueRange state) {
                     return replaceTop(inner, inner.add(behind, at), state);
                   })[0];
}

Value TopSelector::sortHeap(ScalarBuilder &s, const IndexHeap &heap, Value best, Value count, Value levels) {
  Value none = s.indexConstant(0), last = s.sub(count, s.indexConstant(1));
  return buildLoop(s, count, {best}, [&](ScalarBuilder &inner, Value at, ValueRange state) {
    Value left = inner.sub(last, at);
    Value top = heap.read(inner, state[0], none), end = heap.read(inner, state[0], left);
    Value moved = heap.write(inner, top, heap.write(inner, end, state[0], none), left);
    return Values{heap.sink(inner, moved, none, left, levels)};
  })[0];
}

Values TopSelector::selectSlice(ScalarBuilder &s, ValueRange at, ValueRange state) {
  auto inTensor = [&](Value number) {
    SmallVector<Value> place(at);
    place[axis] = number;
    return place;
  };
  auto comesAfter = [&](ScalarBuilder &inner, Value a, Value b) {
    if (hasKeys)
      return inner.compare(Order::Less, a, b);
    Value x = inner.extract(data, inTensor(a)), y = inner.extract(data, inTensor(b));
    Value isLater = inner.logicalAnd(extremum.areEqual(inner, x, y), inner.compare(Order::Greater, a, b));
    return inner.logicalOr(extremum.isBetter(inner, y, x), isLater);
  };
  IndexHeap heap{comesAfter, inTensor};
  Value count = s.size(shape[axis]), levels = IndexHeap::countLevels(s, count);
  Value first = buildLoop(s, count, {state[1]}, [&](ScalarBuilder &inner, Value entry, ValueRange indices) {
    return Values{heap.write(inner, entryAt(inner, heap, entry), indices[0], entry)};
  })[0];
  Value best = replaceTops(s, heap, heap.build(s, first, count, levels), count, levels);
  Value sorted = sortHeap(s, heap, best, count, levels);
  return buildLoop(s, count, {state[0], sorted}, [&](ScalarBuilder &inner, Value number, ValueRange found) {
    Value place = placeOf(inner, heap.read(inner, found[1], number));
    return Values{insertElement(inner, readAt(inner, heap, place), found[0], inTensor(number)),
                  heap.write(inner, place, found[1], number)};
  });
}

Lowered TopSelector::run(GenericBuilder &b) {
  Values state = {b.empty(shape, elementOf(data)), b.empty(shape, b.getI64Type())};
  if (sizeOf(shape) == 0)
    return state;
  ScalarBuilder s(b, b.getLoc());
  Shape slices = shape;
  slices[axis] = 1;
  return buildLoops(s, slices, state, [&](ScalarBuilder &inner, ValueRange at, ValueRange carried) {
    return selectSlice(inner, at, carried);
  });
}

Lowered lowerTopK(onnx::TopKOp op, Operands operands, GenericBuilder &b) { return TopSelector(op, operands[0]).run(b); }

} // namespace

void addArgExtrema(LoweringTable &table) {
  table.add(lowerArgExtremum<onnx::ArgMaxOp>);
  table.add(lowerArgExtremum<onnx::ArgMinOp>);
  table.add(lowerHardmax);
  table.add(lowerTopK);
}

} // namespace cameo::lower
