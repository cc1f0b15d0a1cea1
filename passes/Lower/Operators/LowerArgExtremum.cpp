// Indices of extrema: a reduction that carries the value and its index, and a heap for the k best.
#include "passes/Lower/Formulas/Extremum.h"
#include "passes/Lower/Formulas/IndexHeap.h"
#include "passes/Lower/Formulas/OrderedKeys.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Returns the index (i64) of the extremum along the axis, which is kept with size 1.
Value findExtremum(GenericBuilder &b, Value data, int64_t axis, const Extremum &extremum, bool takesLast = false) {
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
  return b.generic(loops, {{data, b.reducedIndex(rank, {axis})}}, {values, indices},
                   [&](ScalarBuilder &s, ValueRange x) {
                     Value takes = takesLast ? extremum.isAsGood(s, x[0], x[1]) : extremum.isBetter(s, x[0], x[1]);
                     Value position = s.fromIndex(s.position(rank - 1), b.getI64Type());
                     return Values{s.select(takes, x[0], x[1]), s.select(takes, position, x[2])};
                   })[1];
}

template <typename OpTy> Lowered lowerArgExtremum(OpTy op, Operands operands, GenericBuilder &b) {
  Extremum extremum{isa<onnx::ArgMaxOp>(op), signOf(op.getData())};
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  return one(b.reshape(findExtremum(b, operands[0], axis, extremum, op.getSelectLastIndex() != 0), resultShape(op)));
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
