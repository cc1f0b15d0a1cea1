#include "frontend/Import/Written/NodeWriter.h"

#include "frontend/Import/Graph/RunLoop.h"
#include "frontend/Import/Inputs/MapSequence.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cameo;

template <typename Attr> Attr NodeWriter::take(StringRef name) {
  FailureOr<Attr> attribute = failed ? FailureOr<Attr>(Attr()) : draft.take<Attr>(name);
  failed |= mlir::failed(attribute);
  return failed ? Attr() : *attribute;
}

SmallVector<float> NodeWriter::takeFloats(StringRef name) {
  auto values = take<DenseF32ArrayAttr>(name);
  return values ? SmallVector<float>(values.asArrayRef()) : SmallVector<float>();
}

SmallVector<int64_t> NodeWriter::takeInts(StringRef name) {
  auto values = take<DenseI64ArrayAttr>(name);
  return values ? SmallVector<int64_t>(values.asArrayRef()) : SmallVector<int64_t>();
}

SmallVector<std::string> NodeWriter::takeStrings(StringRef name) {
  SmallVector<std::string> strings;
  if (auto values = take<ArrayAttr>(name))
    for (Attribute value : values)
      strings.push_back(llvm::cast<StringAttr>(value).str());
  return strings;
}

SmallVector<double> NodeWriter::takeNumbers(StringRef name) {
  std::string tensorName =
      has(name) && isa<ElementsAttr>(draft.attributes.get(name)) ? name.str() : (name + "_as_tensor").str();
  if (auto tensor = take<ElementsAttr>(tensorName)) {
    if (std::optional<SmallVector<double>> values = cameo::onnx::getConstantFloats(Attribute(tensor)))
      return *values;
    if (std::optional<SmallVector<int64_t>> values = cameo::onnx::getConstantInts(Attribute(tensor)))
      return SmallVector<double>(values->begin(), values->end());
    expect(false, "expected numbers in attribute '" + name + "'");
    return {};
  }
  SmallVector<float> values = takeFloats(name);
  return SmallVector<double>(values.begin(), values.end());
}

Value NodeWriter::takeTensor(StringRef name) {
  auto tensor = take<ElementsAttr>(name);
  if (!tensor)
    return {};
  return cameo::onnx::ConstantOp::create(draft.builder, draft.loc, tensor.getType(), tensor);
}

int64_t NodeWriter::takeInt(StringRef name, int64_t otherwise) {
  auto value = take<IntegerAttr>(name);
  return value ? value.getInt() : otherwise;
}

float NodeWriter::takeFloat(StringRef name, float otherwise) {
  auto value = take<FloatAttr>(name);
  return value ? static_cast<float>(value.getValueAsDouble()) : otherwise;
}

std::string NodeWriter::takeString(StringRef name, StringRef otherwise) {
  auto value = take<StringAttr>(name);
  return value ? value.str() : otherwise.str();
}

float NodeWriter::takeNumber(StringRef name) {
  if (isa_and_nonnull<IntegerAttr>(draft.attributes.get(name)))
    return static_cast<float>(takeInt(name, 0));
  return takeFloat(name, 0);
}

StringRef NodeWriter::nodeName() const {
  auto named = dyn_cast<NameLoc>(draft.loc);
  return named ? named.getName().strref() : "";
}

Value NodeWriter::scalar(int64_t value) {
  return cameo::onnx::makeConstant(draft.builder, draft.loc, RankedTensorType::get({}, i64()), ArrayRef(value));
}

Value NodeWriter::bits(uint32_t value) {
  auto type = RankedTensorType::get({}, draft.builder.getIntegerType(32, /*isSigned=*/false));
  return cameo::onnx::makeConstant(draft.builder, draft.loc, type, ArrayRef(value));
}

Value NodeWriter::floats(ArrayRef<float> values, ArrayRef<int64_t> shape) {
  return cameo::onnx::makeConstant(draft.builder, draft.loc, RankedTensorType::get(shape, f32()), values);
}

Value NodeWriter::indices(ArrayRef<int32_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, draft.builder.getI32Type());
  return cameo::onnx::makeConstant(draft.builder, draft.loc, type, values);
}

Value NodeWriter::flags(ArrayRef<char> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())}, draft.builder.getI1Type());
  return cameo::onnx::makeConstant(draft.builder, draft.loc, type, values);
}

Value NodeWriter::strings(ArrayRef<std::string> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    cameo::onnx::StringType::get(draft.builder.getContext()));
  SmallVector<StringRef> elements(values.begin(), values.end());
  return cameo::onnx::ConstantOp::create(draft.builder, draft.loc, type, DenseElementsAttr::get(type, elements));
}

