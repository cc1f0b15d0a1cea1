#include "passes/Partition/OpRole.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace cameo::partition {

StringRef getOpType(Operation *op) {
  // An op of another dialect may have the name of one of ours, so it keeps its dialect's prefix.
  return isa<onnx::OnnxDialect, task::TaskDialect>(op->getDialect()) ? op->getName().stripDialect()
                                                                     : op->getName().getStringRef();
}

bool isNumber(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return !type || (type.hasStaticShape() && type.getNumElements() == 1);
}

onnx::DimList getShape(Value value) { return onnx::getDims(value).value_or(onnx::DimList()); }

/// Whether the op quantizes or dequantizes with one scale for all elements. Scales along an axis do not broadcast like
/// operands of elementwise ops.
static bool isPlainQuantization(Operation *op) {
  return isa<onnx::QuantizeLinearOp, onnx::DequantizeLinearOp>(op) && isNumber(op->getOperand(1));
}

static bool isElementwise(Operation *op) { return op->hasTrait<onnx::PointwiseOnnxOp>() || isPlainQuantization(op); }

static bool isAnchor(StringRef type) {
  return StringSwitch<bool>(type)
      .Cases({"ConvInteger", "MatMulInteger", "BlockedMatMul"}, true)
      .Cases({"Conv", "ConvTranspose", "MatMul", "Gemm", "MaxPool", "AveragePool", "LpPool"}, true)
      .Cases({"GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "Softmax", "LogSoftmax", "Resize"}, true)
      .Cases({"BatchNormalization", "InstanceNormalization", "GroupNormalization"}, true)
      .Cases({"LayerNormalization", "RMSNormalization", "LRN", "Einsum"}, true)
      .Default(false);
}

static bool isReduction(StringRef type) { return type.starts_with("Reduce"); }

static bool isView(StringRef type) {
  return StringSwitch<bool>(type)
      .Cases({"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity"}, true)
      .Default(false);
}

/// Whether an operand or result is a tensor of strings. Such an op becomes a runtime call, not a loop that other ops
/// could join.
static bool hasStrings(Operation *op) {
  auto isString = [](Type type) { return isa<onnx::StringType>(getElementTypeOrSelf(type)); };
  return llvm::any_of(op->getOperandTypes(), isString) || llvm::any_of(op->getResultTypes(), isString);
}

/// Whether all tensors have known shapes and only the first result, which exists, is used.
static bool isPlain(Operation *op) {
  auto isNone = [](Type type) { return isa<NoneType>(type); };
  auto isKnown = [](Type type) {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    Type element = getElementTypeOrSelf(type);
    return dims && onnx::areKnown(*dims) && (element.isIntOrFloat() || isa<onnx::StringType>(element));
  };
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 || !isKnown(op->getResult(0).getType()))
    return false;
  for (Value result : op->getResults().drop_front())
    if (!isNone(result.getType()) && !result.use_empty())
      return false;
  return llvm::all_of(op->getOperandTypes(), [&](Type type) { return isNone(type) || isKnown(type); });
}

/// Returns the number of innermost axes that a reduction covers; 0 if it covers other axes, drops them, or reduces to
/// one element.
static int64_t getReducedRowRank(Operation *op) {
  auto keepDims = op->getAttrOfType<IntegerAttr>("keepdims");
  int64_t rank = getShape(op->getOperand(0)).size();
  if ((keepDims && keepDims.getInt() == 0) || op->getNumOperands() < 2)
    return 0;
  std::optional<SmallVector<int64_t>> axes = onnx::getConstantInts(op->getOperand(1));
  if (!axes || axes->empty())
    return 0;
  for (int64_t &axis : *axes)
    axis = axis < 0 ? axis + rank : axis;
  llvm::sort(*axes);
  int64_t count = axes->size();
  for (auto [index, axis] : llvm::enumerate(*axes))
    if (axis != rank - count + static_cast<int64_t>(index))
      return 0;
  // A reduction to one element has no rows left to share among loops.
  return count < rank ? count : 0;
}

int64_t getRowRank(Operation *op) {
  StringRef type = getOpType(op);
  int64_t rank = getShape(op->getOperand(0)).size();
  if (isReduction(type))
    return getReducedRowRank(op);
  auto axisAttr = op->getAttrOfType<IntegerAttr>("axis");
  if (!axisAttr || rank == 0)
    return 0;
  int64_t axis = axisAttr.getInt() < 0 ? axisAttr.getInt() + rank : axisAttr.getInt();
  if (type == "Softmax" || type == "LogSoftmax")
    return axis == rank - 1 ? 1 : 0;
  if (type == "LayerNormalization" || type == "RMSNormalization")
    return rank - axis;
  return 0;
}

/// Whether the slice has steps 1 and a known begin. Its end may be dynamic: the result's shape states it.
static bool isUnitStepSlice(Operation *op) {
  for (auto [number, bound] : llvm::enumerate(op->getOperands()))
    if (number != 0 && number != 2 && !isa<NoneType>(bound.getType()) && !onnx::getConstantInts(bound))
      return false;
  if (op->getNumOperands() < 5 || isa<NoneType>(op->getOperand(4).getType()))
    return true;
  std::optional<SmallVector<int64_t>> steps = onnx::getConstantInts(op->getOperand(4));
  return llvm::all_of(*steps, [](int64_t step) { return step == 1; });
}

static bool isGrowingPad(Operation *op) {
  auto mode = op->getAttrOfType<StringAttr>("mode");
  if (mode && mode.getValue() != "constant")
    return false;
  std::optional<SmallVector<int64_t>> pads = onnx::getConstantInts(op->getOperand(1));
  if (!pads || llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }))
    return false;
  Value axes = op->getOperand(3);
  return isa<NoneType>(axes.getType()) || matchPattern(axes, m_Constant());
}

