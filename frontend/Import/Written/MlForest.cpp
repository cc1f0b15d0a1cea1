#include "frontend/Import/Written/MlForest.h"

#include <limits>

using namespace mlir;
using namespace cameo;

namespace {

/// The tables of onnx.TreeEnsemble.
class Tables {
public:
  Tables(const Forest &forest, FloatType type) : forest(forest), type(type) {}

  void build();
  /// Returns the length of the longest path from a root to a leaf; nothing if the branches form a cycle.
  std::optional<int64_t> findDepth() const;
  int32_t targetOf(const BranchTarget &target) const {
    return static_cast<int32_t>(target.isLeaf ? features.size() + target.index : starts[target.index]);
  }

  SmallVector<int32_t> features, trueNodes, falseNodes;
  SmallVector<char> missing;
  std::vector<double> splits;

private:
  static size_t sizeOf(const ForestNode &node);
  double before(double split) const;
  void set(size_t at, const ForestNode &node, double split, int32_t ifTrue, int32_t ifFalse, bool missingIsTrue);
  void setEqual(size_t at, const ForestNode &node, double value, int32_t ifTrue, int32_t ifFalse, bool missingIsTrue);
  void write(const ForestNode &node, size_t at);

  const Forest &forest;
  FloatType type;
  std::vector<int32_t> starts; ///< first row of each node
};

/// Returns the number of `<=` comparisons that a node becomes. `x == value` becomes `x <= value` and not
/// `x <= before(value)`.
size_t Tables::sizeOf(const ForestNode &node) {
  bool isEquality = node.mode == BranchMode::Equal || node.mode == BranchMode::NotEqual;
  return node.mode == BranchMode::Member ? 2 * node.members.size() : isEquality ? 2 : 1;
}

/// Returns the largest number of the input's type that is less than `split`.
double Tables::before(double split) const {
  APFloat number(split);
  bool losesInfo = false;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  number.next(/*nextDown=*/true);
  return number.convertToDouble();
}

void Tables::set(size_t at, const ForestNode &node, double split, int32_t ifTrue, int32_t ifFalse, bool missingIsTrue) {
  features[at] = static_cast<int32_t>(node.feature);
  splits[at] = split;
  trueNodes[at] = ifTrue;
  falseNodes[at] = ifFalse;
  missing[at] = missingIsTrue;
}

void Tables::setEqual(size_t at, const ForestNode &node, double value, int32_t ifTrue, int32_t ifFalse,
                      bool missingIsTrue) {
  set(at, node, value, static_cast<int32_t>(at + 1), ifFalse, missingIsTrue);
  set(at + 1, node, before(value), ifFalse, ifTrue, false);
}

void Tables::write(const ForestNode &node, size_t at) {
  int32_t ifTrue = targetOf(node.ifTrue), ifFalse = targetOf(node.ifFalse);
  bool missingIsTrue = node.missingIsTrue;
  switch (node.mode) {
  case BranchMode::LessOrEqual:
    return set(at, node, node.split, ifTrue, ifFalse, missingIsTrue);
  case BranchMode::Less:
    return set(at, node, before(node.split), ifTrue, ifFalse, missingIsTrue);
  case BranchMode::GreaterOrEqual:
    return set(at, node, before(node.split), ifFalse, ifTrue, !missingIsTrue);
  case BranchMode::Greater:
    return set(at, node, node.split, ifFalse, ifTrue, !missingIsTrue);
  case BranchMode::Equal:
    return setEqual(at, node, node.split, ifTrue, ifFalse, missingIsTrue);
  case BranchMode::NotEqual:
    // NaN differs from every number, so it takes the true branch in any case.
    return setEqual(at, node, node.split, ifFalse, ifTrue, false);
  case BranchMode::Member:
    for (auto [i, member] : llvm::enumerate(node.members)) {
      bool isLast = i + 1 == node.members.size();
      setEqual(at + 2 * i, node, member, ifTrue, isLast ? ifFalse : static_cast<int32_t>(at + 2 * i + 2),
               missingIsTrue);
    }
  }
}

void Tables::build() {
  size_t count = 0;
  for (const ForestNode &node : forest.nodes) {
    starts.push_back(static_cast<int32_t>(count));
    count += sizeOf(node);
  }
  features.resize(count);
  trueNodes.resize(count);
  falseNodes.resize(count);
  missing.resize(count);
  splits.resize(count);
  for (auto [node, start] : llvm::zip_equal(forest.nodes, starts))
    write(node, start);
}

std::optional<int64_t> Tables::findDepth() const {
  // Depth-first search in post-order, so that the depths of both branches are known before that of their node.
  enum : char { Unseen, Open, Done };
  std::vector<char> state(features.size(), Unseen);
  std::vector<int64_t> depth(features.size(), 0);
  int64_t deepest = 0;
  for (const BranchTarget &root : forest.roots) {
    SmallVector<int32_t> walk;
    if (targetOf(root) < static_cast<int32_t>(features.size()))
      walk.push_back(targetOf(root));
    while (!walk.empty()) {
      int32_t node = walk.back();
      bool isFirst = state[node] == Unseen;
      if (state[node] == Done) {
        walk.pop_back();
        continue;
      }
      state[node] = isFirst ? Open : Done;
      for (int32_t next : {trueNodes[node], falseNodes[node]}) {
        if (next >= static_cast<int32_t>(features.size()))
          continue;
        if (isFirst && state[next] == Open)
          return std::nullopt;
        if (isFirst && state[next] == Unseen)
          walk.push_back(next);
        if (!isFirst)
          depth[node] = std::max(depth[node], depth[next]);
      }
      if (!isFirst) {
        deepest = std::max(deepest, ++depth[node]);
        walk.pop_back();
      }
    }
  }
  return deepest;
}

} // namespace

