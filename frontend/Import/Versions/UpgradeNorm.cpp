// Upgrades normalizations, Softmax and Dropout of older operator sets.
#include "frontend/Import/Versions/OpsetUpgrade.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cameo;

namespace {

NamedAttribute intAttr(NodeDraft &draft, StringRef name, int64_t value) {
  return draft.builder.getNamedAttr(name, draft.builder.getI64IntegerAttr(value));
}

/// Returns the shape of a value, as a constant if it is static.
FailureOr<Value> getShape(NodeDraft &draft, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.hasStaticShape())
    return draft.makeInts(type.getShape());
  return draft.create("Shape", value);
}

FailureOr<Value> reshapeLike(NodeDraft &draft, Value value, Value like) {
  FailureOr<Value> shape = getShape(draft, like);
  if (failed(shape))
    return failure();
  // A dimension of size 0 stays 0.
  return draft.create("Reshape", {value, *shape}, intAttr(draft, "allowzero", 1));
}

/// Whether outputs other than the first are used. Before version 14 these decided whether a BatchNormalization trains.
bool hasTrainingOutputs(const NodeDraft &draft) {
  return draft.outputs.size() > 1 && llvm::is_contained(ArrayRef(draft.outputs).drop_front(), true);
}

/// Returns the mean of a batch or, with `isDeviation`, one over its standard deviation. The newest BatchNormalization
/// with momentum 0 returns the mean and variance of the batch as its running ones.
FailureOr<Value> createSaved(NodeDraft &draft, bool isDeviation, FloatAttr epsilon) {
  OpBuilder &builder = draft.builder;
  NamedAttribute attributes[] = {intAttr(draft, "training_mode", 1),
                                 builder.getNamedAttr("momentum", builder.getF32FloatAttr(0))};
  FailureOr<Operation *> norm = createOnnxOperation(builder, draft.loc, "BatchNormalization", draft.operands,
                                                    builder.getDictionaryAttr(attributes), {true, true, true});
  if (failed(norm) || !isDeviation)
    return failed(norm) ? FailureOr<Value>(failure()) : FailureOr<Value>((*norm)->getResult(1));
  Value variance = (*norm)->getResult(2);
  Value offset = draft.makeFloat(epsilon ? epsilon.getValueAsDouble() : 1e-5, getElementTypeOrSelf(variance.getType()));
  FailureOr<Value> positive = draft.create("Add", {variance, offset});
  FailureOr<Value> deviation = failed(positive) ? positive : draft.create("Sqrt", *positive);
  return failed(deviation) ? deviation : draft.create("Reciprocal", *deviation);
}

} // namespace

// Before version 13 these operators reshape their input to a matrix, whose rows are all dimensions from `axis` on.
LogicalResult cameo::normalizeFlattened(NodeDraft &draft) {
  FailureOr<IntegerAttr> attribute = draft.take<IntegerAttr>("axis");
  if (failed(attribute) || failed(draft.expectOperands(1)))
    return failure();
  int64_t axis = *attribute ? attribute->getInt() : 1;
  Value input = draft.operands[0];
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (type && (axis < -type.getRank() || axis > type.getRank()))
    return draft.emitError() << "expected axis within rank " << type.getRank() << ", got " << axis;
  if (type && axis < 0)
    axis += type.getRank();
  draft.attributes.set("axis", draft.builder.getI64IntegerAttr(-1));
  // If `axis` is the last dimension, the newest version computes the same.
  if ((type && axis == type.getRank() - 1) || (!type && axis == -1))
    return success();

  FailureOr<Value> flat = draft.create("Flatten", input, intAttr(draft, "axis", axis));
  if (failed(flat))
    return failure();
  draft.operands[0] = *flat;
  draft.finishes.push_back(
      {0, [&draft, input](Value result) -> FailureOr<Value> { return reshapeLike(draft, result, input); }});
  return success();
}

