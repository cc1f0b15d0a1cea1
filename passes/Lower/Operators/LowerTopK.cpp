// The k best elements along an axis: a threshold that a few more than k elements reach, then these in order.
#include "passes/Lower/Formulas/CollectPlaces.h"
#include "passes/Lower/Formulas/FindExtremum.h"
#include "passes/Lower/Formulas/IndexHeap.h"
#include "passes/Lower/Formulas/OrderedKeys.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Candidates up to this number are ordered by counting for each how many come before it, which is one loop over
/// vectors; a heap orders more.
constexpr int64_t kMostCounted = 512;

/// Elements along an axis up to this number are all compared with each other. Along the last one, slices are no lanes.
constexpr int64_t kMostRanked = 32, kMostRankedInRow = 24;

/// Up to twice the best elements and this many candidates are expected; of more, many are equal.
constexpr int64_t kFewMore = 16;

/// Selects from one slice after the other. Elements become integers in order, so that all that follows is the same for
/// all types. Candidates are keys if elements fit into them, otherwise indices.
class TopSelector {
public:
  TopSelector(onnx::TopKOp op, Value data)
      : data(data), axis(normalizeAxis(op.getAxis(), rankOf(data))), extent(shapeOf(data)[axis]),
        shape(resultShape(op)), keys{op.getLargest() != 0, signOf(op.getX())},
        hasKeys(OrderedKeys::hold(elementOf(data))) {}

  Lowered run(GenericBuilder &b);

private:
  /// Tensors that the loops carry. `maxima` are those of columns, among which a threshold is found sooner.
  enum State { Values_, Indices, Orders, Maxima, Candidates };

  Values selectSlice(ScalarBuilder &s, ValueRange at, ValueRange state);
  Value orderElements(ScalarBuilder &s, ValueRange at, Value orders);
  Value findMaxima(ScalarBuilder &s, Value orders, Value maxima, Value columns);
  Value findThreshold(ScalarBuilder &s, Value orders, Value size);
  Values collectCandidates(ScalarBuilder &s, Value orders, Value threshold, Value list);
  Values writeCounted(ScalarBuilder &s, ValueRange at, Value orders, Value candidates, Value size, ValueRange results);
  Values writeFromHeap(ScalarBuilder &s, ValueRange at, Value orders, Value candidates, Value size, ValueRange results);
  Values writeBest(ScalarBuilder &s, ValueRange at, Value candidate, Value number, ValueRange results);
  Value isBefore(ScalarBuilder &s, Value orders, Value a, Value b);
  SmallVector<Value> inTensor(ValueRange at, Value number) {
    SmallVector<Value> place(at);
    place[axis] = number;
    return place;
  }
  Type orderType(ScalarBuilder &s) { return s.builder.getIntegerType(hasKeys ? 32 : 64); }
  /// Returns how many columns a row has if the number of best elements is known: so many that the best ones are rarely
  /// in the same column.
  int64_t columnCount() { return llvm::bit_ceil<uint64_t>(std::max<int64_t>(4 * shape[axis].getSize(), 64)); }
  bool hasColumns() { return shape[axis].isStatic() && (!extent.isStatic() || extent.getSize() >= 2 * columnCount()); }
  /// Whether a row may have more candidates than are worth comparing with each other.
  bool mayBeCrowded() {
    return !extent.isStatic() || !shape[axis].isStatic() || extent.getSize() > 2 * shape[axis].getSize() + kFewMore;
  }
  /// More candidates than the best elements that end the search for a threshold.
  int64_t spare() { return shape[axis].isStatic() ? shape[axis].getSize() / 4 + 4 : 16; }

  Value data;
  int64_t axis;
  Dim extent;
  Shape shape;
  OrderedKeys keys;
  bool hasKeys;
};

/// Whether candidate `a` comes before candidate `b`.
Value TopSelector::isBefore(ScalarBuilder &s, Value orders, Value a, Value b) {
  if (hasKeys)
    return s.compare(Order::Greater, a, b);
  Value x = s.extract(orders, {a}), y = s.extract(orders, {b});
  Value isFirst = s.logicalAnd(s.compare(Order::Equal, x, y), s.compare(Order::Less, a, b));
  return s.logicalOr(s.compare(Order::Greater, x, y), isFirst);
}

Value TopSelector::orderElements(ScalarBuilder &s, ValueRange at, Value orders) {
  return buildLoop(s, s.size(extent), {orders}, [&](ScalarBuilder &inner, Value place, ValueRange now) {
    Value element = inner.extract(data, inTensor(at, place));
    return Values{insertElement(inner, keys.orderOf(inner, element), now[0], {place})};
  })[0];
}

