// Builds scalar arithmetic in the bodies of linalg.generic. Each operation has one name; the element type decides
// between arith's integer and float forms. Signless integers do not say whether they are signed, so the caller does.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_SCALARBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_SCALARBUILDER_H

#include "dialects/Onnx/DimList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace cameo::lower {

using cameo::Dim;

enum class Order { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

/// Whether an integer is signed or unsigned.
enum class Sign { Signed, Unsigned };

/// Returns the type to compute in: f32 for narrower floats, otherwise the type itself.
mlir::Type computeType(mlir::Type type);

/// Return the least number of a type (minus infinity for floats) and the greatest (infinity).
mlir::TypedAttr lowestAttr(mlir::Type type, Sign sign = Sign::Signed);
mlir::TypedAttr highestAttr(mlir::Type type, Sign sign = Sign::Signed);
/// Returns the number as an attribute of an integer or float type.
mlir::TypedAttr numberAttr(mlir::Type type, double number);

class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  template <typename OpTy, typename... Args> mlir::Value apply(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...)->getResult(0);
  }

  mlir::Value constant(mlir::TypedAttr value) { return apply<mlir::arith::ConstantOp>(value); }
  mlir::Value number(mlir::Type type, double number) { return constant(numberAttr(type, number)); }
  mlir::Value integer(mlir::Type type, int64_t value) { return constant(builder.getIntegerAttr(type, value)); }
  mlir::Value indexConstant(int64_t value) { return integer(builder.getIndexType(), value); }
  /// Returns a size as an index, or as a number of another type.
  mlir::Value size(const Dim &dim);
  mlir::Value size(const Dim &dim, mlir::Type type);
  /// Returns the induction variable of loop `dim` of the surrounding linalg.generic.
  mlir::Value position(unsigned dim) { return apply<mlir::linalg::IndexOp>(static_cast<int64_t>(dim)); }

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Returns the quotient. It is truncated for integers, and an unspecified value, but not undefined behaviour, if b is
  /// 0.
  mlir::Value div(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  /// Returns the remainder with the sign of a.
  mlir::Value rem(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  /// Return NaN if either operand is NaN.
  mlir::Value max(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  mlir::Value min(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  mlir::Value negate(mlir::Value a);
  mlir::Value abs(mlir::Value a, Sign sign = Sign::Signed);
  /// Returns false if an operand is NaN, except for NotEqual.
  mlir::Value compare(Order order, mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b) { return apply<mlir::arith::AndIOp>(a, b); }
  mlir::Value logicalOr(mlir::Value a, mlir::Value b) { return apply<mlir::arith::OrIOp>(a, b); }
  mlir::Value isNaN(mlir::Value a) { return apply<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::UNO, a, a); }

  mlir::Value exp(mlir::Value a);
  mlir::Value log(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);
  mlir::Value tanh(mlir::Value a);
  /// Returns 1 / (1 + exp(-a)). An overflow of the exponential gives 0, never NaN.
  mlir::Value sigmoid(mlir::Value a);
  /// Returns log(1 + exp(a)).
  mlir::Value softplus(mlir::Value a);
  mlir::Value pow(mlir::Value a, mlir::Value b);
  /// Returns a to a power that is a constant.
  mlir::Value pow(mlir::Value a, double exponent);

  /// Converts narrow floats to f32; returns others unchanged.
  mlir::Value widen(mlir::Value a);
  /// Converts as ONNX's Cast: floats to integers by truncation with saturation (NaN gives 0), from and to booleans by
  /// comparison with zero.
  mlir::Value convert(mlir::Value a, mlir::Type to, Sign from = Sign::Signed, Sign toSign = Sign::Signed);
  /// Converts an integer of any width to index.
  mlir::Value toIndex(mlir::Value a, Sign sign = Sign::Signed);
  mlir::Value fromIndex(mlir::Value a, mlir::Type type);
  /// Adds `extent` to negative indices, then clamps to [0, extent).
  mlir::Value wrapIndex(mlir::Value a, const Dim &extent);
  /// Clamps an index to [0, extent).
  mlir::Value clampIndex(mlir::Value a, const Dim &extent);
  /// Returns the element of a tensor at these indices, which must be in bounds.
  mlir::Value extract(mlir::Value tensor, mlir::ValueRange indices);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  mlir::Value convertFloat(mlir::Value a, mlir::FloatType to);
  mlir::Value floatToInteger(mlir::Value a, mlir::IntegerType to, Sign sign);
  mlir::Value integerToFloat(mlir::Value a, mlir::FloatType to, Sign sign);
};

} // namespace cameo::lower

#endif
