// Verification of the products of matrices by the warps of GPU kernels.
#include "dialects/Task/TaskMatrixOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskMatrixOps.cpp.inc"

LogicalResult MultiplyGroupOp::verify() {
  constexpr size_t atOnce = 8, most = 128;
  size_t count = getSums().size();
  if (count == 0 || count % atOnce != 0 || count > most || getResults().size() != count) // multiply_group_c1
    return emitOpError("expected as many results as sums, a multiple of ")
           << atOnce << " up to " << most << ", got " << getResults().size() << " and " << count;
  if (!getElement().isF16() && !getElement().isBF16()) // multiply_group_c2
    return emitOpError("expected elements of f16 or bf16, got ") << getElement();
  for (ArrayRef<int64_t> numbers : {getLeftMatrix(), getRightMatrix()}) // multiply_group_c3
    if (numbers.size() != 5 || !llvm::is_contained({16, 32, 64, 128}, numbers[1]) || numbers[4] < 0 || numbers[4] > 1 ||
        (numbers[1] == 16 && numbers[4] == 1))
      return emitOpError(
          "expected five numbers of a matrix, with rows of 32, 64 or 128 bytes and 0 or 1 at last, or of "
          "16 bytes and 0");
  return success();
}

LogicalResult AwaitProductsOp::verify() {
  if (getResults().size() != getSums().size() || (!getSums().empty() && getPending() != 0)) // await_products_c1
    return emitOpError("expected as many results as sums, and none while products are under way, got ")
           << getResults().size() << " and " << getSums().size();
  return success();
}
