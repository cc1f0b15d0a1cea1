#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxDialect.h"

using namespace mlir;

namespace cameo::lower {

const LoweringTable &LoweringTable::get() {
  static const LoweringTable table = [] {
    LoweringTable table;
    for (auto add : {addActivations, addArgExtrema, addArithmetic, addCasts, addConvTransposes, addConvs, addCumulations,
                     addEinsums, addGathers, addGenerators, addGridSamples, addLosses, addMatMuls, addMovements,
                     addNormalizations, addPads, addPools, addQuantization, addRecurrent, addReductions, addReshapes,
                     addResizes, addRoiAligns, addScatters, addSignals, addSlices, addSoftmaxes, addUnaries})
      add(table);
    return table;
  }();
  return table;
}

/// Everything here is computed on tensors of numbers whose sizes are known, at the latest when the model runs.
static LogicalResult checkType(Operation *op, Type type) {
  if (isa<NoneType>(type))
    return success();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || llvm::any_of(*onnx::getDims(type), [](const Dim &dim) { return dim.isUnknown(); }))
    return unsupported(op, "a tensor of unknown shape");
  Type element = tensor.getElementType();
  bool isNumber = element.isF16() || element.isBF16() || element.isF32() || element.isF64() || element.isInteger();
  if (!isNumber)
    return unsupported(op, [&] {
      std::string text;
      llvm::raw_string_ostream(text) << "elements of type " << element;
      return text;
    }());
  return success();
}

Lowered LoweringTable::lower(Operation *op, Operands operands, GenericBuilder &b) const {
  auto it = functions.find(op->getName().getStringRef());
  if (it == functions.end()) {
    op->emitError() << "lowering of " << op->getName() << " is not supported";
    return failure();
  }
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  return it->second(op, operands, b);
}

LogicalResult unsupported(Operation *op, const Twine &what) {
  op->emitError() << "lowering of " << op->getName() << " with " << what << " is not supported";
  return failure();
}

LogicalResult expectStatic(Operation *op, ShapeRef sizes, const Twine &what) {
  for (const Dim &dim : sizes)
    if (!dim.isStatic())
      return unsupported(op, "a symbolic dimension (" + dim.getName().getValue() + ") of " + what);
  return success();
}

Sign signOf(Value onnxValue) {
  auto type = dyn_cast<RankedTensorType>(onnxValue.getType());
  return type && type.getElementType().isUnsignedInteger() ? Sign::Unsigned : Sign::Signed;
}

Type toSignless(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  Type element = tensor.getElementType();
  if (element.isUnsignedInteger() || element.isSignedInteger())
    element = IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
}

Shape resultShape(Operation *op, unsigned result) { return shapeOf(op->getResult(result)); }

Type resultElement(Operation *op, unsigned result) {
  return cast<RankedTensorType>(toSignless(op->getResult(result).getType())).getElementType();
}

} // namespace cameo::lower
