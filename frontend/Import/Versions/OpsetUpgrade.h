// Upgrades nodes of older operator sets to the newest version of their operator, the only one that the onnx dialect
// has. There is one table; the steps are in one file per family of operators.
#ifndef CAMEO_FRONTEND_IMPORT_VERSIONS_OPSETUPGRADE_H
#define CAMEO_FRONTEND_IMPORT_VERSIONS_OPSETUPGRADE_H

#include "frontend/Import/Versions/NodeDraft.h"

namespace cameo {

/// Changes a node in place; may change its operator. Fails after an error if there is no newer form.
using UpgradeStep = mlir::LogicalResult (*)(NodeDraft &draft);

struct Upgrade {
  const char *opType;
  /// The step applies to nodes of versions below this.
  int version;
  UpgradeStep step;
};

/// Applies all steps for the draft's operator and version, oldest first. Compatible changes (more element types,
/// negative axes) need no step.
mlir::LogicalResult upgradeNode(NodeDraft &draft);

/// Whether steps exist for a version that is older than the first supported operator set.
bool isUpgradable(mlir::StringRef opType, int64_t version);

// The steps, by family.
mlir::LogicalResult dropStorageHints(NodeDraft &draft); // which inputs an operator may overwrite
mlir::LogicalResult alignSecondInput(NodeDraft &draft); // Add, Mul, Less, And, ...
mlir::LogicalResult alignSlopes(NodeDraft &draft);      // PRelu
mlir::LogicalResult dropBroadcast(NodeDraft &draft);    // Gemm: always broadcasts now
mlir::LogicalResult expectInference(NodeDraft &draft);  // BatchNormalization, Dropout
mlir::LogicalResult moveAxesToInput(NodeDraft &draft);  // Reduce*, Squeeze, Unsqueeze
mlir::LogicalResult moveSliceBoundsToInputs(NodeDraft &draft);
mlir::LogicalResult movePadsToInputs(NodeDraft &draft);
mlir::LogicalResult moveSplitToInput(NodeDraft &draft);
mlir::LogicalResult countSplitOutputs(NodeDraft &draft);
mlir::LogicalResult moveCountToInput(NodeDraft &draft);           // TopK
mlir::LogicalResult moveTransformedAxisToInput(NodeDraft &draft); // DFT
mlir::LogicalResult appendRealPart(NodeDraft &draft);             // STFT
mlir::LogicalResult moveLimitsToInputs(NodeDraft &draft);         // Clip
mlir::LogicalResult renameScatter(NodeDraft &draft);
mlir::LogicalResult moveRatioToInput(NodeDraft &draft); // Dropout
mlir::LogicalResult castDropoutMask(NodeDraft &draft);
mlir::LogicalResult drawDropoutMask(NodeDraft &draft);
mlir::LogicalResult normalizeFlattened(NodeDraft &draft); // Softmax, LogSoftmax, Hardmax
mlir::LogicalResult flattenNonSpatial(NodeDraft &draft);  // BatchNormalization
mlir::LogicalResult trainByOutputs(NodeDraft &draft);     // BatchNormalization
mlir::LogicalResult repeatGroupScales(NodeDraft &draft);  // GroupNormalization
mlir::LogicalResult moveScalesToInput(NodeDraft &draft);  // Upsample
mlir::LogicalResult upsampleToResize(NodeDraft &draft);
mlir::LogicalResult addResizeCoordinates(NodeDraft &draft);  // Resize
mlir::LogicalResult shiftResizeRounding(NodeDraft &draft);   // Resize
mlir::LogicalResult dropEmptyResizeInputs(NodeDraft &draft); // Resize
mlir::LogicalResult keepRegionCoordinates(NodeDraft &draft); // RoiAlign
mlir::LogicalResult renameSamplingModes(NodeDraft &draft);   // GridSample

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_VERSIONS_OPSETUPGRADE_H
