// Reads the planned @main.
#include "passes/Codegen/ModelPlan.h"

#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Task/TaskTextOps.h"
#include "runtime/include/cameo/abi.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cameo {
namespace {

struct ElementType {
  int number; ///< cameo_element_type
  const char *cType;
};

std::optional<ElementType> elementTypeOf(Type type) {
  // Narrow ones are bytes to C; their numbers are ONNX's.
  bool isNarrow = type.isIntOrFloat() && !type.isInteger(1) && (type.getIntOrFloatBitWidth() < 8 || (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8));
  if (isNarrow)
    return {{static_cast<int>(onnx::getDataTypeOf(type)), "uint8_t"}};
  if (type.isF32())
    return {{CAMEO_FLOAT32, "float"}};
  if (type.isF64())
    return {{CAMEO_FLOAT64, "double"}};
  if (type.isF16())
    return {{CAMEO_FLOAT16, "uint16_t"}};
  if (type.isBF16())
    return {{CAMEO_BFLOAT16, "uint16_t"}};
  if (isa<onnx::StringType>(type))
    return {{CAMEO_STRING, "const char *"}};
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

/// A number of the run as an operation states it.
onnx::Dim sizeOf(Attribute stated) {
  if (auto number = dyn_cast<IntegerAttr>(stated))
    return number.getInt();
  return onnx::Dim::named(cast<StringAttr>(stated));
}

/// Numbers the dimensions that only the run knows: symbols, then derived sizes, then the greatest values of what data decides.
class DimensionTable {
public:
  DimensionTable(ModelPlan &plan, func::FuncOp main) : plan(plan) {
    main.walk([&](task::BindOp bind) {
      plan.counted.push_back(bind.getName().str());
      bounds[bind.getNameAttr()] = sizeOf(bind.getMost());
    });
  }

  onnx::Dim items(MLIRContext *context) const { return onnx::Dim::named(StringAttr::get(context, plan.items)); }

  /// A run chooses the names in the shapes of its inputs.
  void addSymbols(RankedTensorType input) {
    llvm::SetVector<StringAttr> names;
    for (const onnx::Dim &dim : onnx::getDims(input).value_or(onnx::DimList()))
      onnx::collectNames(dim, names);
    for (StringAttr name : names)
      if (!llvm::is_contained(plan.symbols, name.strref()))
        plan.symbols.push_back(name.str());
  }

  onnx::Dim mostOf(const onnx::Dim &dim) const { return onnx::upperBound(dim, bounds); }
  /// Whether data decides it.
  bool isCounted(const onnx::Dim &dim) const { return !mostOf(dim).equals(dim); }

  /// Makes room for a dimension; numbers are known when all have it.
  void add(const onnx::Dim &dim) {
    if (isCounted(dim))
      insert(plan.greatest, mostOf(dim));
    else if (!dim.isStatic() && !llvm::is_contained(plan.symbols, dim.getName().strref()))
      insert(plan.derived, dim);
  }

  /// As a description states the dimension.
  int64_t numberOf(const onnx::Dim &dim) {
    int64_t symbols = plan.symbols.size(), derived = plan.derived.size();
    if (isCounted(dim))
      return -1 - symbols - derived - insert(plan.greatest, mostOf(dim));
    if (dim.isStatic())
      return dim.getSize();
    auto symbol = llvm::find(plan.symbols, dim.getName().strref());
    return symbol != plan.symbols.end() ? -1 - (symbol - plan.symbols.begin()) : -1 - symbols - insert(plan.derived, dim);
  }

private:
  static int64_t insert(std::vector<onnx::Dim> &list, const onnx::Dim &dim) {
    auto place = llvm::find_if(list, [&](const onnx::Dim &other) { return other.equals(dim); });
    if (place == list.end())
      place = list.insert(place, dim);
    return place - list.begin();
  }

  ModelPlan &plan;
  onnx::DimBounds bounds;
};

std::string textOf(ArrayRef<onnx::Dim> dims) {
  return dims.empty() ? "scalar" : llvm::join(llvm::map_range(dims, [](const onnx::Dim &dim) {
    if (dim.isStatic())
      return std::to_string(dim.getSize());
    return dim.getName().strref().contains(' ') ? "(" + dim.getName().str() + ")" : dim.getName().str();
  }), "x");
}

RankedTensorType tensorOf(func::FuncOp main, unsigned argument) {
  return cast<RankedTensorType>(main.getArgAttrOfType<TypeAttr>(argument, task::TaskDialect::getTensorName()).getValue());
}

/// The dimensions of all items together.
onnx::DimList wholeDims(func::FuncOp main, unsigned argument, const DimensionTable &dimensions) {
  onnx::DimList dims = *onnx::getDims(tensorOf(main, argument));
  if (main.getArgAttr(argument, task::TaskDialect::getPerItemName()))
    dims.front() = onnx::mulDims(dims.front(), dimensions.items(main.getContext()));
  return dims;
}

FailureOr<PlannedTensor> readTensor(func::FuncOp main, unsigned argument, StringRef kind, unsigned number,
                                    DimensionTable &dimensions) {
  RankedTensorType tensor = tensorOf(main, argument);
  Type element = tensor.getElementType();
  // Lowering drops signs; what the model declared is kept beside.
  if (auto declared = main.getArgAttrOfType<TypeAttr>(argument, "onnx.type"))
    element = getElementTypeOrSelf(declared.getValue());
  PlannedTensor planned;
  auto name = main.getArgAttrOfType<StringAttr>(argument, "onnx.name");
  planned.name = name ? name.str() : (kind + Twine(number)).str();
  if (auto sequence = main.getArgAttrOfType<StringAttr>(argument, "onnx.sequence"))
    planned.sequence = sequence.str();
  if (auto keys = main.getArgAttrOfType<DenseI64ArrayAttr>(argument, "onnx.keys"))
    planned.integerKeys = keys.asArrayRef().vec();
  if (auto keys = main.getArgAttrOfType<ArrayAttr>(argument, "onnx.keys"))
    for (auto key : keys.getAsRange<StringAttr>())
      planned.textKeys.push_back(key.str());
  std::optional<ElementType> type = elementTypeOf(element);
  if (!type)
    return main.emitError("expected ") << kind << " '" << planned.name << "' to have an element type of C, got " << element;
  // Of what stands for the element in memory.
  planned.elementBytes = task::getElementBytes(tensor.getElementType());
  planned.itemBytes = onnx::mulDims(onnx::productOf(*onnx::getDims(tensor)), planned.elementBytes);
  planned.isPerItem = main.getArgAttr(argument, task::TaskDialect::getPerItemName()) != nullptr;
  onnx::DimList dims = wholeDims(main, argument, dimensions);
  for (const onnx::Dim &dim : dims)
    planned.shape.push_back(dimensions.numberOf(dim));
  if (llvm::any_of(dims, [&](const onnx::Dim &dim) { return dimensions.isCounted(dim); }))
    planned.dims = dims;
  planned.shapeText = textOf(dims);
  planned.elementType = type->number;
  planned.cType = type->cType;
  planned.bytes = dimensions.mostOf(onnx::mulDims(onnx::productOf(dims), planned.elementBytes));
  return planned;
}

class PlaceReader {
public:
  PlaceReader(func::FuncOp main, unsigned inputs, unsigned outputs) : main(main), inputs(inputs), outputs(outputs) {}

  BufferPlace read(Value buffer) {
    int64_t offset = 0;
    if (auto cast = buffer.getDefiningOp<memref::CastOp>())
      buffer = cast.getSource();
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
    if (argument == inputs + outputs)
      return {BufferPlace::Base::Arena, 0, offset};
    if (argument == inputs + outputs + 1)
      return {BufferPlace::Base::Weights, 0, offset};
    if (main.getArgAttr(argument, task::TaskDialect::getSizesName()))
      return {BufferPlace::Base::Sizes, 0, offset};
    if (main.getArgAttr(argument, task::textsName))
      return {BufferPlace::Base::Texts, 0, offset};
    if (main.getArgAttr(argument, task::textAreaName))
      return {BufferPlace::Base::TextArea, 0, offset};
    return {BufferPlace::Base::Slot, argument - inputs - outputs - 2, offset};
  }

private:
  func::FuncOp main;
  unsigned inputs, outputs;
};

int64_t bytesOf(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getNumElements() * task::getElementBytes(type.getElementType());
}

std::vector<onnx::Dim> readSizes(Attribute attribute) {
  std::vector<onnx::Dim> sizes;
  if (auto expressions = dyn_cast_or_null<ArrayAttr>(attribute))
    for (auto expression : expressions.getAsRange<StringAttr>())
      sizes.push_back(onnx::Dim::named(expression));
  return sizes;
}

} // namespace

/// The operations of @main as steps, in order.
namespace {

class StepReader {
public:
  StepReader(ModelPlan &plan, PlaceReader places) : plan(plan), places(places) {}

