// Arithmetic; conversions are in ConvertScalar.cpp.
#include "passes/Lower/Builders/ScalarBuilder.h"

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;

namespace cameo::lower {

static bool isFloat(Value value) { return isa<FloatType>(value.getType()); }

Type computeType(Type type) { return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type; }

TypedAttr lowestAttr(Type type, Sign sign) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat::getInf(floating.getFloatSemantics(), /*Negative=*/true));
  unsigned bits = type.getIntOrFloatBitWidth();
  bool isSigned = sign == Sign::Signed && bits > 1;
  return IntegerAttr::get(type, isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits));
}

TypedAttr highestAttr(Type type, Sign sign) {
  if (auto floating = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat::getInf(floating.getFloatSemantics()));
  unsigned bits = type.getIntOrFloatBitWidth();
  bool isSigned = sign == Sign::Signed && bits > 1;
  return IntegerAttr::get(type, isSigned ? APInt::getSignedMaxValue(bits) : APInt::getAllOnes(bits));
}

TypedAttr numberAttr(Type type, double number) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, number);
  return IntegerAttr::get(type, static_cast<int64_t>(number));
}

Value ScalarBuilder::add(Value a, Value b) {
  return isFloat(a) ? apply<arith::AddFOp>(a, b) : apply<arith::AddIOp>(a, b);
}

Value ScalarBuilder::sub(Value a, Value b) {
  return isFloat(a) ? apply<arith::SubFOp>(a, b) : apply<arith::SubIOp>(a, b);
}

Value ScalarBuilder::mul(Value a, Value b) {
  return isFloat(a) ? apply<arith::MulFOp>(a, b) : apply<arith::MulIOp>(a, b);
}

Value ScalarBuilder::div(Value a, Value b, Sign sign) {
  if (isFloat(a))
    return apply<arith::DivFOp>(a, b);
  Value zero = integer(a.getType(), 0), one = integer(a.getType(), 1);
  Value byZero = compare(Order::Equal, b, zero);
  if (sign == Sign::Unsigned)
    return apply<arith::DivUIOp>(a, select(byZero, one, b));
  // The least number divided by -1 overflows, so a division by -1 becomes a negation, which wraps.
  Value byMinusOne = compare(Order::Equal, b, integer(a.getType(), -1));
  Value quotient = apply<arith::DivSIOp>(a, select(logicalOr(byZero, byMinusOne), one, b));
  return select(byMinusOne, sub(zero, a), quotient);
}

Value ScalarBuilder::rem(Value a, Value b, Sign sign) {
  if (isFloat(a))
    return apply<arith::RemFOp>(a, b);
  Value zero = integer(a.getType(), 0), one = integer(a.getType(), 1);
  Value unsafe = compare(Order::Equal, b, zero);
  if (sign == Sign::Unsigned)
    return apply<arith::RemUIOp>(a, select(unsafe, one, b));
  unsafe = logicalOr(unsafe, compare(Order::Equal, b, integer(a.getType(), -1)));
  return apply<arith::RemSIOp>(a, select(unsafe, one, b));
}

Value ScalarBuilder::max(Value a, Value b, Sign sign) {
  if (isFloat(a))
    return apply<arith::MaximumFOp>(a, b);
  if (a.getType().isInteger(1))
    return logicalOr(a, b);
  return sign == Sign::Signed ? apply<arith::MaxSIOp>(a, b) : apply<arith::MaxUIOp>(a, b);
}

Value ScalarBuilder::min(Value a, Value b, Sign sign) {
  if (isFloat(a))
    return apply<arith::MinimumFOp>(a, b);
  if (a.getType().isInteger(1))
    return logicalAnd(a, b);
  return sign == Sign::Signed ? apply<arith::MinSIOp>(a, b) : apply<arith::MinUIOp>(a, b);
}

Value ScalarBuilder::negate(Value a) { return isFloat(a) ? apply<arith::NegFOp>(a) : sub(integer(a.getType(), 0), a); }

Value ScalarBuilder::abs(Value a, Sign sign) {
  if (isFloat(a))
    return apply<math::AbsFOp>(a);
  return sign == Sign::Unsigned ? a : max(a, negate(a));
}