/// Returns the maxima of columns: at least as many elements as columns reach any threshold that columns reach.
Value TopSelector::findMaxima(ScalarBuilder &s, Value orders, Value maxima, Value columns) {
  Value count = s.size(extent), rows = s.div(count, columns, Sign::Unsigned), one = s.indexConstant(1);
  maxima = buildLoop(s, columns, {maxima}, [&](ScalarBuilder &inner, Value column, ValueRange now) {
    return Values{insertElement(inner, inner.extract(orders, {column}), now[0], {column})};
  })[0];
  auto addRow = [&](ScalarBuilder &outer, Value row, Value size, Value before) {
    Value begin = outer.mul(row, columns);
    return buildLoop(outer, size, {before}, [&](ScalarBuilder &inner, Value column, ValueRange now) {
      Value order = inner.extract(orders, {inner.add(begin, column)});
      Value most = inner.max(order, inner.extract(now[0], {column}));
      return Values{insertElement(inner, most, now[0], {column})};
    });
  };
  maxima = buildLoop(s, s.sub(rows, one), {maxima}, [&](ScalarBuilder &outer, Value row, ValueRange now) {
    return addRow(outer, outer.add(row, one), columns, now[0]);
  })[0];
  return addRow(s, rows, s.sub(count, s.mul(rows, columns)), maxima)[0];
}

/// Returns a number that at least k of the first `size` orders reach, by bisection, which ends where few more reach it.
/// The greatest order is tried first: it is the best one of k = 1, and of many equal ones.
Value TopSelector::findThreshold(ScalarBuilder &s, Value orders, Value size) {
  Type type = orderType(s);
  Value none = s.indexConstant(0), one = s.integer(type, 1), zero = s.integer(type, 0);
  Value wanted = s.size(shape[axis], type), most = s.add(wanted, s.integer(type, spare()));
  Value first = s.extract(orders, {none});
  Values range = buildLoop(s, size, {first, first}, [&](ScalarBuilder &inner, Value at, ValueRange now) {
    Value order = inner.extract(orders, {at});
    return Values{inner.min(order, now[0]), inner.max(order, now[1])};
  });
  Values start = {range[0], range[1], range[1], s.fromIndex(size, type)};
  // One more pass than an order has bits.
  Value passes = s.indexConstant(type.getIntOrFloatBitWidth() + 1);
  return buildLoop(s, passes, start, [&](ScalarBuilder &outer, Value, ValueRange state) {
    Value isOpen = outer.logicalAnd(outer.compare(Order::Greater, state[3], most, Sign::Unsigned),
                                    outer.compare(Order::Less, state[0], state[1]));
    return buildWhen(outer, isOpen, state, [&](ScalarBuilder &then, ValueRange now) {
      Value low = now[0], high = now[1], tried = now[2];
      Value count = buildLoop(then, size, {zero}, [&](ScalarBuilder &inner, Value at, ValueRange counted) {
        Value reaches = inner.compare(Order::GreaterOrEqual, inner.extract(orders, {at}), tried);
        return Values{inner.add(counted[0], inner.select(reaches, one, zero))};
      })[0];
      Value isEnough = then.compare(Order::GreaterOrEqual, count, wanted, Sign::Unsigned);
      low = then.select(isEnough, tried, low);
      high = then.select(isEnough, high, then.sub(tried, one));
      // Half of the distance, rounded up, is no overflow.
      Value distance = then.sub(high, low), half = then.apply<arith::ShRUIOp>(distance, one);
      Value next = then.add(low, then.add(half, then.logicalAnd(distance, one)));
      return Values{low, high, next, then.select(isEnough, count, now[3])};
    });
  })[0];
}

Values TopSelector::writeBest(ScalarBuilder &s, ValueRange at, Value candidate, Value number, ValueRange results) {
  Value place = hasKeys ? OrderedKeys::placeOf(s, candidate) : candidate;
  return {insertElement(s, s.extract(data, inTensor(at, place)), results[0], inTensor(at, number)),
          insertIndex(s, place, results[1], inTensor(at, number))};
}

