// Elementary functions of float64 by range reduction and a series: for single numbers where there is no library, and
// for vectors, where calls of the library lane by lane take longer.
//
// Errors are a few units in the last place (test/integration/gpu/gpu_functions.py); those of pow grow with the
// logarithm of its result, to 500 at 1e-282, but integers to the power of integers up to 64 are exact as far as float64
// is. Sines and cosines lose digits above 2^30. NaN, infinities and signed zeros come out as in C.
#ifndef CAMEO_PASSES_SCHEDULE_DOUBLEMATH_H
#define CAMEO_PASSES_SCHEDULE_DOUBLEMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include <limits>

namespace cameo::schedule {

class DoubleMath {
public:
  /// `type` is f64 or a vector of it.
  DoubleMath(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type) : builder(builder), loc(loc), type(type) {}

  mlir::Value exp(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log10(mlir::Value x) { return product(log(x), constant(0.434294481903251828)); }
  mlir::Value sin(mlir::Value x) { return circular(x, /*quarters=*/0); }
  mlir::Value cos(mlir::Value x) { return circular(x, /*quarters=*/1); }
  mlir::Value pow(mlir::Value x, mlir::Value y);
  mlir::Value erf(mlir::Value x);

  mlir::Value expm1(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  mlir::Value sinh(mlir::Value x);
  mlir::Value cosh(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value asinh(mlir::Value x);
  mlir::Value acosh(mlir::Value x);
  mlir::Value atanh(mlir::Value x);

  mlir::Value tan(mlir::Value x);
  mlir::Value atan(mlir::Value x);
  mlir::Value asin(mlir::Value x);
  mlir::Value acos(mlir::Value x);

private:
  using Compare = mlir::arith::CmpFPredicate;
  static constexpr double infinity = std::numeric_limits<double>::infinity(),
                          notANumber = std::numeric_limits<double>::quiet_NaN();

  mlir::Value circular(mlir::Value x, int64_t quarters);
  mlir::Value integerPower(mlir::Value x, mlir::Value exponent);
  /// Returns 2^k for an i64 k that is the exponent of a normal number.
  mlir::Value powerOfTwo(mlir::Value k);
  /// Returns the sum of coefficients[i] * x^i.
  mlir::Value series(mlir::Value x, llvm::ArrayRef<double> coefficients);
  mlir::Value sum(mlir::Value a, mlir::Value b);
  mlir::Value difference(mlir::Value a, mlir::Value b);
  mlir::Value product(mlir::Value a, mlir::Value b);
  mlir::Value quotient(mlir::Value a, mlir::Value b);
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value compare(Compare predicate, mlir::Value a, mlir::Value b);
  mlir::Value magnitude(mlir::Value x);
  mlir::Value withSign(mlir::Value x, mlir::Value sign);
  mlir::Value constant(double value);
  mlir::Value integer(int64_t value);
  /// Returns the type of as many i64 as `type` has numbers.
  mlir::Type integers();
  mlir::Value splat(mlir::TypedAttr number, mlir::Type type);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
};

} // namespace cameo::schedule

#endif
