#include "passes/Partition/TaskCost.h"

#include "passes/Partition/OpRole.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/EinsumEquation.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::partition {

static double product(ArrayRef<Dim> dims) {
  double result = 1;
  for (const Dim &dim : dims)
    result *= dim.isUnknown() ? estimatedSize : estimateDim(dim);
  return result;
}

static double countElements(Type type) {
  std::optional<onnx::DimList> dims = onnx::getDims(type);
  return dims ? product(*dims) : 0;
}

/// Returns the multiply-adds per result element of a transform, computed as a product with a matrix: the number of
/// signal elements, times two for complex ones.
static double countTerms(onnx::DFTOp op) {
  onnx::DimList dims = getShape(op.getInput());
  std::optional<int64_t> axis = op.getKnownAxis(dims.size());
  return axis ? product({dims[*axis], dims.back()}) : 0.0;
}

static double countTerms(onnx::STFTOp op) {
  onnx::DimList signal = getShape(op.getSignal());
  double parts = signal.empty() ? 1 : product(signal.back());
  if (!isa<NoneType>(op.getWindow().getType()))
    return countElements(op.getWindow().getType()) * parts;
  std::optional<SmallVector<int64_t>> length = onnx::getConstantInts(op.getFrameLength());
  return static_cast<double>(length && length->size() == 1 ? length->front() : estimatedSize) * parts;
}

/// Returns the multiply-adds per element of the first result if the op is a product, otherwise 0.
static double countReductionSteps(Operation *op) {
  auto lastOf = [](Value value) {
    onnx::DimList dims = getShape(value);
    return dims.empty() ? 1.0 : product(dims.back());
  };
  return TypeSwitch<Operation *, double>(op)
      .Case<onnx::ConvOp, onnx::ConvIntegerOp, onnx::DeformConvOp, onnx::CausalConvWithStateOp>(
          [&](auto) { return product(ArrayRef(getShape(op->getOperand(1))).drop_front()); }) // M, C / group, kernel...
      .Case([&](onnx::QLinearConvOp conv) { return product(ArrayRef(getShape(conv.getW())).drop_front()); })
      .Case<onnx::MatMulOp, onnx::MatMulIntegerOp, onnx::QLinearMatMulOp, onnx::BlockedMatMulOp>(
          [&](auto) { return lastOf(op->getOperand(0)); })
      .Case([&](onnx::GemmOp gemm) {
        onnx::DimList left = getShape(gemm.getA());
        return left.size() == 2 ? product(left[gemm.getTransA() ? 0 : 1]) : 0.0;
      })
      .Case<onnx::DFTOp, onnx::STFTOp>([](auto transform) { return countTerms(transform); })
      .Default([](auto) { return 0.0; });
}

/// Counts, per step and state element, the products of inputs and states with weights; and for each gate two more
/// summands and an activation function.
static double countRecurrence(Operation *op) {
  onnx::DimList data = getShape(op->getOperand(0)), inputs = getShape(op->getOperand(1)),
                states = getShape(op->getOperand(2));
  if (data.size() != 3 || inputs.size() != 3)
    return 0;
  double gates = product(ArrayRef(inputs).drop_back());
  return product(ArrayRef(data).drop_back()) * (2 * (product(inputs) + product(states)) + 3 * gates);
}

/// Counts, for every combination of indices, the products of all operands and the addition to the sum, if there is one.
static double countEinsum(onnx::EinsumOp op) {
  SmallVector<int64_t> ranks;
  for (Value operand : op->getOperands())
    ranks.push_back(getShape(operand).size());
  FailureOr<onnx::EinsumEquation> equation = onnx::parseEinsum(op, op.getEquation(), ranks);
  if (failed(equation))
    return 0;
  // Dimensions of an ellipsis broadcast, so the largest size counts.
  SmallVector<double> sizes(equation->indexCount, 1);
  for (auto [operand, indices] : llvm::zip_equal(op->getOperands(), equation->operands))
    for (auto [dim, index] : llvm::zip_equal(getShape(operand), indices))
      sizes[index] = std::max(sizes[index], product(dim));
  bool isSum = equation->indexCount > static_cast<int64_t>(equation->result.size());
  double combinations = 1;
  for (double size : sizes)
    combinations *= size;
  return combinations * static_cast<double>(ranks.size() - (isSum ? 0 : 1));
}

