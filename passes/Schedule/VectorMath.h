// Elementary functions of vectors of float32: range reduction and a polynomial, no table, no call, no branch for usual arguments.
//
// Largest errors in units in the last place over samples of the whole range, with and without a fused multiply-add
// (test/integration/vector_math.py): exp 1, log 1, tanh 3.2, sigmoid 3.6, erf 1.3, sin and cos 1.5, atan 2, asin 2.3, acos 1.3. NaN, infinities and
// signed zeros come out as in C; results below the smallest normal number may be zero.
#ifndef CAMEO_PASSES_SCHEDULE_VECTORMATH_H
#define CAMEO_PASSES_SCHEDULE_VECTORMATH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo::schedule {

class VectorMath {
public:
  /// `type`: a vector of f32. `hasFma`: whether the processor has a fused multiply-add.
  VectorMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, bool hasFma)
      : builder(builder), loc(loc), type(type), hasFma(hasFma) {}

  mlir::Value exp(mlir::Value x);
  /// 1 + e^-x for x from -88 on, of which a sigmoid is the reciprocal.
  mlir::Value logisticDivisor(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value erf(mlir::Value x);
  /// Arguments beyond 2^20 go to the C library, lane by lane.
  mlir::Value sin(mlir::Value x) { return sinOrCos(x, /*isCos=*/false); }
  mlir::Value cos(mlir::Value x) { return sinOrCos(x, /*isCos=*/true); }
  mlir::Value atan(mlir::Value x);
  mlir::Value asin(mlir::Value x);
  mlir::Value acos(mlir::Value x);

private:
  /// x = sign * exponent * ln 2 + rest; the exponent plus a bias as an integer that is already shifted into a float's exponent field.
  struct Reduced {
    mlir::Value shifted, rest;
  };
  Reduced reduceExp(mlir::Value x, int64_t bias = 0, int sign = 1);
  /// The exponential where it is a normal number; elsewhere anything.
  mlir::Value normalExp(mlir::Value x);
  mlir::Value sinOrCos(mlir::Value x, bool isCos);
  mlir::Value reducedSinOrCos(mlir::Value x, bool isCos);
  /// asin(|x|) for |x| <= 1/2, and sqrt((1 - |x|)/2) with its asin otherwise.
  struct ArcSine {
    mlir::Value magnitude, isLarge, angle;
  };
  ArcSine arcSine(mlir::Value x);

  mlir::Value constant(double value, mlir::Type element);
  mlir::Value constant(double value) { return constant(value, type.getElementType()); }
  mlir::Value bits(int64_t value);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  /// Horner's rule; `coefficients` from the constant term on.
  mlir::Value polynomial(mlir::Value x, mlir::ArrayRef<double> coefficients);
  /// By estimate and Newton step on x86, unless the processor divides fast. Neither operand is infinite.
  mlir::Value quotient(mlir::Value a, mlir::Value b);
  mlir::Value asBits(mlir::Value x);
  mlir::Value asFloat(mlir::Value x);
  mlir::Value magnitude(mlir::Value x);
  mlir::Value withSign(mlir::Value magnitude, mlir::Value sign);
  mlir::Value isGreater(mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::VectorType type;
  bool hasFma;
};

} // namespace cameo::schedule

#endif