Values TopSelector::writeCounted(ScalarBuilder &s, ValueRange at, Value orders, Value candidates, Value size,
                                 ValueRange results) {
  Value none = s.indexConstant(0), one = s.indexConstant(1), wanted = s.size(shape[axis]);
  auto read = [&](ScalarBuilder &inner, Value number) { return inner.toIndex(inner.extract(candidates, {number})); };
  return buildLoop(s, size, results, [&](ScalarBuilder &outer, Value number, ValueRange before) {
    Value candidate = read(outer, number);
    Value rank = buildLoop(outer, size, {none}, [&](ScalarBuilder &inner, Value other, ValueRange counted) {
      Value isAhead = isBefore(inner, orders, read(inner, other), candidate);
      return Values{inner.add(counted[0], inner.select(isAhead, one, none))};
    })[0];
    return buildWhen(outer, outer.compare(Order::Less, rank, wanted), before,
                     [&](ScalarBuilder &then, ValueRange now) { return writeBest(then, at, candidate, rank, now); });
  });
}

Values TopSelector::writeFromHeap(ScalarBuilder &s, ValueRange at, Value orders, Value candidates, Value size,
                                  ValueRange results) {
  IndexHeap heap{[&](ScalarBuilder &inner, Value a, Value b) { return isBefore(inner, orders, a, b); },
                 [](Value entry) { return SmallVector<Value>{entry}; }};
  Value none = s.indexConstant(0), last = s.sub(size, s.indexConstant(1)), levels = IndexHeap::countLevels(s, size);
  Values start = {results[0], results[1], heap.build(s, candidates, size, levels)};
  Values state = buildLoop(s, s.size(shape[axis]), start, [&](ScalarBuilder &inner, Value number, ValueRange now) {
    Value left = inner.sub(last, number), top = heap.read(inner, now[2], none);
    Value moved = heap.write(inner, heap.read(inner, now[2], left), now[2], none);
    Values next = writeBest(inner, at, top, number, now.take_front(2));
    next.push_back(heap.sink(inner, moved, none, left, levels));
    return next;
  });
  return state;
}

/// Returns the candidates, and their number. Of many elements that equal the threshold only the first ones are among
/// the best.
Values TopSelector::collectCandidates(ScalarBuilder &s, Value orders, Value threshold, Value list) {
  auto collect = [&](ScalarBuilder &outer, Order order, Value into, Value size) {
    return collectPlaces(
        outer, outer.size(extent), into, size,
        [&](ScalarBuilder &inner, Value place) {
          return inner.compare(order, inner.extract(orders, {place}), threshold);
        },
        [&](ScalarBuilder &inner, Value place) {
          return hasKeys ? OrderedKeys::keyOf(inner, inner.extract(orders, {place}), place) : place;
        });
  };
  Value none = s.indexConstant(0), wanted = s.size(shape[axis]);
  Values all = collect(s, Order::GreaterOrEqual, list, none);
  if (!mayBeCrowded())
    return all;
  Value many = s.add(s.add(wanted, wanted), s.indexConstant(kFewMore));
  return buildWhen(s, s.compare(Order::Greater, all[1], many), all, [&](ScalarBuilder &then, ValueRange now) {
    Values above = collect(then, Order::Greater, now[0], none), equal = collect(then, Order::Equal, above[0], above[1]);
    return Values{equal[0], then.min(equal[1], then.max(above[1], wanted))};
  });
}

Values TopSelector::selectSlice(ScalarBuilder &s, ValueRange at, ValueRange state) {
  Value orders = orderElements(s, at, state[Orders]), maxima = state[Maxima], count = s.size(extent), threshold;
  if (hasColumns()) {
    Value columns = s.indexConstant(columnCount());
    columns = s.select(s.compare(Order::Less, count, s.indexConstant(2 * columnCount())), count, columns);
    maxima = findMaxima(s, orders, maxima, columns);
    threshold = findThreshold(s, maxima, columns);
  } else {
    threshold = findThreshold(s, orders, count);
  }
  Values found = collectCandidates(s, orders, threshold, state[Candidates]);
  Value size = found[1], candidates = found[0];
  Values written = {state[Values_], state[Indices], candidates};
  Value isCounted = s.compare(Order::LessOrEqual, size, s.indexConstant(kMostCounted));
  written = buildWhen(s, isCounted, written, [&](ScalarBuilder &then, ValueRange now) {
    Values next = writeCounted(then, at, orders, now[2], size, now.take_front(2));
    next.push_back(now[2]);
    return next;
  });
  if (!extent.isStatic() || extent.getSize() > kMostCounted) {
    Value isSorted = s.compare(Order::Greater, size, s.indexConstant(kMostCounted));
    written = buildWhen(s, isSorted, written, [&](ScalarBuilder &then, ValueRange now) {
      return writeFromHeap(then, at, orders, now[2], size, now.take_front(2));
    });
  }
  return {written[0], written[1], orders, maxima, written[2]};
}

