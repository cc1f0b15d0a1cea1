// Upgrades operators whose operands broadcast since operator set 7. Before, a node stated the axis at which its second
// input is aligned, or required equal shapes.
#include "frontend/Import/Versions/OpsetUpgrade.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Appends dimensions of size 1 to an operand.
LogicalResult appendDimensions(NodeDraft &draft, unsigned operand, int64_t count) {
  if (count == 0)
    return success();
  SmallVector<int64_t> axes;
  for (int64_t axis = -count; axis < 0; ++axis)
    axes.push_back(axis);
  FailureOr<Value> wide = draft.create("Unsqueeze", {draft.operands[operand], draft.makeInts(axes)});
  if (succeeded(wide))
    draft.operands[operand] = *wide;
  return wide;
}

FailureOr<int64_t> getRank(NodeDraft &draft, unsigned operand) {
  auto type = dyn_cast<RankedTensorType>(draft.operands[operand].getType());
  if (!type)
    return draft.emitError() << "expected an input #" << operand << " of known rank, got "
                             << draft.operands[operand].getType();
  return type.getRank();
}

} // namespace

LogicalResult cameo::dropStorageHints(NodeDraft &draft) {
  draft.attributes.erase("consumed_inputs");
  return success();
}

LogicalResult cameo::alignSecondInput(NodeDraft &draft) {
  FailureOr<IntegerAttr> axis = draft.take<IntegerAttr>("axis");
  if (failed(axis))
    return failure();
  FailureOr<IntegerAttr> broadcast = draft.take<IntegerAttr>("broadcast");
  if (failed(broadcast) || failed(dropStorageHints(draft)) || failed(draft.expectOperands(2)))
    return failure();
  if (!*axis || !*broadcast || broadcast->getInt() == 0)
    return success();
  FailureOr<int64_t> rank = getRank(draft, 0), matched = failed(rank) ? rank : getRank(draft, 1);
  if (failed(matched))
    return failure();
  int64_t first = axis->getInt() < 0 ? axis->getInt() + *rank : axis->getInt();
  if (first < 0 || first + *matched > *rank)
    return draft.emitError() << "expected an axis at which " << *matched << " dimensions fit into rank " << *rank
                             << ", got " << axis->getInt();
  return appendDimensions(draft, 1, *rank - first - *matched);
}

LogicalResult cameo::alignSlopes(NodeDraft &draft) {
  if (failed(dropStorageHints(draft)) || failed(draft.expectOperands(2)))
    return failure();
  FailureOr<int64_t> rank = getRank(draft, 0);
  auto slopes = dyn_cast<RankedTensorType>(draft.operands[1].getType());
  if (failed(rank) || !slopes || slopes.getRank() != 1 || slopes.getDimSize(0) == 1)
    return rank;
  return appendDimensions(draft, 1, std::max<int64_t>(*rank - 2, 0));
}

LogicalResult cameo::dropBroadcast(NodeDraft &draft) {
  draft.attributes.erase("broadcast");
  return success();
}

LogicalResult cameo::expectInference(NodeDraft &draft) {
  FailureOr<IntegerAttr> isTest = draft.take<IntegerAttr>("is_test");
  if (failed(isTest))
    return failure();
  if (!*isTest || isTest->getInt() == 0)
    return draft.emitError() << "expected 'is_test' of 1 (inference), got training";
  return dropStorageHints(draft);
}
