#include "passes/Lower/IndexHeap.h"

using namespace mlir;

namespace cameo::lower {

Value IndexHeap::countLevels(ScalarBuilder &s, Value count) {
  Value none = s.indexConstant(0), one = s.indexConstant(1), two = s.indexConstant(2);
  return buildLoop(s, s.indexConstant(63), {none, count}, [&](ScalarBuilder &inner, Value, ValueRange left) {
    Value isLeft = inner.compare(Order::Greater, left[1], none);
    return Values{inner.add(left[0], inner.select(isLeft, one, none)), inner.div(left[1], two, Sign::Unsigned)};
  })[0];
}

Value IndexHeap::build(ScalarBuilder &s, Value entries, Value count, Value levels) const {
  Value parents = s.div(count, s.indexConstant(2), Sign::Unsigned), last = s.sub(parents, s.indexConstant(1));
  return buildLoop(s, parents, {entries}, [&](ScalarBuilder &inner, Value at, ValueRange heap) {
    return Values{sink(inner, heap[0], inner.sub(last, at), count, levels)};
  })[0];
}

Value IndexHeap::sink(ScalarBuilder &s, Value heap, Value from, Value count, Value levels) const {
  return buildLoop(s, levels, {heap, from}, [&](ScalarBuilder &inner, Value, ValueRange state) {
    Value one = inner.indexConstant(1), left = inner.add(inner.add(state[1], state[1]), one);
    return buildWhen(inner, inner.compare(Order::Less, left, count), state, [&](ScalarBuilder &then, ValueRange now) {
      Value right = then.min(then.add(left, one), then.sub(count, one));
      Value child = then.select(isBefore(then, read(then, now[0], right), read(then, now[0], left)), right, left);
      Value above = read(then, now[0], now[1]), below = read(then, now[0], child), swaps = isBefore(then, below, above);
      Value swapped = write(then, then.select(swaps, below, above), now[0], now[1]);
      swapped = write(then, then.select(swaps, above, below), swapped, child);
      return Values{swapped, then.select(swaps, child, count)};
    });
  })[0];
}

} // namespace cameo::lower
