// Reads the planned @main.
#include "passes/Codegen/ModelPlan.h"

#include "runtime/include/cameo/abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace cameo {
namespace {

struct ElementType {
  int number; ///< cameo_element_type
  const char *cType;
};

std::optional<ElementType> elementTypeOf(Type type) {
  if (type.isF32())
    return {{CAMEO_FLOAT32, "float"}};
  if (type.isF64())
    return {{CAMEO_FLOAT64, "double"}};
  if (type.isF16())
    return {{CAMEO_FLOAT16, "uint16_t"}};
  if (type.isBF16())
    return {{CAMEO_BFLOAT16, "uint16_t"}};
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return {{CAMEO_BOOL, "uint8_t"}};
  case 8:
    return isUnsigned ? ElementType{CAMEO_UINT8, "uint8_t"} : ElementType{CAMEO_INT8, "int8_t"};
  case 16:
    return isUnsigned ? ElementType{CAMEO_UINT16, "uint16_t"} : ElementType{CAMEO_INT16, "int16_t"};
  case 32:
    return isUnsigned ? ElementType{CAMEO_UINT32, "uint32_t"} : ElementType{CAMEO_INT32, "int32_t"};
  case 64:
    return isUnsigned ? ElementType{CAMEO_UINT64, "uint64_t"} : ElementType{CAMEO_INT64, "int64_t"};
  default:
    return std::nullopt;
  }
}

FailureOr<PlannedTensor> readTensor(func::FuncOp main, unsigned argument, StringRef kind, unsigned number) {
  auto tensor = cast<RankedTensorType>(
      main.getArgAttrOfType<TypeAttr>(argument, task::TaskDialect::getTensorName()).getValue());
  Type element = tensor.getElementType();
  // Lowering drops signs; what the model declared is kept beside.
  if (auto declared = main.getArgAttrOfType<TypeAttr>(argument, "onnx.type"))
    element = getElementTypeOrSelf(declared.getValue());
  PlannedTensor planned;
  auto name = main.getArgAttrOfType<StringAttr>(argument, "onnx.name");
  planned.name = name ? name.str() : (kind + Twine(number)).str();
  std::optional<ElementType> type = elementTypeOf(element);
  if (!type)
    return main.emitError("expected ") << kind << " '" << planned.name << "' to have an element type of C, got " << element;
  planned.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  planned.elementType = type->number;
  planned.cType = type->cType;
  planned.bytes = tensor.getNumElements() * task::getElementBytes(element);
  return planned;
}

class PlaceReader {
public:
  PlaceReader(func::FuncOp main, unsigned inputs, unsigned outputs) : main(main), inputs(inputs), outputs(outputs) {}

  BufferPlace read(Value buffer) const {
    int64_t offset = 0;
    while (auto view = buffer.getDefiningOp<memref::ViewOp>()) {
      APInt value;
      [[maybe_unused]] bool constant = matchPattern(view.getByteShift(), m_ConstantInt(&value));
      assert(constant && "views of the planned @main are at constant offsets");
      offset += value.getSExtValue();
      buffer = view.getSource();
    }
    unsigned argument = cast<BlockArgument>(buffer).getArgNumber();
    if (argument < inputs)
      return {BufferPlace::Base::Input, argument, offset};
    if (argument < inputs + outputs)
      return {BufferPlace::Base::Output, argument - inputs, offset};
    return {argument == inputs + outputs ? BufferPlace::Base::Arena : BufferPlace::Base::Weights, 0, offset};
  }

private:
  func::FuncOp main;
  unsigned inputs, outputs;
};

int64_t bytesOf(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getNumElements() * task::getElementBytes(type.getElementType());
}

} // namespace

/// The steps of @main, in order.
static std::vector<PlannedStep> readSteps(func::FuncOp main, const PlaceReader &places) {
  std::vector<PlannedStep> steps;
  for (Operation &op : main.getBody().front()) {
    PlannedStep step;
    if (auto dispatch = dyn_cast<task::DispatchOp>(op)) {
      step.kernel = dispatch.getKernel().str();
      step.extent = cast<IntegerAttr>(dispatch.getExtent()).getInt();
      step.task = dispatch.getTaskIndex();
      step.beginsTask = op.hasAttr(task::TaskDialect::getBeginName());
    } else if (auto copy = dyn_cast<task::CopyOp>(op)) {
      step.bytes = bytesOf(copy.getSource());
    } else {
      continue;
    }
    for (Value operand : op.getOperands())
      step.buffers.push_back(places.read(operand));
    steps.push_back(std::move(step));
  }
  return steps;
}

FailureOr<ModelPlan> ModelPlan::read(ModuleOp module) {
  ModelPlan plan;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto count = [&](StringRef name) { return main ? main->getAttrOfType<IntegerAttr>(name) : IntegerAttr(); };
  IntegerAttr inputs = count(task::TaskDialect::getInputsName()), outputs = count(task::TaskDialect::getOutputsName());
  if (!inputs || !outputs)
    return module.emitError("expected a @main whose buffers are planned");
  unsigned tensors = inputs.getInt() + outputs.getInt();
  for (unsigned number = 0; number < tensors; ++number) {
    bool isInput = number < inputs.getInt();
    unsigned ofKind = isInput ? number : number - inputs.getInt();
    FailureOr<PlannedTensor> tensor = readTensor(main, number, isInput ? "input" : "output", ofKind);
    if (failed(tensor))
      return failure();
    (isInput ? plan.inputs : plan.outputs).push_back(*tensor);
  }
  plan.arenaBytes = bytesOf(main.getArgument(tensors));
  plan.weightBytes = bytesOf(main.getArgument(tensors + 1));
  plan.steps = readSteps(main, PlaceReader(main, inputs.getInt(), outputs.getInt()));
  for (auto info : module.getOps<task::InfoOp>())
    plan.tasks.push_back({info.getName().str(), info.getKey().str(), info.getFlops().convertToDouble(),
                          info.getBytes().convertToDouble()});
  return plan;
}

} // namespace cameo
