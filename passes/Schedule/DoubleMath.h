// Elementary functions of float64 where there is no library: range reduction and a series, for single numbers.
//
// Errors are two units in the last place (test/integration/gpu_functions.py); those of pow grow with the logarithm of
// its result, to 500 at 1e-282, but integers to the power of integers up to 64 are exact as far as float64 is. Sines
// and cosines lose digits above 2^30. NaN, infinities and signed zeros come out as in C.
#ifndef CAMEO_PASSES_SCHEDULE_DOUBLEMATH_H
#define CAMEO_PASSES_SCHEDULE_DOUBLEMATH_H

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

class DoubleMath {
public:
  DoubleMath(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value exp(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value sin(mlir::Value x) { return circular(x, /*quarters=*/0); }
  mlir::Value cos(mlir::Value x) { return circular(x, /*quarters=*/1); }
  mlir::Value pow(mlir::Value x, mlir::Value y);

private:
  mlir::Value circular(mlir::Value x, int64_t quarters);
  mlir::Value integerPower(mlir::Value x, mlir::Value exponent);
  /// 2^k for an integer k of i64 that is the exponent of a normal number.
  mlir::Value powerOfTwo(mlir::Value k);
  /// The sum of coefficients[i] * x^i.
  mlir::Value series(mlir::Value x, llvm::ArrayRef<double> coefficients);
  mlir::Value constant(double value);
  mlir::Value integer(int64_t value);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace cameo::schedule

#endif
