// Upgrades Upsample and Resize, whose meaning changed most between operator sets, GridSample and RoiAlign.
#include "frontend/Import/Versions/OpsetUpgrade.h"

#include "dialects/Onnx/ConstantData.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace cameo;

namespace {

bool isString(NodeDraft &draft, StringRef name, StringRef value) {
  auto attribute = dyn_cast_or_null<StringAttr>(draft.attributes.get(name));
  return attribute && attribute.getValue() == value;
}

FailureOr<Value> makeScales(NodeDraft &draft, ArrayRef<float> scales) {
  auto type = RankedTensorType::get({static_cast<int64_t>(scales.size())}, draft.builder.getF32Type());
  auto value = DenseElementsAttr::get(type, scales);
  return draft.create("Constant", {}, draft.builder.getNamedAttr("value", value));
}

} // namespace

LogicalResult cameo::moveScalesToInput(NodeDraft &draft) {
  FailureOr<DenseF32ArrayAttr> scales = draft.take<DenseF32ArrayAttr>("scales");
  if (failed(scales) || failed(draft.expectOperands(1)))
    return failure();
  if (!*scales)
    return draft.emitError() << "expected attribute 'scales'";
  FailureOr<Value> constant = makeScales(draft, scales->asArrayRef());
  if (failed(constant))
    return failure();
  draft.setOperand(1, *constant);
  return success();
}

LogicalResult cameo::upsampleToResize(NodeDraft &draft) {
  draft.opType = "Resize";
  return success();
}

// The first version of Resize has no attributes for coordinates: it divides them by the scale, and rounds down for
// scales above 1 and up for scales below 1 to find the nearest element. One operation rounds one way, so the dimensions
// that shrink have an operation of their own where others grow.
LogicalResult cameo::addResizeCoordinates(NodeDraft &draft) {
  if (failed(draft.expectOperands(2)))
    return failure();
  Value scales = draft.operands[1];
  draft.operands[1] = draft.makeNone();
  draft.attributes.set("coordinate_transformation_mode", draft.builder.getStringAttr("asymmetric"));
  SmallVector<float> growing, shrinking;
  for (double scale : cameo::onnx::getConstantFloats(scales).value_or(SmallVector<double>())) {
    growing.push_back(static_cast<float>(std::max(scale, 1.0)));
    shrinking.push_back(static_cast<float>(std::min(scale, 1.0)));
  }
  auto isOne = [](float scale) { return scale == 1; };
  bool shrinks = !llvm::all_of(shrinking, isOne);
  if (shrinks && !llvm::all_of(growing, isOne) && !isString(draft, "mode", "linear")) {
    FailureOr<Value> least = makeScales(draft, shrinking), most = makeScales(draft, growing);
    if (failed(least) || failed(most))
      return failure();
    NamedAttrList attributes = draft.attributes;
    attributes.set("nearest_mode", draft.builder.getStringAttr("ceil"));
    FailureOr<Value> shrunk =
        draft.create("Resize", {draft.operands[0], draft.makeNone(), *least}, attributes.getAttrs());
    if (failed(shrunk))
      return failure();
    draft.operands[0] = *shrunk;
    scales = *most;
    shrinks = false;
  }
  draft.setOperand(2, scales);
  draft.attributes.set("nearest_mode", draft.builder.getStringAttr(shrinks ? "ceil" : "floor"));
  return success();
}

// `tf_half_pixel_for_nn` is `half_pixel` without the shift by half a pixel, which another rounding mode replaces.
LogicalResult cameo::shiftResizeRounding(NodeDraft &draft) {
  if (!isString(draft, "coordinate_transformation_mode", "tf_half_pixel_for_nn"))
    return success();
  StringRef rounding;
  if (isString(draft, "nearest_mode", "floor"))
    rounding = "round_prefer_ceil";
  else if (!draft.attributes.get("nearest_mode") || isString(draft, "nearest_mode", "round_prefer_floor"))
    rounding = "ceil";
  if (rounding.empty() || isString(draft, "mode", "linear") || isString(draft, "mode", "cubic"))
    return draft.emitError()
           << "coordinate_transformation_mode 'tf_half_pixel_for_nn' is not supported with these modes";
  draft.attributes.set("coordinate_transformation_mode", draft.builder.getStringAttr("half_pixel"));
  draft.attributes.set("nearest_mode", draft.builder.getStringAttr(rounding));
  return success();
}

// Before version 13 scales and regions were required inputs. Tools still write them without elements.
LogicalResult cameo::dropEmptyResizeInputs(NodeDraft &draft) {
  StringRef coordinates = "coordinate_transformation_mode";
  for (unsigned input : {1, 2, 3}) {
    if (!draft.hasOperand(input))
      continue;
    auto type = dyn_cast<RankedTensorType>(draft.operands[input].getType());
    bool isUnused = input == 1 && !isString(draft, coordinates, "tf_crop_and_resize");
    if (isUnused || (type && type.hasStaticShape() && type.getNumElements() == 0))
      draft.operands[input] = draft.makeNone();
  }
  return success();
}

LogicalResult cameo::renameSamplingModes(NodeDraft &draft) {
  if (isString(draft, "mode", "bilinear"))
    draft.attributes.set("mode", draft.builder.getStringAttr("linear"));
  else if (isString(draft, "mode", "bicubic"))
    draft.attributes.set("mode", draft.builder.getStringAttr("cubic"));
  return success();
}

LogicalResult cameo::keepRegionCoordinates(NodeDraft &draft) {
  draft.attributes.set("coordinate_transformation_mode", draft.builder.getStringAttr("output_half_pixel"));
  return success();
}
