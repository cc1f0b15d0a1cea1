// Eklundh's transposition (A fast computer method for matrix transposing, 1972): swaps halves of the square, then
// halves of these.
#include "passes/Schedule/Emission/Cpu/TransposeLanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

SmallVector<Value> transposeLanes(OpBuilder &builder, Location loc, SmallVector<Value> rows) {
  int64_t lanes = rows.size();
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> low, high;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      bool isUpper = lane & half;
      low.push_back(isUpper ? lanes + lane - half : lane);
      high.push_back(isUpper ? lanes + lane : lane + half);
    }
    for (int64_t row = 0; row < lanes; ++row) {
      if (row & half)
        continue;
      Value upper = rows[row], lower = rows[row + half];
      rows[row] = vector::ShuffleOp::create(builder, loc, upper, lower, low);
      rows[row + half] = vector::ShuffleOp::create(builder, loc, upper, lower, high);
    }
  }
  return rows;
}

} // namespace cameo::schedule
