// Functions whose coefficients differ between 16 intervals, where an instruction looks up a lane of a register for each
// lane of another. The coefficients are fitted as those of VectorMath.cpp, to the smallest relative error.
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace cameo::schedule {

constexpr unsigned tableSize = 16;
using Table = std::array<float, tableSize>;

/// The width of an interval.
constexpr double complementStep = 0.27;
/// Polynomials of the distance from the middle of an interval, in steps, for erfc(y) with y around 0, 1, 2, ... steps.
/// The last one is where the result is 0.
constexpr Table complementTables[] = {
    {1, 0.70258176, 0.44506076, 0.25199673, 0.12667383, 0.0562378, 0.021961909, 0.007520681, 0.0022528481, 0.0005891981,
     0.00013433301, 2.666636e-05, 4.6043897e-06, 6.90961e-07, 9.005648e-08, 0},
    {-0.30466238, -0.2832427, -0.22760327, -0.15808046, -0.094898164, -0.049239915, -0.022082927, -0.008560036,
     -0.0028679662, -0.0008305225, -0.00020787728, -4.4971774e-05, -8.409092e-06, -1.3590411e-06, -1.8984036e-07, 0},
    {-1.1741894e-07, 0.020647822, 0.033183917, 0.034571942, 0.027672457, 0.017948233, 0.009659257, 0.0043682326,
     0.0016725728, 0.0005448715, 0.0001515216, 3.605402e-05, 7.3534234e-06, 1.2872329e-06, 1.9359898e-07, 0},
    {0.0074042124, 0.005878915, 0.0023049174, -0.0011993023, -0.0030732432, -0.0031645324, -0.002279797, -0.0012780236,
     -0.00058066874, -0.00021822141, -6.863698e-05, -1.8204e-05, -4.092042e-06, -7.8246325e-07, -1.2761957e-07, 0},
    {-3.086499e-06, -0.00070990634, -0.00096750417, -0.0007062203, -0.00022604837, 0.00013747033, 0.00026182702,
     0.0002194292, 0.00012897141, 5.8746984e-05, 2.1584081e-05, 6.5294707e-06, 1.6463424e-06, 3.4874054e-07,
     6.240305e-08, 0},
    {-0.0001578516, -0.00010611212, 7.1540403e-06, 8.782752e-05, 9.233083e-05, 4.7794445e-05, 3.3029303e-06,
     -1.6892907e-05, -1.710144e-05, -1.0349444e-05, -4.611958e-06, -1.6155789e-06, -4.5854796e-07, -1.0725327e-07,
     -2.0894014e-08, 0}};

Value VectorMath::lookUp(Value index, ArrayRef<float> table) {
  Value lanes = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, table));
  StringAttr name = builder.getStringAttr("llvm.x86.avx512.permvar.sf.512");
  return LLVM::CallIntrinsicOp::create(builder, loc, type, name, {lanes, index}).getResults();
}

/// An instruction reads the low four bits of an index.
Value VectorMath::complementByTables(Value x, double factor) {
  constexpr unsigned last = tableSize - 1;
  Value a = atMost(magnitude(x), last * complementStep / factor), scale = constant(factor / complementStep);
  Value shift = constant(roundingShift), shifted = fma(a, scale, shift);
  Value rest = fma(a, scale, arith::SubFOp::create(builder, loc, shift, shifted));
  Value sum = lookUp(asBits(shifted), complementTables[std::size(complementTables) - 1]);
  for (const Table &table : llvm::reverse(ArrayRef(complementTables).drop_back()))
    sum = fma(sum, rest, lookUp(asBits(shifted), table));
  return sum;
}

} // namespace cameo::schedule