  void read(Block &block) {
    for (Operation &op : block) {
      if (auto repeat = dyn_cast<task::RepeatOp>(op))
        readLoop(repeat);
      else if (isa<task::DispatchOp, task::CopyOp, task::BindOp>(op))
        plan.steps.push_back(readStep(op));
    }
  }

private:
  void readLoop(task::RepeatOp repeat) {
    PlannedStep step{PlannedStep::Kind::Repeat};
    step.buffers.push_back(places.read(repeat.getRound()));
    if (repeat.getRounds())
      step.rounds = places.read(repeat.getRounds());
    if (repeat.getCondition())
      step.condition = places.read(repeat.getCondition());
    if (repeat.getMost())
      step.most = sizeOf(*repeat.getMost());
    plan.steps.push_back(std::move(step));
    read(repeat.getSteps().front());
    plan.steps.push_back({PlannedStep::Kind::Next});
  }

  PlannedStep readStep(Operation &op) {
    PlannedStep step;
    for (Value operand : op.getOperands())
      step.buffers.push_back(places.read(operand));
    if (auto dispatch = dyn_cast<task::DispatchOp>(op)) {
      step.kernel = dispatch.getKernel().str();
      step.extent = sizeOf(dispatch.getExtent());
      step.task = dispatch.getTaskIndex();
      step.beginsTask = op.hasAttr(task::TaskDialect::getBeginName());
    } else if (auto bind = dyn_cast<task::BindOp>(op)) {
      step.kind = PlannedStep::Kind::Bind;
      step.bound = bind.getName().str();
      step.extent = sizeOf(bind.getMost());
    } else {
      step.kind = PlannedStep::Kind::Copy;
      bool isWholeOutput = step.buffers[1].base == BufferPlace::Base::Output && step.buffers.size() == 2;
      step.bytes = isWholeOutput ? plan.outputs[step.buffers[1].index].itemBytes : bytesIn(op.getOperand(0), step.buffers[0]);
    }
    return step;
  }