double cameo::absentValue(int64_t aggregate) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return aggregate == 2 ? infinity : aggregate == 3 ? -infinity : 0;
}

Value cameo::writeForest(NodeWriter &w, const Forest &forest, Value x) {
  int64_t leaves = forest.targets > 0 ? int64_t(forest.leafValues.size()) / forest.targets : 0;
  auto isValid = [&](const BranchTarget &target) {
    return target.index >= 0 && target.index < (target.isLeaf ? leaves : int64_t(forest.nodes.size()));
  };
  auto xType = x ? dyn_cast<RankedTensorType>(x.getType()) : RankedTensorType();
  w.expect(xType && xType.getRank() == 2, "expected an input of rank 2");
  w.expect(!forest.roots.empty() && leaves > 0, "expected at least one tree");
  w.expect(llvm::all_of(forest.roots, isValid), "expected roots that are nodes");
  for (const ForestNode &node : forest.nodes) {
    w.expect(isValid(node.ifTrue) && isValid(node.ifFalse), "expected branches that lead to nodes or leaves");
    w.expect(node.mode != BranchMode::Member || !node.members.empty(),
             "expected members for each node that tests membership");
    if (!w.hasFailed() && !xType.isDynamicDim(1))
      w.expect(node.feature >= 0 && node.feature < xType.getDimSize(1),
               "expected features in [0, " + Twine(xType.getDimSize(1)) + "), got " + Twine(node.feature));
    w.expect(node.feature >= 0 && node.feature <= std::numeric_limits<int32_t>::max(),
             "expected features of 0 or more");
  }
  if (w.hasFailed())
    return {};
  auto type = cast<FloatType>(xType.getElementType());
  Tables tables(forest, type);
  tables.build();
  std::optional<int64_t> depth = tables.findDepth();
  w.expect(depth.has_value(), "expected trees, got branches that form a cycle");
  if (w.hasFailed())
    return {};
  SmallVector<int32_t> roots;
  for (const BranchTarget &root : forest.roots)
    roots.push_back(tables.targetOf(root));
  int64_t nodes = tables.features.size();
  bool hasMissing = llvm::is_contained(tables.missing, 1);
  return w.make("TreeEnsemble",
                {x, w.indices(tables.features), w.numbers(tables.splits, {nodes}, type), w.indices(tables.trueNodes),
                 w.indices(tables.falseNodes), hasMissing ? w.flags(tables.missing) : w.none(), w.indices(roots),
                 w.numbers(forest.leafValues, {leaves, forest.targets}, type)},
                {w.attr("aggregate_function", forest.aggregate), w.attr("depth", *depth)});
}
