#include "passes/Codegen/Plan/ReadTensors.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "passes/Codegen/Plan/ReadSteps.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cameo {

std::optional<CElementType> elementTypeInC(Type type) {
  // C programs pass narrow types as bytes; the numbers of the types are those of ONNX.
  bool isNarrow = type.isIntOrFloat() && !type.isInteger(1) &&
                  (type.getIntOrFloatBitWidth() < 8 || (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8));
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
    return isUnsigned ? CElementType{CAMEO_UINT8, "uint8_t"} : CElementType{CAMEO_INT8, "int8_t"};
  case 16:
    return isUnsigned ? CElementType{CAMEO_UINT16, "uint16_t"} : CElementType{CAMEO_INT16, "int16_t"};
  case 32:
    return isUnsigned ? CElementType{CAMEO_UINT32, "uint32_t"} : CElementType{CAMEO_INT32, "int32_t"};
  case 64:
    return isUnsigned ? CElementType{CAMEO_UINT64, "uint64_t"} : CElementType{CAMEO_INT64, "int64_t"};
  default:
    return std::nullopt;
  }
}

namespace {

/// Numbers the dynamic dimensions: symbols, then derived sizes, then upper bounds of data-dependent dimensions.
class DimensionTable {
public:
  DimensionTable(ModelPlan &plan, func::FuncOp main) : plan(plan) {
    main.walk([&](task::BindOp bind) {
      plan.counted.push_back(bind.getName().str());
      bounds[bind.getNameAttr()] = readSize(bind.getMax());
    });
  }

  Dim batch() const { return *plan.batch; }

  /// Adds the names in the shape of an input, which are symbols that the caller of a run sets.
  void addSymbols(RankedTensorType input) {
    llvm::SetVector<StringAttr> names;
    for (const Dim &dim : onnx::getDims(input).value_or(onnx::DimList()))
      collectNames(dim, names);
    for (StringAttr name : names)
      if (!llvm::is_contained(plan.symbols, name.strref()))
        plan.symbols.push_back(name.str());
  }

  Dim mostOf(const Dim &dim) const { return upperBound(dim, bounds); }
  /// Whether `dim` is data-dependent.
  bool isCounted(const Dim &dim) const { return !mostOf(dim).equals(dim); }

  /// Registers a dimension. numberOf works only after all dimensions are added.
  void add(const Dim &dim) {
    if (isCounted(dim))
      insert(plan.greatest, mostOf(dim));
    else if (!dim.isStatic() && !isSymbol(dim))
      insert(plan.derived, dim);
  }

  /// Returns the number that stands for `dim` in a description.
  int64_t numberOf(const Dim &dim) {
    int64_t symbols = plan.symbols.size(), derived = plan.derived.size();
    if (isCounted(dim))
      return -1 - symbols - derived - insert(plan.greatest, mostOf(dim));
    if (dim.isStatic())
      return dim.getSize();
    return isSymbol(dim) ? -1 - (llvm::find(plan.symbols, dim.getName().strref()) - plan.symbols.begin())
                         : -1 - symbols - insert(plan.derived, dim);
  }

private:
  bool isSymbol(const Dim &dim) const {
    return dim.getName() && llvm::is_contained(plan.symbols, dim.getName().strref());
  }

  static int64_t insert(std::vector<Dim> &list, const Dim &dim) {
    auto place = llvm::find_if(list, [&](const Dim &other) { return other.equals(dim); });
    if (place == list.end())
      place = list.insert(place, dim);
    return place - list.begin();
  }

  ModelPlan &plan;
  DimBounds bounds;
};

std::string textOf(ArrayRef<Dim> dims) {
  return dims.empty() ? "scalar"
                      : llvm::join(llvm::map_range(dims,
                                                   [](const Dim &dim) {
                                                     std::string text = dim.getText();
                                                     return StringRef(text).contains(' ') ? "(" + text + ")" : text;
                                                   }),
                                   "x");
}

RankedTensorType tensorOf(func::FuncOp main, unsigned argument) {
  return cast<RankedTensorType>(
      main.getArgAttrOfType<TypeAttr>(argument, task::TaskDialect::getTensorName()).getValue());
}

/// Returns the dimensions of the tensor with all samples.
onnx::DimList wholeDims(func::FuncOp main, unsigned argument, const DimensionTable &dimensions) {
  onnx::DimList dims = *onnx::getDims(tensorOf(main, argument));
  if (main.getArgAttr(argument, task::TaskDialect::getPerSampleName()))
    dims.front() = mulDims(dims.front(), dimensions.batch());
  return dims;
}

FailureOr<PlannedTensor> readTensor(func::FuncOp main, unsigned argument, StringRef kind, unsigned number,
                                    DimensionTable &dimensions) {
  RankedTensorType tensor = tensorOf(main, argument);
  Type element = tensor.getElementType();
  // Lowering makes integers signless; the declared type is kept as an attribute.
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
      planned.stringKeys.push_back(key.str());
  std::optional<CElementType> type = elementTypeInC(element);
  if (!type)
    return main.emitError("expected ") << kind << " '" << planned.name << "' to have an element type of C, got "
                                       << element;
  // The size of the type that represents the element in memory.
  planned.elementBytes = task::getElementBytes(tensor.getElementType());
  planned.sampleBytes = mulDims(productOf(*onnx::getDims(tensor)), planned.elementBytes);
  planned.isPerSample = main.getArgAttr(argument, task::TaskDialect::getPerSampleName()) != nullptr;
  onnx::DimList dims = wholeDims(main, argument, dimensions);
  for (const Dim &dim : dims)
    planned.shape.push_back(dimensions.numberOf(dim));
  if (llvm::any_of(dims, [&](const Dim &dim) { return dimensions.isCounted(dim); }))
    planned.dims = dims;
  planned.shapeText = textOf(dims);
  planned.elementType = type->number;
  planned.cType = type->cType;
  planned.bytes = dimensions.mostOf(mulDims(productOf(dims), planned.elementBytes));
  return planned;
}

} // namespace

LogicalResult readTensors(ModelPlan &plan, func::FuncOp main, unsigned inputs, unsigned outputs) {
  DimensionTable dimensions(plan, main);
  for (unsigned number = 0; number < inputs; ++number)
    dimensions.addSymbols(tensorOf(main, number));
  for (unsigned number = 0; number < inputs + outputs; ++number)
    for (const Dim &dim : wholeDims(main, number, dimensions))
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

} // namespace cameo
