#include "passes/Partition/TaskCost.h"

#include "passes/Partition/OpRole.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::partition {

static int64_t countElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type.getNumElements() : 0;
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= ShapedType::isDynamic(size) ? 1 : size;
  return result;
}

/// Multiply-adds per result element of a contraction, 0 for anything else.
static int64_t countReductionSteps(Operation *op, StringRef type) {
  ArrayRef<int64_t> left = getShape(op->getOperand(0));
  if (type == "Conv" || type == "ConvInteger")
    return product(getShape(op->getOperand(1)).drop_front()); // M, C / group, kernel...
  if (type == "MatMul" || type == "MatMulInteger")
    return left.empty() ? 1 : product(left.take_back());
  if (type == "Gemm") {
    auto transposed = op->getAttrOfType<IntegerAttr>("transA");
    return left.size() == 2 ? product(left[transposed && transposed.getInt() ? 0 : 1]) : 0;
  }
  return 0;
}

static int64_t countWindow(Operation *op) {
  auto kernel = op->getAttrOfType<DenseI64ArrayAttr>("kernel_shape");
  return kernel ? product(kernel.asArrayRef()) : 1;
}

int64_t countFlops(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return 0;
  StringRef type = getOpType(op);
  int64_t in = countElements(op->getOperand(0));
  int64_t out = countElements(op->getResult(0));
  bool hasBias = op->getNumOperands() > 2 && !isa<NoneType>(op->getOperand(2).getType());
  if (int64_t steps = countReductionSteps(op, type))
    return out * (2 * steps + (hasBias ? 1 : 0));
  // Each input element meets the filters of its group once.
  if (type == "ConvTranspose")
    return 2 * in * product(getShape(op->getOperand(1)).drop_front()) + (hasBias ? out : 0);
  if (type == "MaxPool" || type == "AveragePool" || type == "LpPool")
    return out * countWindow(op);
  if (type.starts_with("Reduce") || type.starts_with("Global") || type == "ArgMax" || type == "ArgMin")
    return in;
  // Largest, difference, exponential, sum, quotient; mean, difference, square, sum, scale, shift.
  if (type == "Softmax" || type == "LogSoftmax")
    return 5 * in;
  if (type.ends_with("Normalization"))
    return 6 * in;
  return getRole(op) == OpRole::Elementwise ? out * std::max<int64_t>(1, op->getNumOperands() - 1) : 0;
}

int64_t countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || !tensor.getElementType().isIntOrFloat())
    return 0;
  return tensor.getNumElements() * llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

} // namespace cameo::partition
