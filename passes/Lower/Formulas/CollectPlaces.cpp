#include "passes/Lower/Formulas/CollectPlaces.h"

using namespace mlir;

namespace cameo::lower {

/// Places that one branch skips if none of them is taken, as in most blocks.
constexpr int64_t kBlock = 16;

Values collectPlaces(ScalarBuilder &s, Value count, Value list, Value size, OfPlace isTaken, OfPlace entryOf) {
  Value one = s.indexConstant(1), none = s.indexConstant(0), block = s.indexConstant(kBlock);
  Value no = s.integer(s.builder.getI1Type(), 0), blocks = s.div(count, block, Sign::Unsigned),
        behind = s.mul(blocks, block);
  auto collectPart = [&](ScalarBuilder &outer, Value begin, Value size, ValueRange before) {
    return buildLoop(outer, size, before, [&](ScalarBuilder &inner, Value at, ValueRange now) {
      // The entry is always written. If it does not count, the next one overwrites it.
      Value place = inner.add(begin, at);
      return Values{insertIndex(inner, entryOf(inner, place), now[0], {now[1]}),
                    inner.add(now[1], inner.select(isTaken(inner, place), one, none))};
    });
  };
  Values state = buildLoop(s, blocks, {list, size}, [&](ScalarBuilder &outer, Value number, ValueRange before) {
    Value begin = outer.mul(number, block);
    Value isAny = buildLoop(outer, block, {no}, [&](ScalarBuilder &inner, Value at, ValueRange found) {
      return Values{inner.logicalOr(found[0], isTaken(inner, inner.add(begin, at)))};
    })[0];
    return buildWhen(outer, isAny, before,
                     [&](ScalarBuilder &then, ValueRange now) { return collectPart(then, begin, block, now); });
  });
  return collectPart(s, behind, s.sub(count, behind), state);
}

} // namespace cameo::lower
