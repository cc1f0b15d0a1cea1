// An 8-bit activation may be stored signed or unsigned, with zero points 128 apart. The choice is the same for all
// activations: that of the processor's byte products, which may support only unsigned by signed, or only equal signs.
// Constant weights follow where an activation keeps its sign.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Returns the number of the operand with the zero point of operand `number` of `op`; nothing if `op` does not read
/// that operand as quantized.
std::optional<unsigned> findZeroPoint(Operation *op, unsigned number) {
  if (isa<onnx::DequantizeLinearOp>(op) && number == 0)
    return 2;
  if (isa<onnx::ConvIntegerOp>(op) && number == 0)
    return 2;
  if (isa<onnx::MatMulIntegerOp>(op) && number < 2)
    return number + 2;
  return std::nullopt;
}

/// Whether the result of the op has the same bytes as its operand.
bool movesBytes(Operation *op, unsigned number) {
  return number == 0 &&
         isa<onnx::MaxPoolOp, onnx::ReshapeOp, onnx::FlattenOp, onnx::TransposeOp, onnx::SqueezeOp, onnx::UnsqueezeOp>(
             op);
}

/// A quantized activation: all values with its bytes, and the operands that are its zero point.
struct Activation {
  llvm::SetVector<Value> values;
  SmallVector<std::pair<Operation *, unsigned>> zeroPoints; ///< except that of the op that quantizes
  bool isMultiplied = false;
};

/// Collects the activation. Returns nothing if a user reads the bytes in a way that depends on their sign.
std::optional<Activation> follow(onnx::QuantizeLinearOp op, int64_t zero) {
  Activation activation;
  activation.values.insert(op.getY());
  for (size_t next = 0; next < activation.values.size(); ++next)
    for (OpOperand &use : activation.values[next].getUses()) {
      Operation *user = use.getOwner();
      if (movesBytes(user, use.getOperandNumber())) {
        activation.values.insert(user->getResult(0));
        continue;
      }
      std::optional<unsigned> operand = findZeroPoint(user, use.getOperandNumber());
      if (!operand || *operand >= user->getNumOperands())
        return std::nullopt;
      Value given = user->getOperand(*operand);
      if (onnx::isAbsent(given) ? zero != 0 : getSplatNumber(given) != static_cast<double>(zero))
        return std::nullopt;
      activation.zeroPoints.push_back({user, *operand});
      activation.isMultiplied |= !isa<onnx::DequantizeLinearOp>(user);
    }
  return activation;
}

void changeSign(onnx::QuantizeLinearOp op, const Activation &activation, int64_t zero, bool isSigned) {
  OpBuilder builder(op);
  Type element =
      isSigned ? builder.getIntegerType(8) : IntegerType::get(builder.getContext(), 8, IntegerType::Unsigned);
  // A zero point has the shape of its scale; products accept any tensor of one element.
  auto createZero = [&](Operation *user) {
    Value like = isa<onnx::QuantizeLinearOp, onnx::DequantizeLinearOp>(user) ? user->getOperand(1) : op.getYScale();
    auto type = RankedTensorType::get(cast<RankedTensorType>(like.getType()).getShape(), element);
    std::vector<char> byte(1, static_cast<char>(zero + (isSigned ? -128 : 128)));
    return onnx::makeConstant(builder, op.getLoc(), type, std::move(byte));
  };
  op.getYZeroPointMutable().assign(createZero(op));
  op.setOutputDtype(0);
  for (Value value : activation.values)
    value.setType(cast<RankedTensorType>(value.getType()).clone(element));
  for (auto [user, operand] : activation.zeroPoints)
    user->setOperand(operand, createZero(user));
}

} // namespace

void chooseSigns(func::FuncOp function, bool isSigned) {
  function.walk([&](onnx::QuantizeLinearOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getY().getType());
    RankedTensorType scale = getStaticType(op.getYScale());
    if (!type || !type.getElementType().isInteger(8) || !scale || scale.getNumElements() != 1 ||
        type.getElementType().isUnsignedInteger() != isSigned)
      return;
    std::optional<double> zero = onnx::isAbsent(op.getYZeroPoint()) ? 0.0 : getSplatNumber(op.getYZeroPoint());
    std::optional<Activation> activation = zero ? follow(op, static_cast<int64_t>(*zero)) : std::nullopt;
    if (activation && activation->isMultiplied)
      changeSign(op, *activation, static_cast<int64_t>(*zero), isSigned);
  });
}

void chooseWeightSigns(func::FuncOp function, ByteProducts products) {
  // Ops that share weights share the new ones, too.
  DenseMap<std::tuple<Block *, Value, Value, int64_t, int, int>, std::pair<Value, Value>> made;
  function.walk([&](Operation *op) {
    auto conv = dyn_cast<onnx::ConvIntegerOp>(op);
    if ((!conv && !isa<onnx::MatMulIntegerOp>(op)) || !onnx::getConstantAttr(op->getOperand(1)))
      return;
    Value bytes = op->getOperand(1), zero = op->getOperand(3);
    bool isSigned = getElementTypeOrSelf(op->getOperand(0).getType()).isSignlessInteger();
    int64_t axis = conv ? 0 : cast<RankedTensorType>(bytes.getType()).getRank() - 1;
    // FoldZeroPoints leaves zero points of grouped weights.
    bool isFolded = !conv || conv.getGroup() == 1;
    auto [entry, isNew] = made.try_emplace({op->getBlock(), bytes, zero, axis, isSigned, isFolded});
    if (isNew) {
      OpBuilder builder(op);
      Quantized weights{bytes, onnx::isAbsent(zero) ? Value() : zero, {}, axis};
      weights = centre(builder, op->getLoc(), weights);
      if (isFolded && products == ByteProducts::SameSign)
        weights = withSign(builder, op->getLoc(), weights, isSigned);
      if (isFolded && products == ByteProducts::UnsignedBySigned && !isSigned)
        weights = withSign(builder, op->getLoc(), weights, /*isSigned=*/true);
      entry->second = {weights.integers, zeroPointOperand(builder, op->getLoc(), weights.zeroPoint)};
    }
    op->setOperand(1, entry->second.first);
    op->setOperand(3, entry->second.second);
  });
}

} // namespace cameo::graph
