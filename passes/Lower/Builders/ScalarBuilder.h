// Scalar arithmetic in the bodies of linalg.generic: one name per operation, the element type decides between arith's
// integer and float forms. Signless integers do not say how they are to be read, so the caller does.
#ifndef CAMEO_PASSES_LOWER_BUILDERS_SCALARBUILDER_H
#define CAMEO_PASSES_LOWER_BUILDERS_SCALARBUILDER_H

#include "dialects/Onnx/DimList.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace cameo::lower {

using cameo::Dim;

enum class Order { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual };

/// How the bits of an integer are read.
enum class Sign { Signed, Unsigned };

/// The type to compute in: f32 for the narrow floats, else the type itself.
mlir::Type computeType(mlir::Type type);

/// Least (for floats: minus infinity) and greatest number of a type.
mlir::TypedAttr lowestAttr(mlir::Type type, Sign sign = Sign::Signed);
mlir::TypedAttr highestAttr(mlir::Type type, Sign sign = Sign::Signed);
/// The number as an attribute of an integer or float type.
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
  /// A size as an index, or as a number of another type.
  mlir::Value size(const Dim &dim);
  mlir::Value size(const Dim &dim, mlir::Type type);
  /// The position in loop `dim` of the generic around.
  mlir::Value position(unsigned dim) { return apply<mlir::linalg::IndexOp>(static_cast<int64_t>(dim)); }

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  /// Quotient of floats; of integers truncated, and defined (though without meaning) when b is 0.
  mlir::Value div(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  /// Remainder with the sign of a.
  mlir::Value rem(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  /// A NaN in either operand is the result.
  mlir::Value max(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  mlir::Value min(mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  mlir::Value negate(mlir::Value a);
  mlir::Value abs(mlir::Value a, Sign sign = Sign::Signed);
  /// False when an operand is NaN, but for NotEqual.
  mlir::Value compare(Order order, mlir::Value a, mlir::Value b, Sign sign = Sign::Signed);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);
  mlir::Value logicalAnd(mlir::Value a, mlir::Value b) { return apply<mlir::arith::AndIOp>(a, b); }
  mlir::Value logicalOr(mlir::Value a, mlir::Value b) { return apply<mlir::arith::OrIOp>(a, b); }
  mlir::Value isNaN(mlir::Value a) { return apply<mlir::arith::CmpFOp>(mlir::arith::CmpFPredicate::UNO, a, a); }

  mlir::Value exp(mlir::Value a);
  mlir::Value log(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);
  mlir::Value tanh(mlir::Value a);
  /// 1 / (1 + exp(-a)): an overflow of the exponential gives 0, never NaN.
  mlir::Value sigmoid(mlir::Value a);
  /// log(1 + exp(a)).
  mlir::Value softplus(mlir::Value a);
  mlir::Value pow(mlir::Value a, mlir::Value b);
  /// a to a power known now.
  mlir::Value pow(mlir::Value a, double exponent);

  /// Narrow floats as f32, others unchanged.
  mlir::Value widen(mlir::Value a);
  /// Numeric conversion as ONNX's Cast: to integers truncated towards zero and saturated (NaN gives 0), from and to
  /// booleans by comparison with zero.
  mlir::Value convert(mlir::Value a, mlir::Type to, Sign from = Sign::Signed, Sign toSign = Sign::Signed);
  /// An integer of any width as index.
  mlir::Value toIndex(mlir::Value a, Sign sign = Sign::Signed);
  mlir::Value fromIndex(mlir::Value a, mlir::Type type);
  /// Limits an index to [0, extent); negative ones count from the end before.
  mlir::Value wrapIndex(mlir::Value a, const Dim &extent);
  /// Limits an index to [0, extent).
  mlir::Value clampIndex(mlir::Value a, const Dim &extent);
  /// The element of a tensor at these indices, which must be inside.
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
