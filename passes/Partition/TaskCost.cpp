#include "passes/Partition/TaskCost.h"

#include "passes/Partition/OpRole.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::partition {

/// What a dimension counts for whose size only the run knows: enough to tell tasks with one from those without.
constexpr int64_t nominalSize = 64;

static int64_t product(ArrayRef<onnx::Dim> dims) {
  int64_t result = 1;
  for (const onnx::Dim &dim : dims)
    result *= dim.isStatic() ? dim.getSize() : nominalSize;
  return result;
}

static int64_t countElements(Type type) {
  std::optional<onnx::DimList> dims = onnx::getDims(type);
  return dims ? product(*dims) : 0;
}

/// Multiply-adds per result element of a contraction, 0 for anything else.
static int64_t countReductionSteps(Operation *op, StringRef type) {
  onnx::DimList left = getShape(op->getOperand(0));
  if (type == "Conv" || type == "ConvInteger")
    return product(ArrayRef(getShape(op->getOperand(1))).drop_front()); // M, C / group, kernel...
  if (type == "MatMul" || type == "MatMulInteger")
    return left.empty() ? 1 : product(left.back());
  if (type == "Gemm") {
    auto transposed = op->getAttrOfType<IntegerAttr>("transA");
    return left.size() == 2 ? product(left[transposed && transposed.getInt() ? 0 : 1]) : 0;
  }
  return 0;
}

static int64_t countWindow(Operation *op) {
  auto kernel = op->getAttrOfType<DenseI64ArrayAttr>("kernel_shape");
  return kernel ? product(onnx::DimList(kernel.asArrayRef().begin(), kernel.asArrayRef().end())) : 1;
}

int64_t countFlops(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return 0;
  StringRef type = getOpType(op);
  int64_t in = countElements(op->getOperand(0).getType());
  int64_t out = countElements(op->getResult(0).getType());
  bool hasBias = op->getNumOperands() > 2 && !isa<NoneType>(op->getOperand(2).getType());
  if (int64_t steps = countReductionSteps(op, type))
    return out * (2 * steps + (hasBias ? 1 : 0));
  // Each input element meets the filters of its group once.
  if (type == "ConvTranspose")
    return 2 * in * product(ArrayRef(getShape(op->getOperand(1))).drop_front()) + (hasBias ? out : 0);
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
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  return countElements(tensor) * llvm::divideCeil(tensor.getElementTypeBitWidth(), 8);
}

} // namespace cameo::partition
