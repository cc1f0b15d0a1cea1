// Upgrades operators whose sizes, axes and bounds moved from attributes to inputs.
#include "frontend/Import/Versions/OpsetUpgrade.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace cameo;

namespace {

/// Moves a list of integers to an input. The input stays absent if the node does not have the list.
LogicalResult moveIntsToInput(NodeDraft &draft, StringRef name, unsigned input) {
  FailureOr<DenseI64ArrayAttr> values = draft.take<DenseI64ArrayAttr>(name);
  if (failed(values))
    return failure();
  if (*values)
    draft.setOperand(input, draft.makeInts(values->asArrayRef()));
  return success();
}

} // namespace

LogicalResult cameo::moveAxesToInput(NodeDraft &draft) {
  if (failed(draft.expectOperands(1)))
    return failure();
  return moveIntsToInput(draft, "axes", 1);
}

LogicalResult cameo::moveSliceBoundsToInputs(NodeDraft &draft) {
  if (failed(draft.expectOperands(1)))
    return failure();
  constexpr StringRef names[] = {"starts", "ends", "axes"};
  for (auto [input, name] : llvm::enumerate(names))
    if (failed(moveIntsToInput(draft, name, input + 1)))
      return failure();
  if (!draft.hasOperand(1) || !draft.hasOperand(2))
    return draft.emitError() << "expected attributes 'starts' and 'ends'";
  return success();
}

LogicalResult cameo::movePadsToInputs(NodeDraft &draft) {
  FailureOr<FloatAttr> value = draft.take<FloatAttr>("value");
  if (failed(value) || failed(draft.expectOperands(1)) || failed(moveIntsToInput(draft, "pads", 1)))
    return failure();
  if (!draft.hasOperand(1))
    return draft.emitError() << "expected attribute 'pads'";
  Type elementType = getElementTypeOrSelf(draft.operands[0].getType());
  if (*value && isa<FloatType>(elementType))
    draft.setOperand(2, draft.makeFloat(value->getValueAsDouble(), elementType));
  return success();
}

LogicalResult cameo::moveSplitToInput(NodeDraft &draft) {
  if (failed(draft.expectOperands(1)))
    return failure();
  return moveIntsToInput(draft, "split", 1);
}

// In older versions all parts without stated sizes have the same size; now the last part may be smaller.
LogicalResult cameo::countSplitOutputs(NodeDraft &draft) {
  if (draft.hasOperand(1) || draft.operands.empty())
    return success();
  int64_t count = draft.outputs.size();
  auto type = dyn_cast<RankedTensorType>(draft.operands[0].getType());
  auto stated = dyn_cast_or_null<IntegerAttr>(draft.attributes.get("axis"));
  int64_t axis = stated ? stated.getInt() : 0, rank = type ? type.getRank() : 0;
  axis += axis < 0 ? rank : 0;
  bool isKnown = axis >= 0 && axis < rank && !type.isDynamicDim(axis);
  if (isKnown && count > 0 && type.getDimSize(axis) % count != 0)
    return draft.emitError() << "expected " << count << " parts of one size, got " << type.getDimSize(axis)
                             << " elements";
  draft.attributes.set("num_outputs", draft.builder.getI64IntegerAttr(count));
  return success();
}

LogicalResult cameo::moveCountToInput(NodeDraft &draft) {
  FailureOr<IntegerAttr> count = draft.take<IntegerAttr>("k");
  if (failed(count) || failed(draft.expectOperands(1)))
    return failure();
  if (!*count)
    return draft.emitError() << "expected attribute 'k'";
  draft.setOperand(1, draft.makeInts(count->getInt()));
  return success();
}

LogicalResult cameo::moveTransformedAxisToInput(NodeDraft &draft) {
  FailureOr<IntegerAttr> axis = draft.take<IntegerAttr>("axis");
  if (failed(axis))
    return failure();
  // The default was the first dimension after the batch; now it is the last dimension of the signal.
  draft.setOperand(2, draft.makeInts(*axis ? axis->getInt() : 1));
  return success();
}

LogicalResult cameo::moveLimitsToInputs(NodeDraft &draft) {
  if (failed(draft.expectOperands(1)))
    return failure();
  Type elementType = getElementTypeOrSelf(draft.operands[0].getType());
  constexpr StringRef names[] = {"min", "max"};
  for (auto [input, name] : llvm::enumerate(names)) {
    FailureOr<FloatAttr> limit = draft.take<FloatAttr>(name);
    if (failed(limit))
      return failure();
    if (!*limit)
      continue;
    if (!isa<FloatType>(elementType))
      return draft.emitError() << "expected a tensor of floats, got " << draft.operands[0].getType();
    // Exporters write the largest float for a missing limit; in f16 it would become infinite.
    double value = limit->getValueAsDouble();
    if (std::abs(value) < std::numeric_limits<float>::max())
      draft.setOperand(input + 1, draft.makeFloat(value, elementType));
  }
  return success();
}

LogicalResult cameo::renameScatter(NodeDraft &draft) {
  draft.opType = "ScatterElements";
  return success();
}

/// PyTorch exports real signals without the last dimension of size 1, and ONNX Runtime accepts them.
LogicalResult cameo::appendRealPart(NodeDraft &draft) {
  auto type = draft.hasOperand(0) ? dyn_cast<RankedTensorType>(draft.operands[0].getType()) : RankedTensorType();
  if (!type || type.getRank() != 2)
    return success();
  FailureOr<Value> signal = draft.create("Unsqueeze", {draft.operands[0], draft.makeInts(2)});
  if (failed(signal))
    return failure();
  draft.operands[0] = *signal;
  return success();
}
