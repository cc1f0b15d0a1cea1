// Elementary functions of vectors of float32: range reduction and a polynomial, no table, no call, no branch for usual
// arguments.
//
// Largest errors in units in the last place over samples of the whole range, with and without a fused multiply-add
// (test/integration/targets/vector_math.py): exp 1, expm1 0.8, log 0.8, log1p 2, pow 0.6, erf 1.2, sigmoid 3.6,
// tanh 2.8, sinh and cosh 1.4, asinh 1.7, acosh 2.6, atanh 2.2, sin and cos 1.5, tan 2.8, atan 2, asin 2.3, acos 1.3.
// NaN, infinities and signed zeros come out as in C; results below the smallest normal number may be zero.
#ifndef CAMEO_PASSES_SCHEDULE_VECTORMATH_H
#define CAMEO_PASSES_SCHEDULE_VECTORMATH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo::schedule {

class VectorMath {
public:
  /// `type`: a vector of f32. `hasFma`: whether the processor has a fused multiply-add. `hasLibrary`: whether functions
  /// of C can be called.
  VectorMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, bool hasFma, bool hasLibrary = true)
      : builder(builder), loc(loc), type(type), hasFma(hasFma), hasLibrary(hasLibrary) {}

  mlir::Value exp(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
  /// 1 + e^-x for x from -88 on, of which a sigmoid is the reciprocal.
  mlir::Value logisticDivisor(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value erf(mlir::Value x);

  // VectorPower.cpp
  mlir::Value pow(mlir::Value x, mlir::Value y);

  // VectorHyperbolic.cpp
  mlir::Value tanh(mlir::Value x);
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
  mlir::Value atanh(mlir::Value x);
  mlir::Value asinh(mlir::Value x);
  mlir::Value acosh(mlir::Value x);

  // VectorTrigonometry.cpp; arguments of the first three beyond 2^20 go to the C library, lane by lane; without one
  // errors grow from there on, to 2^-36 at 2^50, and beyond that results mean nothing.
  mlir::Value sin(mlir::Value x) { return circular(x, Circular::Sine); }
  mlir::Value cos(mlir::Value x) { return circular(x, Circular::Cosine); }
  mlir::Value tan(mlir::Value x) { return circular(x, Circular::Tangent); }
  mlir::Value atan(mlir::Value x);
  mlir::Value asin(mlir::Value x);
  mlir::Value acos(mlir::Value x);

private:
  /// x = sign * exponent * ln 2 + rest; the exponent plus a bias as an integer that is already shifted into a float's
  /// exponent field.
  struct Reduced {
    mlir::Value shifted, rest;
  };
  Reduced reduceExp(mlir::Value x, int64_t bias = 0, int sign = 1);
  /// x = 2^exponent (1 + fraction) for a positive and finite x, 1 + fraction between the square roots of 1/2 and 2;
  /// elsewhere anything.
  struct Binary {
    mlir::Value exponent, fraction;
  };
  Binary splitExponent(mlir::Value x);
  /// log2 |x| in f64.
  mlir::Value wideLog2(mlir::Value magnitude);
  /// 2^t of f64, rounded to f32.
  mlir::Value narrowExp2(mlir::Value t);
  /// The exponential where it is a normal number; elsewhere anything.
  mlir::Value normalExp(mlir::Value x);
  /// e^rest - 1 for a reduced rest.
  mlir::Value risingPart(mlir::Value rest);
  /// Of e^|x| and e^-|x|.
  struct Halves {
    mlir::Value rising, falling;
  };
  Halves halvesOfExp(mlir::Value x);
  /// 1 + x, and what is to be added to its logarithm because it was rounded.
  struct RoundedSum {
    mlir::Value sum, correction;
  };
  RoundedSum onePlus(mlir::Value x);
  /// log(1 + more), and log(2 half) where that `isLarge`.
  mlir::Value logOfSum(mlir::Value more, mlir::Value isLarge, mlir::Value half);
  enum class Circular { Sine, Cosine, Tangent };
  mlir::Value circular(mlir::Value x, Circular function);
  mlir::Value reducedCircular(mlir::Value x, Circular function);
  mlir::Value inLibrary(mlir::Value element, Circular function);
  /// The nearest number of quarter turns, and sine and cosine of the rest.
  struct Quarters {
    mlir::Value quadrant, sine, cosine;
  };
  Quarters reduceQuarters(mlir::Value x);
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
  mlir::Value widened(mlir::Value x);
  mlir::Value magnitude(mlir::Value x);
  mlir::Value withSign(mlir::Value magnitude, mlir::Value sign);
  mlir::Value isGreater(mlir::Value a, mlir::Value b);
  /// x, or a limit that it is beyond; NaN stays.
  mlir::Value atMost(mlir::Value x, double limit);
  mlir::Value atLeast(mlir::Value x, double limit);

  /// Of a float's exponent field.
  static constexpr int64_t exponentBias = 127;
  /// Added to a double of small magnitude, leaves the nearest integer in the low bits.
  static constexpr double doubleRoundingShift = 6755399441055744.0; // 1.5 * 2^52

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::VectorType type;
  bool hasFma, hasLibrary;
};

} // namespace cameo::schedule

#endif
