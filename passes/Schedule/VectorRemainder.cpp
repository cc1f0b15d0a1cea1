// Remainders, from the quotient in float64.
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

/// Below 2^28 the quotient rounds to no integer that it does not reach, and all further steps are exact.
static constexpr double quotientLimit = 1 << 28;

Value VectorMath::nearRemainder(Value x, Value y) {
  Value wideX = widened(x), wideY = widened(y);
  auto integers = VectorType::get(type.getShape(), builder.getI32Type());
  Value whole =
      arith::FPToSIOp::create(builder, loc, integers, arith::DivFOp::create(builder, loc, wideX, wideY).getResult());
  Value multiple =
      arith::MulFOp::create(builder, loc, arith::SIToFPOp::create(builder, loc, wideX.getType(), whole), wideY);
  Value rest =
      arith::TruncFOp::create(builder, loc, type, arith::SubFOp::create(builder, loc, wideX, multiple).getResult());
  // An infinite divisor has no multiples.
  Value isWhole = isGreater(magnitude(y), magnitude(x));
  return arith::SelectOp::create(builder, loc, isWhole, x, withSign(rest, x));
}

Value VectorMath::remainder(Value x, Value y) {
  Value limit = arith::MulFOp::create(builder, loc, magnitude(y), constant(quotientLimit));
  Value beyond = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UGE, magnitude(x), limit);
  return laneByLane(
      beyond,
      [&](int64_t lane) -> Value {
        return arith::RemFOp::create(builder, loc, vector::ExtractOp::create(builder, loc, x, lane),
                                     vector::ExtractOp::create(builder, loc, y, lane));
      },
      [&] { return nearRemainder(x, y); });
}

} // namespace cameo::schedule