  /// Of a buffer whose type may leave its size to the run: a tensor of the caller, or a view that names it.
  onnx::Dim bytesIn(Value buffer, const BufferPlace &place) const {
    if (cast<MemRefType>(buffer.getType()).hasStaticShape())
      return bytesOf(buffer);
    if (place.base == BufferPlace::Base::Input || place.base == BufferPlace::Base::Output)
      return (place.base == BufferPlace::Base::Input ? plan.inputs : plan.outputs)[place.index].itemBytes;
    auto size = buffer.getDefiningOp<memref::ViewOp>().getSizes().front().getDefiningOp<task::SizeOp>();
    return onnx::mulDims(onnx::Dim::named(size.getExpressionAttr()), task::getElementBytes(getElementTypeOrSelf(buffer.getType())));
  }

  ModelPlan &plan;
  PlaceReader places;
};

} // namespace

/// Constant texts in the order of the table of their addresses.
static std::vector<std::string> readTexts(ModuleOp module) {
  std::vector<std::string> texts;
  for (auto table : module.getOps<task::TextTableOp>()) {
    assert(table.getOffset() == texts.size() * sizeof(uint64_t) && "tables lie one behind the other");
    for (StringRef text : cast<DenseStringElementsAttr>(table.getValue()).getValues<StringRef>())
      texts.push_back(text.str());
  }
  return texts;
}

/// A name that no input has and no step finds has no value.
static LogicalResult checkNames(func::FuncOp main, const ModelPlan &plan) {
  llvm::SetVector<StringAttr> names;
  auto collect = [&](ArrayRef<onnx::Dim> sizes) {
    for (const onnx::Dim &size : sizes)
      onnx::collectNames(size, names);
  };
  collect(plan.derived);
  collect(plan.dimensions);
  collect(plan.zeros);
  collect(plan.sizes);
  for (const std::vector<onnx::Dim> &slot : plan.slots)
    collect(slot);
  for (const PlannedStep &step : plan.steps)
    collect({step.extent, step.bytes, step.most.value_or(0)});
  for (StringAttr name : names)
    if (!llvm::is_contained(plan.symbols, name.strref()) && !llvm::is_contained(plan.counted, name.strref()))
      return main.emitError("expected sizes that follow from the dimensions of the inputs, got '") << name.strref() << "'";
  return success();
}

/// Inputs and outputs, with the numbers of their dimensions.
static LogicalResult readTensors(ModelPlan &plan, func::FuncOp main, unsigned inputs, unsigned outputs) {
  DimensionTable dimensions(plan, main);
  for (unsigned number = 0; number < inputs; ++number)
    dimensions.addSymbols(tensorOf(main, number));
  for (unsigned number = 0; number < inputs + outputs; ++number)
    for (const onnx::Dim &dim : wholeDims(main, number, dimensions))
      dimensions.add(dim);
  for (unsigned number = 0; number < inputs + outputs; ++number) {
    bool isInput = number < inputs;
    FailureOr<PlannedTensor> tensor =
        readTensor(main, number, isInput ? "input" : "output", isInput ? number : number - inputs, dimensions);
    if (failed(tensor))
      return failure();
    (isInput ? plan.inputs : plan.outputs).push_back(*tensor);
  }
  return success();
}

FailureOr<ModelPlan> ModelPlan::read(ModuleOp module) {
  ModelPlan plan;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  auto count = [&](StringRef name) { return main ? main->getAttrOfType<IntegerAttr>(name) : IntegerAttr(); };
  IntegerAttr inputs = count(task::TaskDialect::getInputsName()), outputs = count(task::TaskDialect::getOutputsName());
  if (!inputs || !outputs)
    return module.emitError("expected a @main whose buffers are planned");
  if (auto items = module->getAttrOfType<StringAttr>(task::TaskDialect::getItemsName())) {
    plan.items = items.str();
    plan.symbols.push_back(plan.items);
  }
  if (failed(readTensors(plan, main, inputs.getInt(), outputs.getInt())))
    return failure();
  unsigned tensors = inputs.getInt() + outputs.getInt();
  plan.arenaBytes = bytesOf(main.getArgument(tensors));
  plan.weightBytes = bytesOf(main.getArgument(tensors + 1));
  plan.dimensions = readSizes(main->getAttr(task::TaskDialect::getDimensionsName()));
  plan.zeros = readSizes(main->getAttr(task::TaskDialect::getZerosName()));
  for (unsigned number = tensors + 2; number < main.getNumArguments(); ++number) {
    if (Attribute slot = main.getArgAttr(number, task::TaskDialect::getSlotName()))
      plan.slots.push_back(readSizes(slot));
    else if (Attribute sizes = main.getArgAttr(number, task::TaskDialect::getSizesName()))
      plan.sizes = readSizes(sizes);
    plan.makesTexts |= main.getArgAttr(number, task::textAreaName) != nullptr;
  }
  plan.texts = readTexts(module);
  StepReader(plan, PlaceReader(main, inputs.getInt(), outputs.getInt())).read(main.getBody().front());
  if (failed(checkNames(main, plan)))
    return failure();
  for (auto info : module.getOps<task::InfoOp>())
    plan.tasks.push_back({info.getName().str(), info.getKey().str(), info.getFlops().convertToDouble(),
                          info.getBytes().convertToDouble(), info.getSchedule().value_or("plain loops").str()});
  return plan;
}

} // namespace cameo