/// Counts, for every token, the update of a state matrix per head of the keys, and the read of one per head of the
/// queries.
static double countLinearAttention(onnx::LinearAttentionOp op) {
  onnx::DimList queries = getShape(op.getQuery()), values = getShape(op.getValue());
  auto readers = static_cast<double>(op.getQNumHeads()), states = static_cast<double>(op.getKvNumHeads());
  if (queries.size() != 3 || values.size() != 3 || readers <= 0 || states <= 0)
    return 0;
  double state = product(queries.back()) / readers * (product(values.back()) / states);
  return product(ArrayRef(queries).drop_back()) * state *
         (2 * readers + (2 + (op.hasDelta() ? 2 : 0) + (op.hasDecay() ? 1 : 0)) * states);
}

static bool hasBias(Operation *op) {
  unsigned place = isa<onnx::DeformConvOp>(op) ? 3 : 2;
  return isa<onnx::ConvOp, onnx::ConvTransposeOp, onnx::DeformConvOp, onnx::CausalConvWithStateOp, onnx::GemmOp>(op) &&
         op->getNumOperands() > place && !isa<NoneType>(op->getOperand(place).getType());
}

static double countWindow(Operation *op) {
  auto kernel = op->getAttrOfType<DenseI64ArrayAttr>("kernel_shape");
  return kernel ? product(onnx::DimList(kernel.asArrayRef().begin(), kernel.asArrayRef().end())) : 1;
}

double countFlops(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return 0;
  StringRef type = getOpType(op);
  double in = countElements(op->getOperand(0).getType());
  double out = countElements(op->getResult(0).getType());
  if (isa<onnx::LSTMOp, onnx::GRUOp, onnx::RNNOp>(op))
    return countRecurrence(op);
  if (auto einsum = dyn_cast<onnx::EinsumOp>(op))
    return countEinsum(einsum);
  if (auto attention = dyn_cast<onnx::LinearAttentionOp>(op))
    return countLinearAttention(attention);
  if (double steps = countReductionSteps(op))
    return out * (2 * steps + (hasBias(op) ? 1 : 0));
  // Each input element is multiplied by all filters of its group once.
  if (type == "ConvTranspose")
    return 2 * in * product(ArrayRef(getShape(op->getOperand(1))).drop_front()) + (hasBias(op) ? out : 0);
  if (type == "MaxPool" || type == "AveragePool" || type == "LpPool")
    return out * countWindow(op);
  if (type.starts_with("Reduce") || type.starts_with("Global") ||
      isa<onnx::ArgMaxOp, onnx::ArgMinOp, onnx::CumSumOp, onnx::CumProdOp>(op))
    return in;
  // Squares, their sum, scaling, shift, power, quotient.
  if (auto neighbours = dyn_cast<onnx::LRNOp>(op))
    return in * static_cast<double>(neighbours.getSize() + 5);
  // Softmax: maximum, difference, exponential, sum, quotient. Normalization: mean, difference, square, sum, scale,
  // shift.
  if (type == "Softmax" || type == "LogSoftmax")
    return 5 * in;
  if (type.ends_with("Normalization"))
    return 6 * in;
  return getRole(op) == OpRole::Elementwise ? out * (std::max<unsigned>(2, op->getNumOperands()) - 1) : 0;
}

double countBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return 0;
  return countElements(tensor) * static_cast<double>(llvm::divideCeil(tensor.getElementTypeBitWidth(), 8));
}

double countReadBytes(Value input) {
  double all = countBytes(input.getType()), gathered = 0;
  for (OpOperand &use : input.getUses()) {
    if (!isa<onnx::GatherOp>(use.getOwner()) || use.getOperandNumber() != 0)
      return all;
    gathered += countBytes(use.getOwner()->getResult(0).getType());
  }
  return input.use_empty() ? all : std::min(all, gathered);
}

double countStoredBytes(Value output) {
  auto place = output.getDefiningOp<task::PlaceOp>();
  return countBytes(place ? place.getPart().getType() : output.getType());
}

} // namespace cameo::partition
