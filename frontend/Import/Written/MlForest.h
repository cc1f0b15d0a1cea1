// Decision trees of any kind of comparison, brought into the one form that onnx.TreeEnsemble has: `x <= split` at every
// node.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_MLFOREST_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_MLFOREST_H

#include "frontend/Import/Written/NodeWriter.h"

namespace cameo {

enum class BranchMode { LessOrEqual, Less, GreaterOrEqual, Greater, Equal, NotEqual, Member };

/// What a branch leads to: a node of the list, or a leaf.
struct BranchTarget {
  int64_t index = 0;
  bool isLeaf = false;
};

struct ForestNode {
  BranchMode mode = BranchMode::LessOrEqual;
  int64_t feature = 0;
  double split = 0;
  llvm::SmallVector<double, 1> members; ///< of BranchMode::Member
  BranchTarget ifTrue, ifFalse;
  bool missingIsTrue = false; ///< where the feature is not a number
};

struct Forest {
  std::vector<ForestNode> nodes;
  llvm::SmallVector<BranchTarget> roots;
  /// A row per leaf: what it adds to each target.
  std::vector<double> leafValues;
  int64_t targets = 1;
  /// 0 average, 1 sum, 2 least, 3 greatest.
  int64_t aggregate = 1;
};

/// What a leaf holds for a target that it has no part in.
double absentValue(int64_t aggregate);

/// The value of all rows of `x` (a matrix of floats). Null after an error at the node: trees whose branches lead
/// nowhere, or in circles.
mlir::Value writeForest(NodeWriter &w, const Forest &forest, mlir::Value x);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_MLFOREST_H
