// Elementary functions of float32 vectors by range reduction and a polynomial, without calls or branches for usual
// arguments, and without tables in memory.
//
// The largest errors in units in the last place, over samples of the whole range, with and without a fused multiply-add
// (test/integration/targets/vector_math.py): exp 1, expm1 0.8, log 0.8, log1p 2, pow 0.6, erf 1.2, sigmoid 3.6, tanh
// 2.8, sinh and cosh 1.4, asinh 1.7, acosh 2.6, atanh 2.2, sin and cos 1.5, tan 2.8, atan 2, asin 2.3, acos 1.3. NaN,
// infinities and signed zeros are handled as in C; results below the smallest normal number may be zero.
#ifndef CAMEO_PASSES_SCHEDULE_VECTORMATH_H
#define CAMEO_PASSES_SCHEDULE_VECTORMATH_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo::schedule {

class VectorMath {
public:
  /// What the processor has. `looksUp`: an instruction that looks up floats in a register of 16 (vpermps of AVX-512).
  /// `library`: functions of the C library can be called.
  struct Abilities {
    bool fusedMultiplyAdd, looksUp, library;
  };

  /// `type` is a vector of f32.
  VectorMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::VectorType type, Abilities has)
      : builder(builder), loc(loc), type(type), has(has) {}

  mlir::Value exp(mlir::Value x);
  mlir::Value expm1(mlir::Value x);
  /// Returns 1 + e^-x for x >= -88, the reciprocal of the sigmoid.
  mlir::Value logisticDivisor(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value erf(mlir::Value x);
  /// Returns erf(factor * x) + 1 for a positive factor. The error is at most 1.2 units in the last place of 1.
  mlir::Value erfPlusOne(mlir::Value x, double factor);

  // VectorPower.cpp
  mlir::Value pow(mlir::Value x, mlir::Value y);

  // VectorHyperbolic.cpp
  mlir::Value tanh(mlir::Value x);
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
  mlir::Value atanh(mlir::Value x);
  mlir::Value asinh(mlir::Value x);
  mlir::Value acosh(mlir::Value x);

  // VectorTrigonometry.cpp. The first three call the C library, lane by lane, for arguments beyond 2^20. Without a
  // library, errors grow from there on, to 2^-36 at 2^50; results for arguments beyond 2^50 are meaningless.
  mlir::Value sin(mlir::Value x) { return circular(x, Circular::Sine); }
  mlir::Value cos(mlir::Value x) { return circular(x, Circular::Cosine); }
  mlir::Value tan(mlir::Value x) { return circular(x, Circular::Tangent); }
  mlir::Value atan(mlir::Value x);
  mlir::Value asin(mlir::Value x);
  mlir::Value acos(mlir::Value x);

  // VectorRemainder.cpp
  /// Returns the remainder of C's fmod, which is exact. Calls the C library, lane by lane, for quotients beyond 2^28.
  mlir::Value remainder(mlir::Value x, mlir::Value y);

private:
  /// x = sign * exponent * ln 2 + rest. `shifted` is the exponent plus a bias, as an integer shifted into the exponent
  /// field of a float.
  struct Reduced {
    mlir::Value shifted, rest;
  };
  Reduced reduceExp(mlir::Value x, int64_t bias = 0, int sign = 1);
  /// x = 2^exponent (1 + fraction), where 1 + fraction is between the square roots of 1/2 and 2. Undefined unless x is
  /// positive and finite.
  struct Binary {
    mlir::Value exponent, fraction;
  };
  Binary splitExponent(mlir::Value x);
  /// Returns the lane of a table for each lane of `index`.
  mlir::Value lookUp(mlir::Value index, mlir::ArrayRef<float> table);
  /// Returns erfc(factor * |x|).
  mlir::Value complementByTables(mlir::Value x, double factor);
  mlir::Value complementByPower(mlir::Value x, double factor);
  /// Returns log2 |x| in f64; `magnitude` is |x|.
  mlir::Value wideLog2(mlir::Value magnitude);
  /// Returns 2^t, rounded to f32; `t` is f64.
  mlir::Value narrowExp2(mlir::Value t);
  /// Returns e^x if it is a normal number; otherwise undefined.
  mlir::Value normalExp(mlir::Value x);
  /// Returns e^rest - 1 for the rest of a reduction.
  mlir::Value risingPart(mlir::Value rest);
  /// Half of e^|x|, and half of e^-|x|.
  struct Halves {
    mlir::Value rising, falling;
  };
  Halves halvesOfExp(mlir::Value x);
  /// The rounded sum 1 + x, and the correction of its logarithm for the rounding error.
  struct RoundedSum {
    mlir::Value sum, correction;
  };
  RoundedSum onePlus(mlir::Value x);
  /// Returns log(2 half) in lanes where `isLarge`, otherwise log(1 + more).
  mlir::Value logOfSum(mlir::Value more, mlir::Value isLarge, mlir::Value half);
  enum class Circular { Sine, Cosine, Tangent };
  mlir::Value circular(mlir::Value x, Circular function);
  mlir::Value reducedCircular(mlir::Value x, Circular function);
  mlir::Value inLibrary(mlir::Value element, Circular function);
  /// The nearest number of quarter turns, and the sine and cosine of the rest.
  struct Quarters {
    mlir::Value quadrant, sine, cosine;
  };
  Quarters reduceQuarters(mlir::Value x);
  /// |x|, whether it is above 1/2, and an angle: asin(|x|) if it is not, otherwise asin(sqrt((1 - |x|)/2)).
  struct ArcSine {
    mlir::Value magnitude, isLarge, angle;
  };
  ArcSine arcSine(mlir::Value x);
  /// Returns the remainder of a quotient below 2^28.
  mlir::Value nearRemainder(mlir::Value x, mlir::Value y);

  mlir::Value constant(double value, mlir::Type element);
  mlir::Value constant(double value) { return constant(value, type.getElementType()); }
  mlir::Value bits(int64_t value);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  /// Evaluates a polynomial by Horner's rule; `coefficients` start with the constant term.
  mlir::Value polynomial(mlir::Value x, mlir::ArrayRef<double> coefficients);
  /// The same in about half as many dependent steps, for one more multiplication.
  mlir::Value pairedPolynomial(mlir::Value x, mlir::ArrayRef<double> coefficients);
  /// Returns a / b; both must be finite. LLVM may use an estimate and a Newton step on x86 processors without fast
  /// division.
  mlir::Value quotient(mlir::Value a, mlir::Value b);
  mlir::Value asBits(mlir::Value x);
  mlir::Value asFloat(mlir::Value x);
  mlir::Value widened(mlir::Value x);
  mlir::Value magnitude(mlir::Value x);
  mlir::Value withSign(mlir::Value magnitude, mlir::Value sign);
  mlir::Value isGreater(mlir::Value a, mlir::Value b);
  /// Returns what `lane` makes of each lane if any of `isAny` holds, otherwise `vectors`.
  mlir::Value laneByLane(mlir::Value isAny, llvm::function_ref<mlir::Value(int64_t)> lane,
                         llvm::function_ref<mlir::Value()> vectors);
  /// Return x clamped to a limit; NaN stays NaN.
  mlir::Value atMost(mlir::Value x, double limit);
  mlir::Value atLeast(mlir::Value x, double limit);

  /// If it is added to a float of small magnitude, the low bits of the sum are the nearest integer.
  static constexpr double roundingShift = 12582912.0; // 1.5 * 2^23
  /// The bias of a float's exponent field.
  static constexpr int64_t exponentBias = 127;
  /// The same for a double.
  static constexpr double doubleRoundingShift = 6755399441055744.0; // 1.5 * 2^52

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::VectorType type;
  Abilities has;
};

} // namespace cameo::schedule

#endif
