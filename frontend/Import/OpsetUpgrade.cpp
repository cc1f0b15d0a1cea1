#include "frontend/Import/OpsetUpgrade.h"

#include "frontend/Import/OperatorVersions.h"

using namespace mlir;
using namespace cameo;

namespace {

// Steps of one operator stand in the order of their versions.
constexpr Upgrade kUpgrades[] = {
    {"BatchNormalization", 9, unfoldNonSpatial},
    {"BatchNormalization", 14, refuseTrainingOutputs},
    {"Clip", 11, moveLimitsToInputs},
    {"Dropout", 10, castDropoutMask},
    {"Dropout", 12, moveRatioToInput},
    {"GridSample", 20, renameSamplingModes},
    {"GroupNormalization", 21, repeatGroupScales},
    {"Hardmax", 13, normalizeFlattened},
    {"LogSoftmax", 13, normalizeFlattened},
    {"Pad", 11, movePadsToInputs},
    {"ReduceL1", 18, moveAxesToInput},
    {"ReduceL2", 18, moveAxesToInput},
    {"ReduceLogSum", 18, moveAxesToInput},
    {"ReduceLogSumExp", 18, moveAxesToInput},
    {"ReduceMax", 18, moveAxesToInput},
    {"ReduceMean", 18, moveAxesToInput},
    {"ReduceMin", 18, moveAxesToInput},
    {"ReduceProd", 18, moveAxesToInput},
    {"ReduceSum", 13, moveAxesToInput},
    {"ReduceSumSquare", 18, moveAxesToInput},
    {"Resize", 11, addResizeCoordinates},
    {"Resize", 13, shiftResizeRounding},
    {"Resize", kLastOpset + 1, dropEmptyResizeInputs},
    {"Scatter", 11, renameScatter},
    {"Slice", 10, moveSliceBoundsToInputs},
    {"Softmax", 13, normalizeFlattened},
    {"Split", 13, moveSplitToInput},
    {"Split", 18, countSplitOutputs},
    {"Squeeze", 13, moveAxesToInput},
    {"TopK", 10, moveCountToInput},
    {"Unsqueeze", 13, moveAxesToInput},
    {"Upsample", 9, moveScalesToInput},
    {"Upsample", 10, upsampleToResize},
};

} // namespace

LogicalResult cameo::upgradeNode(NodeDraft &draft) {
  // A step may make a node of another operator, whose steps are then the ones to look at.
  for (const Upgrade *upgrade = std::begin(kUpgrades); upgrade != std::end(kUpgrades); ++upgrade) {
    if (draft.opType != upgrade->opType || draft.version >= upgrade->version)
      continue;
    std::string before = draft.opType;
    if (failed(upgrade->step(draft)))
      return failure();
    draft.version = upgrade->version;
    if (draft.opType != before)
      return upgradeNode(draft);
  }
  return success();
}