OpRole getRole(Operation *op) {
  StringRef type = getOpType(op);
  if (type == "Constant" || type == "None")
    return OpRole::Constant;
  if (isa<task::LoopOp>(op))
    return OpRole::Loop;
  if (isa<onnx::ChooseOp>(op))
    return OpRole::Choose;
  if (isa<task::JoinOp>(op))
    return OpRole::Join;
  if (isa<task::UpdateOp>(op))
    return OpRole::Update;
  if (isa<task::PlaceOp>(op))
    return OpRole::Pad;
  // An ExternOp may have no operands at all.
  if (isa<onnx::ExternOp>(op) || !isPlain(op))
    return OpRole::Opaque;
  if (type == "Prefix")
    return OpRole::Prefix;
  if (isView(type))
    return OpRole::View;
  if (hasStrings(op))
    return OpRole::Opaque;
  if (isElementwise(op))
    return OpRole::Elementwise;
  if (type == "Transpose")
    return OpRole::Transpose;
  if (type == "Concat")
    return OpRole::Concat;
  if (type == "Slice")
    return isUnitStepSlice(op) ? OpRole::Slice : OpRole::Opaque;
  if (type == "Pad")
    return isGrowingPad(op) ? OpRole::Pad : OpRole::Opaque;
  if (getRowRank(op) > 0)
    return OpRole::Row;
  return isAnchor(type) || isReduction(type) ? OpRole::Anchor : OpRole::Opaque;
}

bool readsAnyPermutation(Operation *op) {
  StringRef type = getOpType(op);
  return type == "MatMul" || type == "Gemm" || type == "MatMulInteger";
}

bool keepsChannelsApart(Operation *op) {
  auto layout = dyn_cast<onnx::ChannelsLastOp>(op);
  if (!layout || !layout.isChannelsLast())
    return false;
  if (auto conv = dyn_cast<onnx::ConvOp>(op)) {
    // One filter per channel.
    onnx::DimList input = getShape(conv.getX()), filter = getShape(conv.getW());
    return input.back() == filter.front() && filter.front() == conv.getGroup();
  }
  return isa<onnx::MaxPoolOp, onnx::AveragePoolOp, onnx::LpPoolOp>(op);
}

bool isPointwiseConv(Operation *op) {
  auto conv = dyn_cast<onnx::ConvOp>(op);
  if (!conv || !conv.getChannelsLast() || conv.getGroup() != 1)
    return false;
  auto isOne = [](const Dim &dim) { return dim == 1; };
  onnx::DimList filter = getShape(conv.getW());
  return llvm::all_of(ArrayRef(filter).drop_front(2), isOne) &&
         (!conv.getStrides() || llvm::all_of(*conv.getStrides(), [](int64_t stride) { return stride == 1; }));
}

bool isCommutative(Operation *op) {
  return StringSwitch<bool>(getOpType(op))
      .Cases({"Add", "Mul", "Max", "Min", "Sum", "Mean"}, true)
      .Cases({"And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal"}, true)
      .Default(false);
}

} // namespace cameo::partition
