// Decision trees with any kind of comparison, converted to the form of onnx.TreeEnsemble: `x <= split` at every node.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_MLFOREST_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_MLFOREST_H

#include "frontend/Import/Written/NodeWriter.h"

namespace cameo {

enum class BranchMode { LessOrEqual, Less, GreaterOrEqual, Greater, Equal, NotEqual, Member };

/// The target of a branch: a node of the list, or a leaf.
struct BranchTarget {
  int64_t index = 0;
  bool isLeaf = false;
};

struct ForestNode {
  BranchMode mode = BranchMode::LessOrEqual;
  int64_t feature = 0;
  double split = 0;
  llvm::SmallVector<double, 1> members; ///< for BranchMode::Member: the numbers with which the feature is compared
  BranchTarget ifTrue, ifFalse;
  bool missingIsTrue = false; ///< whether NaN takes the true branch; it always does for BranchMode::NotEqual
};

struct Forest {
  std::vector<ForestNode> nodes;
  llvm::SmallVector<BranchTarget> roots;
  /// One row per leaf: its contribution to each target.
  std::vector<double> leafValues;
  int64_t targets = 1;
  /// 0 average, 1 sum, 2 minimum, 3 maximum.
  int64_t aggregate = 1;
};

/// Returns the value of a leaf for targets to which it does not contribute.
double absentValue(int64_t aggregate);

/// Returns the values of all rows of `x`, a matrix of floats. Returns null after an error at the node if branches are
/// invalid or form a cycle.
mlir::Value writeForest(NodeWriter &w, const Forest &forest, mlir::Value x);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_MLFOREST_H
