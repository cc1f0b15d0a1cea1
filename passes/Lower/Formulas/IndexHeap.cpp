#include "passes/Lower/Formulas/IndexHeap.h"

using namespace mlir;

namespace cameo::lower {

/// Children of an entry. A heap with four has half as many levels as one with two, and each level costs one memory
/// latency.
constexpr int64_t children = 4;

Value IndexHeap::countLevels(ScalarBuilder &s, Value count) {
  Value none = s.indexConstant(0), one = s.indexConstant(1);
  return buildLoop(s, s.indexConstant(32), {none, count}, [&](ScalarBuilder &inner, Value, ValueRange left) {
    Value isLeft = inner.compare(Order::Greater, left[1], none);
    return Values{inner.add(left[0], inner.select(isLeft, one, none)),
                  inner.div(left[1], inner.indexConstant(children), Sign::Unsigned)};
  })[0];
}

Value IndexHeap::build(ScalarBuilder &s, Value entries, Value count, Value levels) const {
  Value parents = s.div(s.add(count, s.indexConstant(children - 2)), s.indexConstant(children), Sign::Unsigned);
  Value last = s.sub(parents, s.indexConstant(1));
  return buildLoop(s, parents, {entries}, [&](ScalarBuilder &inner, Value at, ValueRange heap) {
    return Values{sink(inner, heap[0], inner.sub(last, at), count, levels)};
  })[0];
}

Value IndexHeap::sink(ScalarBuilder &s, Value heap, Value from, Value count, Value levels) const {
  // The sinking entry stays in a register, so each level waits only for the loads of its children.
  Value sinking = read(s, heap, from), last = s.sub(count, s.indexConstant(1));
  return buildLoop(s, levels, {heap, from}, [&](ScalarBuilder &inner, Value, ValueRange state) {
    Value first = inner.add(inner.mul(state[1], inner.indexConstant(children)), inner.indexConstant(1));
    return buildWhen(inner, inner.compare(Order::Less, first, count), state, [&](ScalarBuilder &then, ValueRange now) {
      // The last entry replaces missing children.
      SmallVector<std::pair<Value, Value>, children> below;
      for (int64_t number = 0; number < children; ++number) {
        Value place = number == 0 ? first : then.min(then.add(first, then.indexConstant(number)), last);
        below.push_back({place, read(then, now[0], place)});
      }
      for (size_t half = children / 2; half > 0; half /= 2)
        for (size_t number = 0; number < half; ++number) {
          auto [place, entry] = below[number];
          auto [otherPlace, otherEntry] = below[number + half];
          Value takesOther = isBefore(then, otherEntry, entry);
          below[number] = {then.select(takesOther, otherPlace, place), then.select(takesOther, otherEntry, entry)};
        }
      auto [child, entry] = below.front();
      Value swaps = isBefore(then, entry, sinking);
      Value swapped = write(then, then.select(swaps, entry, sinking), now[0], now[1]);
      swapped = write(then, then.select(swaps, sinking, entry), swapped, child);
      return Values{swapped, then.select(swaps, child, count)};
    });
  })[0];
}

} // namespace cameo::lower
