#include "frontend/Import/Versions/NodeDraft.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;

bool NodeDraft::hasOperand(unsigned index) const {
  return index < operands.size() && !cameo::onnx::isAbsent(operands[index]);
}

LogicalResult NodeDraft::expectOperands(size_t count) const {
  if (operands.size() == count)
    return success();
  return emitError() << "expected " << count << (count == 1 ? " input" : " inputs") << ", got " << operands.size();
}

void NodeDraft::setOperand(unsigned index, Value value) {
  while (operands.size() <= index)
    operands.push_back(makeNone());
  operands[index] = value;
}

Value NodeDraft::makeNone() { return cameo::onnx::makeNone(builder, loc); }

Value NodeDraft::makeInts(ArrayRef<int64_t> values) { return cameo::onnx::makeIntsConstant(builder, loc, values); }

Value NodeDraft::makeFloat(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  auto attribute = DenseElementsAttr::get(type, ArrayRef<Attribute>(builder.getFloatAttr(elementType, value)));
  return cameo::onnx::ConstantOp::create(builder, loc, type, attribute);
}

FailureOr<Value> NodeDraft::create(StringRef otherType, ValueRange otherOperands,
                                   ArrayRef<NamedAttribute> otherAttributes) {
  FailureOr<Operation *> op =
      createOnnxOperation(builder, loc, otherType, otherOperands, builder.getDictionaryAttr(otherAttributes), {true});
  if (failed(op))
    return failure();
  return (*op)->getResult(0);
}

bool cameo::hasOnnxOperation(MLIRContext *context, StringRef opType) {
  std::optional<RegisteredOperationName> name = RegisteredOperationName::lookup(("onnx." + opType).str(), context);
  // onnx.None is not an ONNX operator.
  return name && name->hasInterface<cameo::onnx::OnnxOp>() && opType != "None";
}

std::optional<RegisteredOperationName> cameo::findForeignOperation(MLIRContext *context, StringRef domain,
                                                                   StringRef opType) {
  std::string dialect;
  for (char c : domain)
    dialect += llvm::isAlnum(c) ? c : '_';
  if (dialect == cameo::onnx::OnnxDialect::getDialectNamespace() || !context->getOrLoadDialect(dialect))
    return std::nullopt;
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup((dialect + "." + opType).str(), context);
  return name && name->hasInterface<cameo::onnx::OnnxOp>() ? name : std::nullopt;
}

namespace {

/// Fails with an error if `count` is out of range. `what` names the counted things.
LogicalResult checkCount(Location loc, StringRef what, int64_t count, int64_t least, int64_t most) {
  if (count >= least && (most < 0 || count <= most))
    return success();
  InFlightDiagnostic diagnostic = emitError(loc) << "expected ";
  if (most < 0)
    diagnostic << "at least " << least;
  else if (least == most)
    diagnostic << least;
  else
    diagnostic << least << " to " << most;
  return diagnostic << " " << what << (least == 1 && most <= 1 ? "" : "s") << ", got " << count;
}

/// Whether the dialect has this attribute and ONNX does not.
bool isOwnAttribute(StringRef name) { return name == "channels_last" || name == "rounded_state"; }

LogicalResult checkAttributes(Location loc, RegisteredOperationName name, DictionaryAttr attributes) {
  for (NamedAttribute attribute : attributes)
    if (!llvm::is_contained(name.getAttributeNames(), attribute.getName()) || isOwnAttribute(attribute.getName()))
      return emitError(loc) << "unknown attribute '" << attribute.getName().getValue() << "' of operator "
                            << name.stripDialect();
  // Verified before the operation is created, because it would treat a value of the wrong kind as absent.
  NamedAttrList list(attributes);
  return name.verifyInherentAttrs(list, [&] { return emitError(loc) << "operator " << name.stripDialect() << ": "; });
}

/// Returns one placeholder type per result, to be inferred. Results beyond the number `least` may be absent.
SmallVector<Type> makeResultTypes(OpBuilder &builder, int64_t least, int64_t count, ArrayRef<bool> outputs) {
  Type any = UnrankedTensorType::get(builder.getF32Type());
  SmallVector<Type> types;
  for (int64_t i = 0; i < count; ++i) {
    bool isPresent = i < least || (i < int64_t(outputs.size()) && outputs[i]);
    types.push_back(isPresent ? any : builder.getNoneType());
  }
  return types;
}

} // namespace

FailureOr<Operation *> cameo::createOnnxOperation(OpBuilder &builder, Location loc, StringRef opType,
                                                  ValueRange operands, DictionaryAttr attributes,
                                                  ArrayRef<bool> outputs) {
  std::optional<RegisteredOperationName> name =
      RegisteredOperationName::lookup(("onnx." + opType).str(), builder.getContext());
  assert(name && "the caller asks hasOnnxOperation first");
  return createOperation(builder, loc, *name, operands, attributes, outputs);
}

FailureOr<Operation *> cameo::createOperation(OpBuilder &builder, Location loc, RegisteredOperationName name,
                                              ValueRange operands, DictionaryAttr attributes, ArrayRef<bool> outputs) {
  auto *interface = name.getInterface<cameo::onnx::OnnxOp>();
  int64_t mostInputs = interface->getMaxInputs(), mostOutputs = interface->getMaxOutputs();
  int64_t leastOutputs = interface->getMinOutputs();
  // Trailing absent values are dropped.
  size_t inputCount = operands.size(), outputCount = outputs.size();
  while (inputCount > 0 && cameo::onnx::isAbsent(operands[inputCount - 1]))
    --inputCount;
  while (outputCount > 0 && !outputs[outputCount - 1] && int64_t(outputCount) > leastOutputs)
    --outputCount;
  if (failed(checkCount(loc, "input", inputCount, interface->getMinInputs(), mostInputs)) ||
      failed(checkCount(loc, "output", outputCount, leastOutputs, mostOutputs)) ||
      failed(checkAttributes(loc, name, attributes)))
    return failure();

  SmallVector<Value> allOperands(operands.take_front(inputCount));
  while (int64_t(allOperands.size()) < mostInputs)
    allOperands.push_back(cameo::onnx::makeNone(builder, loc));
  int64_t resultCount = mostOutputs < 0 ? outputCount : mostOutputs;
  OperationState state(loc, name, allOperands, makeResultTypes(builder, leastOutputs, resultCount, outputs),
                       attributes.getValue());
  Operation *op = builder.create(state);
  if (failed(cast<cameo::onnx::OnnxOp>(op).inferShapes())) {
    op->erase();
    return failure();
  }
  return op;
}