Value NodeWriter::numbers(ArrayRef<double> values, ArrayRef<int64_t> shape, Type elementType) {
  std::vector<char> bytes;
  for (double value : values) {
    APFloat rounded(value);
    bool losesInfo = false;
    rounded.convert(llvm::cast<FloatType>(elementType).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
    uint64_t bits = rounded.bitcastToAPInt().getZExtValue();
    const char *begin = reinterpret_cast<const char *>(&bits);
    bytes.insert(bytes.end(), begin, begin + elementType.getIntOrFloatBitWidth() / 8);
  }
  return cameo::onnx::makeConstant(draft.builder, draft.loc, RankedTensorType::get(shape, elementType),
                                   std::move(bytes));
}

Value NodeWriter::make(StringRef opType, ValueRange operands, ArrayRef<NamedAttribute> attributes) {
  if (failed || llvm::is_contained(operands, Value()))
    return {};
  FailureOr<Value> value = draft.create(opType, operands, attributes);
  failed |= mlir::failed(value);
  return failed ? Value() : *value;
}

SmallVector<Value> NodeWriter::makeAll(StringRef opType, ValueRange operands, ArrayRef<NamedAttribute> attributes,
                                       ArrayRef<bool> outputs) {
  SmallVector<Value> nothing(outputs.size());
  if (failed || llvm::is_contained(operands, Value()))
    return nothing;
  FailureOr<Operation *> op = createOnnxOperation(draft.builder, draft.loc, opType, operands,
                                                  draft.builder.getDictionaryAttr(attributes), outputs);
  failed |= mlir::failed(op);
  return failed ? nothing : SmallVector<Value>((*op)->getResults());
}

int64_t NodeWriter::rankOf(Value value) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  expect(failed || type, "expected an input of known rank");
  return type ? type.getRank() : 0;
}

Value NodeWriter::lengthen(Value value, int64_t axis, Value count) {
  if (!value)
    return {};
  int64_t rank = llvm::cast<RankedTensorType>(value.getType()).getRank();
  SmallVector<Value> pads = {ints(SmallVector<int64_t>(rank + axis, 0)), make("Reshape", {count, ints(1)}),
                             ints(SmallVector<int64_t>(rank - axis - 1, 0))};
  return make("Pad", {value, make("Concat", pads, attr("axis", 0))});
}

Value NodeWriter::cast(Value value, Type elementType) {
  if (!value || elementOf(value) == elementType)
    return value;
  return make("Cast", value, attr("to", cameo::onnx::getDataTypeOf(elementType)));
}

SmallVector<Value> NodeWriter::repeat(Value tripCount, ArrayRef<Value> carried, IterationMaker body) {
  SmallVector<Value> nothing(carried.size());
  if (failed || !tripCount || llvm::is_contained(carried, Value()))
    return nothing;
  // No results are stacked, so the upper bound of the trip count is not needed.
  RunLoop loop{tripCount, Value(), SmallVector<Value>(carried), cameo::Dim(), /*isExact=*/true};
  FailureOr<RunLoopResults> made = makeRunLoop(
      draft.builder, draft.loc, loop, [&](Value iteration, ArrayRef<Value> values) -> FailureOr<SmallVector<Value>> {
        SmallVector<Value> results = body(iteration, values);
        return failed ? FailureOr<SmallVector<Value>>(failure()) : results;
      });
  failed |= mlir::failed(made);
  return failed ? nothing : made->last;
}

Value NodeWriter::stack(Value tripCount, cameo::Dim most, llvm::function_ref<Value(Value)> body) {
  if (failed || !tripCount)
    return {};
  RunLoop loop{tripCount, Value(), {}, most, /*isExact=*/false};
  FailureOr<RunLoopResults> made = makeRunLoop(
      draft.builder, draft.loc, loop, [&](Value iteration, ArrayRef<Value>) -> FailureOr<SmallVector<Value>> {
        Value slice = body(iteration);
        return failed ? FailureOr<SmallVector<Value>>(failure()) : SmallVector<Value>{Value(), slice};
      });
  failed |= mlir::failed(made);
  return failed ? Value() : made->stacked.front();
}

Value NodeWriter::maps(Value rows, Attribute keys) {
  return failed || !rows ? Value() : makeMapSequence(draft.builder, draft.loc, {rows, keys});
}

Value NodeWriter::rows(Value value) {
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  return type && type.getRank() == 1 ? make("Unsqueeze", {value, ints(0)}) : value;
}

/// Returns any type for a null value, because a writer continues after a failure without creating operations.
Type NodeWriter::elementOf(Value value) const {
  return value ? getElementTypeOrSelf(value.getType()) : draft.builder.getF32Type();
}

bool NodeWriter::isString(Value value) const { return isa<cameo::onnx::StringType>(elementOf(value)); }

SmallVector<std::string> NodeWriter::stringsOf(Value constant) const {
  DenseStringElementsAttr elements;
  bool isConstant = matchPattern(constant, m_Constant(&elements));
  assert(isConstant && "made by strings() or takeTensor()");
  (void)isConstant;
  auto values = elements.getValues<StringRef>();
  return SmallVector<std::string>(values.begin(), values.end());
}

void NodeWriter::expect(bool condition, const Twine &what) {
  if (condition || failed)
    return;
  draft.emitError() << what;
  failed = true;
}
