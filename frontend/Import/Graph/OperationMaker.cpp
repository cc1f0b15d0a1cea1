#include "frontend/Import/Graph/OperationMaker.h"

#include "frontend/Import/Versions/NodeDraft.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace cameo;

/// Attributes of a sequence of slices. A sequence whose elements are its operands has none, and all other values of a
/// tuple type have some.
static constexpr StringRef kSliceAxis = "slice_axis", kKeepsAxis = "keeps_axis";

std::optional<int64_t> cameo::getKnownScalar(Value value) {
  std::optional<SmallVector<int64_t>> known = cameo::onnx::getKnownInts(value);
  return known && known->size() == 1 ? std::optional(known->front()) : std::nullopt;
}

std::optional<SmallVector<Value>> cameo::getSequenceElements(Value value) {
  auto list = value.getDefiningOp<UnrealizedConversionCastOp>();
  if (!list || !isa<TupleType>(value.getType()) || !list->getDiscardableAttrDictionary().empty())
    return std::nullopt;
  return SmallVector<Value>(list.getInputs().begin(), list.getInputs().end());
}

Value OperationMaker::sequence(ArrayRef<Value> elements) {
  Type type = TupleType::get(builder.getContext(), TypeRange(ValueRange(elements)));
  return UnrealizedConversionCastOp::create(builder, loc, TypeRange(type), elements).getResult(0);
}

std::optional<SliceSequence> cameo::getSliceSequence(Value value) {
  auto slices = value.getDefiningOp<UnrealizedConversionCastOp>();
  auto axis = slices ? slices->getAttrOfType<IntegerAttr>(kSliceAxis) : IntegerAttr();
  if (!axis)
    return std::nullopt;
  Value sizes = slices.getInputs().size() > 1 ? slices.getInputs()[1] : Value();
  return SliceSequence{slices.getInputs().front(), axis.getInt(), slices->hasAttr(kKeepsAxis), sizes};
}

Value OperationMaker::sequence(const SliceSequence &slices) {
  Type type = TupleType::get(builder.getContext(), TypeRange(slices.data.getType()));
  SmallVector<Value> inputs = {slices.data};
  if (slices.sizes)
    inputs.push_back(slices.sizes);
  auto cast = UnrealizedConversionCastOp::create(builder, loc, TypeRange(type), inputs);
  cast->setAttr(kSliceAxis, builder.getI64IntegerAttr(slices.axis));
  if (slices.keepsAxis)
    cast->setAttr(kKeepsAxis, builder.getUnitAttr());
  return cast.getResult(0);
}

FailureOr<Value> OperationMaker::make(StringRef type, ValueRange operands, ArrayRef<NamedAttribute> attributes) {
  FailureOr<Operation *> op =
      createOnnxOperation(builder, loc, type, operands, builder.getDictionaryAttr(attributes), {true});
  if (failed(op))
    return failure();
  return (*op)->getResult(0);
}

Value OperationMaker::scalar(int64_t value) {
  auto type = RankedTensorType::get({}, builder.getI64Type());
  return cameo::onnx::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, ArrayRef<int64_t>(value)));
}

Value OperationMaker::boolean(bool value) {
  auto type = RankedTensorType::get({}, builder.getI1Type());
  return cameo::onnx::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, ArrayRef<bool>(value)));
}

Value OperationMaker::ints(ArrayRef<int64_t> values) { return cameo::onnx::makeIntsConstant(builder, loc, values); }

FailureOr<Value> OperationMaker::stack(ArrayRef<Value> values, Type type, int64_t along) {
  if (!values.empty()) {
    SmallVector<Value> parts;
    for (Value value : values) {
      FailureOr<Value> part = make("Unsqueeze", {value, ints({along})});
      if (failed(part))
        return failure();
      parts.push_back(*part);
    }
    return make("Concat", parts, axis(along));
  }
  auto slice = dyn_cast<RankedTensorType>(type);
  if (!slice || !slice.hasStaticShape())
    return emitError(loc) << "expected outputs of known shape from a loop that never runs, got " << type;
  SmallVector<int64_t> shape(slice.getShape());
  shape.insert(shape.begin() + (along < 0 ? along + slice.getRank() + 1 : along), 0);
  auto empty = RankedTensorType::get(shape, slice.getElementType());
  return Value(
      cameo::onnx::ConstantOp::create(builder, loc, empty, DenseElementsAttr::get(empty, ArrayRef<Attribute>())));
}