// With `spatial = 0` each element of an instance has its own scale, mean and variance: the elements are channels of an
// input without spatial dimensions.
LogicalResult cameo::flattenNonSpatial(NodeDraft &draft) {
  FailureOr<IntegerAttr> spatial = draft.take<IntegerAttr>("spatial");
  if (failed(spatial))
    return failure();
  if (!*spatial || spatial->getInt() != 0)
    return success();
  if (failed(draft.expectOperands(5)))
    return failure();
  Value input = draft.operands[0], scale = draft.operands[1];
  for (auto [number, operand] : llvm::enumerate(draft.operands)) {
    FailureOr<Value> flat = number == 0 ? draft.create("Flatten", operand, intAttr(draft, "axis", 1))
                                        : draft.create("Reshape", {operand, draft.makeInts(-1)});
    if (failed(flat))
      return failure();
    operand = *flat;
  }
  for (unsigned output = 0; output < draft.outputs.size(); ++output)
    if (draft.hasOutput(output))
      draft.finishes.push_back({output, [&draft, like = output == 0 ? input : scale](Value result) {
                                  return reshapeLike(draft, result, like);
                                }});
  return success();
}

// Before version 14 the outputs after the running mean and variance are values that training saves for the gradient.
LogicalResult cameo::trainByOutputs(NodeDraft &draft) {
  if (!hasTrainingOutputs(draft)) {
    draft.outputs.resize(1);
    draft.attributes.erase("momentum");
    return success();
  }
  if (failed(draft.expectOperands(5)))
    return failure();
  auto epsilon = dyn_cast_or_null<FloatAttr>(draft.attributes.get("epsilon"));
  draft.attributes.set("training_mode", draft.builder.getI64IntegerAttr(1));
  for (unsigned output : {3, 4})
    if (draft.hasOutput(output))
      draft.finishes.push_back(
          {output, [&draft, output, epsilon](Value) { return createSaved(draft, output == 4, epsilon); }});
  draft.outputs.resize(3);
  return success();
}

// Before version 21 there is one scale and one bias per group; now there is one per channel.
LogicalResult cameo::repeatGroupScales(NodeDraft &draft) {
  if (failed(draft.expectOperands(3)))
    return failure();
  auto groups = dyn_cast_or_null<IntegerAttr>(draft.attributes.get("num_groups"));
  auto type = dyn_cast<RankedTensorType>(draft.operands[0].getType());
  if (!groups || groups.getInt() <= 0)
    return draft.emitError() << "expected attribute 'num_groups' above 0";
  if (!type || type.getRank() < 2 || type.isDynamicDim(1) || type.getDimSize(1) % groups.getInt() != 0)
    return draft.emitError() << "expected a number of channels that " << groups.getInt() << " groups divide, got "
                             << draft.operands[0].getType();
  int64_t channels = type.getDimSize(1);
  for (unsigned i : {1, 2}) {
    FailureOr<Value> column = draft.create("Unsqueeze", {draft.operands[i], draft.makeInts(1)});
    if (failed(column))
      return failure();
    FailureOr<Value> rows =
        draft.create("Expand", {*column, draft.makeInts({groups.getInt(), channels / groups.getInt()})});
    if (failed(rows))
      return failure();
    FailureOr<Value> perChannel = draft.create("Reshape", {*rows, draft.makeInts(channels)});
    if (failed(perChannel))
      return failure();
    draft.operands[i] = *perChannel;
  }
  return success();
}

LogicalResult cameo::moveRatioToInput(NodeDraft &draft) {
  FailureOr<FloatAttr> ratio = draft.take<FloatAttr>("ratio");
  if (failed(ratio) || failed(draft.expectOperands(1)))
    return failure();
  if (*ratio)
    draft.setOperand(1, draft.makeFloat(ratio->getValueAsDouble(), draft.builder.getF32Type()));
  return success();
}

// Until version 10 the mask had the type of the data.
LogicalResult cameo::castDropoutMask(NodeDraft &draft) {
  if (draft.operands.empty() || !draft.hasOutput(1))
    return success();
  Type elementType = getElementTypeOrSelf(draft.operands[0].getType());
  draft.finishes.push_back({1, [&draft, elementType](Value mask) {
                              int64_t to = cameo::onnx::getDataTypeOf(elementType);
                              return draft.create("Cast", mask, intAttr(draft, "to", to));
                            }});
  return success();
}
