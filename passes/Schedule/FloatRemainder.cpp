// Long division: subtracts multiples of |y| by powers of two from |x|, the largest first. Each difference is exact,
// because the remainder is less than twice the multiple.
#include "passes/Schedule/FloatRemainder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace cameo::schedule {

Value createRemainder(OpBuilder &builder, Location loc, Value x, Value y) {
  Type type = x.getType();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value));
  };
  auto compare = [&](OpBuilder &b, arith::CmpFPredicate predicate, Value a, Value c) -> Value {
    return arith::CmpFOp::create(b, loc, predicate, a, c);
  };
  Value a = math::AbsFOp::create(builder, loc, x), b = math::AbsFOp::create(builder, loc, y), half = constant(0.5),
        zero = constant(0);
  Value infinity = constant(std::numeric_limits<double>::infinity()),
        nan = constant(std::numeric_limits<double>::quiet_NaN());
  Value isDefined = arith::AndIOp::create(builder, loc, compare(builder, arith::CmpFPredicate::OLT, a, infinity),
                                          compare(builder, arith::CmpFPredicate::OGT, b, zero));
  // Both loops have no iterations if the result does not need a division.
  Value isDivided =
      arith::AndIOp::create(builder, loc, isDefined, compare(builder, arith::CmpFPredicate::OLT, b, infinity));
  Value limit = arith::SelectOp::create(builder, loc, isDivided, arith::MulFOp::create(builder, loc, a, half), zero);
  Value divisor = arith::SelectOp::create(builder, loc, isDivided, b, infinity);
  auto grow = scf::WhileOp::create(
      builder, loc, TypeRange(type), ValueRange(divisor),
      [&](OpBuilder &inner, Location, ValueRange multiple) {
        scf::ConditionOp::create(inner, loc, compare(inner, arith::CmpFPredicate::OLE, multiple[0], limit), multiple);
      },
      [&](OpBuilder &inner, Location, ValueRange multiple) {
        scf::YieldOp::create(inner, loc, arith::AddFOp::create(inner, loc, multiple[0], multiple[0]).getResult());
      });
  Value first = arith::SelectOp::create(builder, loc, isDivided, grow.getResult(0), zero);
  auto shrink = scf::WhileOp::create(
      builder, loc, TypeRange{type, type}, ValueRange{a, first},
      [&](OpBuilder &inner, Location, ValueRange values) {
        scf::ConditionOp::create(inner, loc, compare(inner, arith::CmpFPredicate::OGE, values[1], divisor), values);
      },
      [&](OpBuilder &inner, Location, ValueRange values) {
        Value less = arith::SubFOp::create(inner, loc, values[0], values[1]);
        Value fits = compare(inner, arith::CmpFPredicate::OGE, values[0], values[1]);
        Value left = arith::SelectOp::create(inner, loc, fits, less, values[0]);
        scf::YieldOp::create(inner, loc, ValueRange{left, arith::MulFOp::create(inner, loc, values[1], half)});
      });
  Value result = arith::SelectOp::create(builder, loc, isDefined, shrink.getResult(0), nan);
  return math::CopySignOp::create(builder, loc, result, x);
}

} // namespace cameo::schedule