Lowered TopSelector::run(GenericBuilder &b) {
  Values results = {b.empty(shape, elementOf(data)), b.empty(shape, b.getI64Type())};
  if (sizeOf(shape) == 0)
    return results;
  ScalarBuilder s(b, b.getLoc());
  Values state = results;
  Dim columns = !hasColumns() ? Dim(1) : extent.isStatic() ? Dim(columnCount()) : Dim(2 * columnCount());
  state.push_back(b.empty({extent}, orderType(s)));
  state.push_back(b.empty({columns}, orderType(s)));
  // What does not count is written behind the candidates, which may be all elements.
  state.push_back(b.empty({mayBeCrowded() ? extent + 1 : extent}, b.getI64Type()));
  Shape slices = shape;
  slices[axis] = 1;
  Values found = buildLoops(s, slices, state, [&](ScalarBuilder &inner, ValueRange at, ValueRange carried) {
    if (shape[axis].isStatic())
      return selectSlice(inner, at, carried);
    Value isWanted = inner.compare(Order::Greater, inner.size(shape[axis]), inner.indexConstant(0));
    return buildWhen(inner, isWanted, carried,
                     [&](ScalarBuilder &then, ValueRange now) { return selectSlice(then, at, now); });
  });
  return Values{found[0], found[1]};
}

/// One element along the axis is an extremum, which is found without a list of candidates.
Lowered selectOne(onnx::TopKOp op, Value data, GenericBuilder &b) {
  bool isLargest = op.getLargest() != 0;
  Choice choice{{isLargest, signOf(op.getX()), /*prefersNaN=*/isLargest}};
  Found found = findExtremum(b, data, normalizeAxis(op.getAxis(), rankOf(data)), choice);
  return Values{found.value, found.index};
}

/// Counts for each element of a short axis how many come before it, which is its place in the result. Slices are lanes.
Lowered selectByRank(onnx::TopKOp op, Value data, GenericBuilder &b) {
  unsigned rank = rankOf(data), axis = normalizeAxis(op.getAxis(), rank);
  OrderedKeys keys{op.getLargest() != 0, signOf(op.getX())};
  Type type = b.getIntegerType(OrderedKeys::hold(elementOf(data)) ? 32 : 64);
  Value orders = b.map(shapeOf(data), type, {b.whole(data)},
                       [&](ScalarBuilder &s, ValueRange x) { return keys.orderOf(s, x[0]); });
  Exprs own = b.dims(rank), others = own;
  others[axis] = b.dim(rank);
  Value none = b.filled(shapeOf(data), b.getIntegerAttr(type, 0));
  Value ranks =
      b.generic({rank, 1}, {{orders, own}, {orders, others}}, {{none, own}}, [&](ScalarBuilder &s, ValueRange x) {
        Value isEarlier = s.compare(Order::Less, s.position(rank), s.position(axis));
        Value isAhead = s.logicalOr(s.compare(Order::Greater, x[1], x[0]),
                                    s.logicalAnd(s.compare(Order::Equal, x[1], x[0]), isEarlier));
        return Values{s.add(x[2], s.select(isAhead, s.integer(type, 1), s.integer(type, 0)))};
      })[0];
  Shape shape = resultShape(op);
  Type element = elementOf(data), i64 = b.getI64Type();
  Value values = b.filled(shape, b.getZeroAttr(element)), indices = b.filled(shape, b.getI64IntegerAttr(0));
  return b.generic({rank, 1}, {{ranks, others}, {data, others}}, {{values, own}, {indices, own}},
                   [&](ScalarBuilder &s, ValueRange x) {
                     Value isHere = s.compare(Order::Equal, x[0], s.fromIndex(s.position(axis), type));
                     return Values{s.select(isHere, x[1], x[2]),
                                   s.select(isHere, s.fromIndex(s.position(rank), i64), x[3])};
                   });
}

Lowered lowerTopK(onnx::TopKOp op, Operands operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  int64_t axis = normalizeAxis(op.getAxis(), shape.size());
  if (shape[axis] == 1)
    return selectOne(op, operands[0], b);
  Dim extent = shapeOf(operands[0])[axis];
  int64_t most = axis + 1 == rankOf(operands[0]) ? kMostRankedInRow : kMostRanked;
  bool isShort = extent.isStatic() && shape[axis].isStatic() && extent.getSize() <= most;
  return isShort ? selectByRank(op, operands[0], b) : TopSelector(op, operands[0]).run(b);
}

} // namespace

void addTopSelections(LoweringTable &table) { table.add(lowerTopK); }

} // namespace cameo::lower