Value ScalarBuilder::compare(Order order, Value a, Value b, Sign sign) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  bool isSigned = sign == Sign::Signed;
  auto make = [&](F floating, I integer) {
    return isFloat(a) ? apply<arith::CmpFOp>(floating, a, b) : apply<arith::CmpIOp>(integer, a, b);
  };
  switch (order) {
  case Order::Equal:
    return make(F::OEQ, I::eq);
  case Order::NotEqual:
    return make(F::UNE, I::ne);
  case Order::Less:
    return make(F::OLT, isSigned ? I::slt : I::ult);
  case Order::LessOrEqual:
    return make(F::OLE, isSigned ? I::sle : I::ule);
  case Order::Greater:
    return make(F::OGT, isSigned ? I::sgt : I::ugt);
  case Order::GreaterOrEqual:
    return make(F::OGE, isSigned ? I::sge : I::uge);
  }
  llvm_unreachable("all orders are handled");
}

Value ScalarBuilder::select(Value condition, Value a, Value b) { return apply<arith::SelectOp>(condition, a, b); }
Value ScalarBuilder::exp(Value a) { return apply<math::ExpOp>(a); }
Value ScalarBuilder::log(Value a) { return apply<math::LogOp>(a); }
Value ScalarBuilder::sqrt(Value a) { return apply<math::SqrtOp>(a); }
Value ScalarBuilder::tanh(Value a) { return apply<math::TanhOp>(a); }

Value ScalarBuilder::sigmoid(Value a) {
  Value one = number(a.getType(), 1);
  if (!a.getType().isF32())
    return div(one, add(one, exp(negate(a))));
  // A reciprocal estimate with a Newton step costs a quarter of a division and is wrong for infinity only. LLVM
  // generates it for a division with these fast-math flags. Below the logarithm of the smallest normal number the
  // result is set to zero: products with it would be subnormal, and slow.
  Value limit = number(a.getType(), -87.33654), isBeyond = compare(Order::Less, a, limit);
  auto division = arith::DivFOp::create(builder, loc, one, add(one, exp(negate(select(isBeyond, limit, a)))));
  division.setFastmath(arith::FastMathFlags::arcp | arith::FastMathFlags::ninf | arith::FastMathFlags::contract);
  return select(isBeyond, number(a.getType(), 0), division);
}

Value ScalarBuilder::softplus(Value a) {
  // exp(a) overflows where the result is a.
  Value small = apply<math::Log1pOp>(exp(negate(abs(a))));
  return add(max(a, number(a.getType(), 0)), small);
}

Value ScalarBuilder::pow(Value a, Value b) { return apply<math::PowFOp>(a, b); }

/// Returns the square root, except for minus zero and minus infinity, for which it returns what pow() does (ISO/IEC
/// 9899:2018, F.10.4.4).
static Value powerOfHalf(ScalarBuilder &s, Value a) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value root = s.sqrt(s.add(a, s.number(a.getType(), 0)));
  return s.select(s.compare(Order::Equal, a, s.number(a.getType(), -infinity)), s.number(a.getType(), infinity), root);
}

Value ScalarBuilder::pow(Value a, double exponent) {
  if (exponent == 1)
    return a;
  if (exponent == 2)
    return mul(a, a);
  if (exponent == 3)
    return mul(mul(a, a), a);
  if (exponent == 0.5)
    return powerOfHalf(*this, a);
  if (exponent == -0.5)
    return div(number(a.getType(), 1), powerOfHalf(*this, a));
  if (exponent == 0.75) {
    Value root = powerOfHalf(*this, a);
    return mul(root, sqrt(root));
  }
  if (exponent == -1)
    return div(number(a.getType(), 1), a);
  return pow(a, number(a.getType(), exponent));
}

Value ScalarBuilder::size(const Dim &dim) {
  return dim.isStatic() ? indexConstant(dim.getSize()) : apply<task::SizeOp>(builder.getIndexType(), dim.getExpr());
}

Value ScalarBuilder::size(const Dim &dim, Type type) {
  return dim.isStatic() ? number(type, dim.getSize()) : fromIndex(size(dim), type);
}

Value ScalarBuilder::clampIndex(Value a, const Dim &extent) {
  Value limited = min(a, extent == 0 ? indexConstant(0) : size(extent - 1));
  return max(limited, indexConstant(0));
}

Value ScalarBuilder::wrapIndex(Value a, const Dim &extent) {
  Value negative = compare(Order::Less, a, indexConstant(0));
  return clampIndex(select(negative, add(a, size(extent)), a), extent);
}

Value ScalarBuilder::extract(Value tensor, ValueRange indices) { return apply<tensor::ExtractOp>(tensor, indices); }

} // namespace cameo::lower
