#include "passes/Lower/Formulas/SortPlaces.h"

using namespace mlir;

namespace cameo::lower {

/// A pass sorts by this many bits: the counters of its digits stay in the first-level cache.
constexpr int64_t kDigitBits = 8, kDigits = int64_t(1) << kDigitBits;

namespace {

/// Sorts by one digit after the other, beginning with the lowest. Keys and places have two rows each: a pass moves the
/// entries from one row to the other.
class DigitSort {
public:
  DigitSort(GenericBuilder &b, const Dim &length) : b(b), s(b, b.getLoc()), length(length), count(s.size(length)) {}

  SortedPlaces run(OfPlace orderOf);

private:
  Value digitOf(ScalarBuilder &s, Value key, Value shift);
  Value countPasses(Value range);
  Value findStarts(ScalarBuilder &s, Value keys, Value from, Value shift, Value counters);
  Values movePass(ScalarBuilder &s, Value pass, ValueRange state);

  GenericBuilder &b;
  ScalarBuilder s;
  Dim length;
  Value count, least;
};

} // namespace

/// Keys are distances from the least one, so that numbers that are close together have few digits.
Value DigitSort::digitOf(ScalarBuilder &inner, Value key, Value shift) {
  Value shifted = inner.apply<arith::ShRUIOp>(inner.sub(key, least), shift);
  return inner.toIndex(inner.logicalAnd(shifted, inner.integer(b.getI64Type(), kDigits - 1)));
}

Value DigitSort::countPasses(Value range) {
  Value none = s.indexConstant(0), one = s.indexConstant(1);
  Value digit = s.integer(b.getI64Type(), kDigitBits), zero = s.integer(b.getI64Type(), 0);
  return buildLoop(
      s, s.indexConstant(64 / kDigitBits), {none, range}, [&](ScalarBuilder &inner, Value, ValueRange left) {
        Value isLeft = inner.compare(Order::NotEqual, left[1], zero);
        return Values{inner.add(left[0], inner.select(isLeft, one, none)), inner.apply<arith::ShRUIOp>(left[1], digit)};
      })[0];
}

/// Returns where the entries of each digit begin.
Value DigitSort::findStarts(ScalarBuilder &outer, Value keys, Value from, Value shift, Value counters) {
  Value digits = outer.indexConstant(kDigits), zero = outer.integer(b.getI64Type(), 0),
        one = outer.integer(b.getI64Type(), 1);
  counters = buildLoop(outer, digits, {counters}, [&](ScalarBuilder &inner, Value digit, ValueRange now) {
    return Values{insertElement(inner, zero, now[0], {digit})};
  })[0];
  counters = buildLoop(outer, count, {counters}, [&](ScalarBuilder &inner, Value at, ValueRange now) {
    Value digit = digitOf(inner, inner.extract(keys, {from, at}), shift);
    return Values{insertElement(inner, inner.add(inner.extract(now[0], {digit}), one), now[0], {digit})};
  })[0];
  return buildLoop(outer, digits, {counters, zero}, [&](ScalarBuilder &inner, Value digit, ValueRange now) {
    Value next = inner.add(now[1], inner.extract(now[0], {digit}));
    return Values{insertElement(inner, now[1], now[0], {digit}), next};
  })[0];
}

Values DigitSort::movePass(ScalarBuilder &outer, Value pass, ValueRange state) {
  Value one = outer.indexConstant(1), from = outer.apply<arith::AndIOp>(pass, one), to = outer.sub(one, from);
  Value shift = outer.fromIndex(outer.mul(pass, outer.indexConstant(kDigitBits)), b.getI64Type());
  Value starts = findStarts(outer, state[0], from, shift, state[2]);
  return buildLoop(outer, count, {state[0], state[1], starts}, [&](ScalarBuilder &inner, Value at, ValueRange now) {
    Value key = inner.extract(now[0], {from, at}), place = inner.extract(now[1], {from, at});
    Value digit = digitOf(inner, key, shift), next = inner.toIndex(inner.extract(now[2], {digit}));
    return Values{insertElement(inner, key, now[0], {to, next}), insertElement(inner, place, now[1], {to, next}),
                  insertIndex(inner, inner.add(next, inner.indexConstant(1)), now[2], {digit})};
  });
}

SortedPlaces DigitSort::run(OfPlace orderOf) {
  Type i64 = b.getI64Type();
  Values start = {b.empty({2, length}, i64), b.empty({2, length}, i64),
                  s.constant(b.getI64IntegerAttr(std::numeric_limits<int64_t>::max())),
                  s.constant(b.getI64IntegerAttr(std::numeric_limits<int64_t>::min()))};
  Value none = s.indexConstant(0);
  Values read = buildLoop(s, count, start, [&](ScalarBuilder &inner, Value place, ValueRange now) {
    Value order = orderOf(inner, place);
    Value key = order.getType() == i64 ? order : inner.apply<arith::ExtSIOp>(i64, order);
    return Values{insertElement(inner, key, now[0], {none, place}), insertIndex(inner, place, now[1], {none, place}),
                  inner.min(key, now[2]), inner.max(key, now[3])};
  });
  least = read[2];
  Value passes = countPasses(s.sub(read[3], least));
  Values state = {read[0], read[1], b.empty({kDigits}, i64)};
  Value places = buildLoop(s, passes, state, [&](ScalarBuilder &inner, Value pass, ValueRange now) {
    return movePass(inner, pass, now);
  })[1];
  return {places, s.apply<arith::AndIOp>(passes, s.indexConstant(1))};
}

SortedPlaces sortPlaces(GenericBuilder &b, const Dim &length, OfPlace orderOf) {
  return DigitSort(b, length).run(orderOf);
}

} // namespace cameo::lower
