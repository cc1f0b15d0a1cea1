#include "frontend/Import/Versions/OpsetUpgrade.h"

#include "frontend/Import/Versions/OperatorVersions.h"

using namespace mlir;
using namespace cameo;

namespace {

// The steps of an operator are in the order of their versions.
constexpr Upgrade kUpgrades[] = {
    {"Add", 7, alignSecondInput},
    {"And", 7, alignSecondInput},
    {"AveragePool", 7, dropStorageHints},
    {"BatchNormalization", 7, expectInference},
    {"BatchNormalization", 9, flattenNonSpatial},
    {"BatchNormalization", 14, trainByOutputs},
    {"Clip", 11, moveLimitsToInputs},
    {"DFT", 20, moveTransformedAxisToInput},
    {"Div", 7, alignSecondInput},
    {"Dropout", 7, expectInference},
    {"Dropout", 10, castDropoutMask},
    {"Dropout", 12, moveRatioToInput},
    {"Dropout", kLastOpset + 1, drawDropoutMask},
    {"Equal", 7, alignSecondInput},
    {"Gemm", 7, dropBroadcast},
    {"Greater", 7, alignSecondInput},
    {"GridSample", 20, renameSamplingModes},
    {"GroupNormalization", 21, repeatGroupScales},
    {"Hardmax", 13, normalizeFlattened},
    {"Less", 7, alignSecondInput},
    {"LogSoftmax", 13, normalizeFlattened},
    {"Mul", 7, alignSecondInput},
    {"Or", 7, alignSecondInput},
    {"PRelu", 7, alignSlopes},
    {"Pad", 11, movePadsToInputs},
    {"Pow", 7, alignSecondInput},
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
    {"RoiAlign", 16, keepRegionCoordinates},
    {"STFT", kLastOpset + 1, appendRealPart},
    {"Scatter", 11, renameScatter},
    {"Slice", 10, moveSliceBoundsToInputs},
    {"Softmax", 13, normalizeFlattened},
    {"Split", 13, moveSplitToInput},
    {"Split", 18, countSplitOutputs},
    {"Squeeze", 13, moveAxesToInput},
    {"Sub", 7, alignSecondInput},
    {"TopK", 10, moveCountToInput},
    {"Unsqueeze", 13, moveAxesToInput},
    {"Upsample", 9, moveScalesToInput},
    {"Upsample", 10, upsampleToResize},
    {"Xor", 7, alignSecondInput},
};

} // namespace

bool cameo::isUpgradable(StringRef opType, int64_t version) {
  return llvm::any_of(kUpgrades, [&](const Upgrade &upgrade) {
    return opType == upgrade.opType && version < upgrade.version && upgrade.version <= kFirstOpset;
  });
}

LogicalResult cameo::upgradeNode(NodeDraft &draft) {
  // A step may change the operator of the node. Then the steps of the new operator apply.
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
