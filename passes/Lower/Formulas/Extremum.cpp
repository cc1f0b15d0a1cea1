#include "passes/Lower/Formulas/Extremum.h"

using namespace mlir;

namespace cameo::lower {

Value Extremum::isBetter(ScalarBuilder &s, Value a, Value b) const {
  if (!isa<FloatType>(a.getType()))
    return s.compare(isMax ? Order::Greater : Order::Less, a, b, sign);
  Value mayBe = s.apply<arith::CmpFOp>(isMax ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT, a, b);
  Value worseIfNaN = prefersNaN ? b : a;
  return s.logicalAnd(mayBe, s.apply<arith::CmpFOp>(arith::CmpFPredicate::ORD, worseIfNaN, worseIfNaN));
}

Value Extremum::isAsGood(ScalarBuilder &s, Value a, Value b) const {
  Value isAsGood = s.compare(isMax ? Order::GreaterOrEqual : Order::LessOrEqual, a, b, sign);
  return isa<FloatType>(a.getType()) ? s.logicalOr(isAsGood, s.isNaN(a)) : isAsGood;
}

Value Extremum::areEqual(ScalarBuilder &s, Value a, Value b) const {
  Value areEqual = s.compare(Order::Equal, a, b);
  return isa<FloatType>(a.getType()) ? s.logicalOr(areEqual, s.logicalAnd(s.isNaN(a), s.isNaN(b))) : areEqual;
}

} // namespace cameo::lower
