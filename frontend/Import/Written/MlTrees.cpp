// Rewrites TreeEnsemble of operator set 5, and TreeEnsembleClassifier and TreeEnsembleRegressor, its predecessors.
#include "frontend/Import/Written/MlForest.h"
#include "frontend/Import/Written/MlOperators.h"

#include "llvm/ADT/StringSwitch.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace cameo;

namespace {

constexpr StringLiteral kTransforms[] = {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"};

void addLeaf(Forest &forest, int64_t leaf, int64_t target, double weight) {
  double &value = forest.leafValues[leaf * forest.targets + target];
  // Several votes of a leaf for one target are combined by the minimum, the maximum or the sum.
  if (forest.aggregate == 2)
    value = std::min(value, weight);
  else if (forest.aggregate == 3)
    value = std::max(value, weight);
  else
    value += weight;
}

//===- Operator set 5 ------------------------------------------------------===//

/// Reads the nodes from the attributes. The lists of members are separated by NaN, one for each node that tests
/// membership.
void readNodes(NodeWriter &w, Forest &forest) {
  SmallVector<int64_t> features = w.takeInts("nodes_featureids"), trueIds = w.takeInts("nodes_truenodeids"),
                       falseIds = w.takeInts("nodes_falsenodeids"), trueLeafs = w.takeInts("nodes_trueleafs"),
                       falseLeafs = w.takeInts("nodes_falseleafs"),
                       missing = w.takeInts("nodes_missing_value_tracks_true");
  SmallVector<double> splits = w.takeNumbers("nodes_splits"), modes = w.takeNumbers("nodes_modes"),
                      members = w.takeNumbers("membership_values");
  w.takeNumbers("nodes_hitrates");
  size_t count = features.size(), member = 0;
  for (size_t size :
       {trueIds.size(), falseIds.size(), trueLeafs.size(), falseLeafs.size(), splits.size(), modes.size()})
    w.expect(size == count,
             "expected all of 'nodes_*' to have one length, got " + Twine(count) + " and " + Twine(size));
  w.expect(missing.empty() || missing.size() == count,
           "expected 'nodes_missing_value_tracks_true' as long as the others");
  for (size_t i = 0; i < count && !w.hasFailed(); ++i) {
    w.expect(modes[i] >= 0 && modes[i] <= 6, "expected 'nodes_modes' in [0, 6]");
    ForestNode node;
    node.mode = static_cast<BranchMode>(static_cast<int>(modes[i]));
    node.feature = features[i];
    node.split = splits[i];
    node.ifTrue = {trueIds[i], trueLeafs[i] != 0};
    node.ifFalse = {falseIds[i], falseLeafs[i] != 0};
    node.missingIsTrue = !missing.empty() && missing[i] != 0;
    if (node.mode == BranchMode::Member)
      for (; member < members.size() && !(std::isnan(members[member]) && ++member); ++member)
        node.members.push_back(members[member]);
    forest.nodes.push_back(std::move(node));
  }
}

//===- Before operator set 5 -----------------------------------------------===//

BranchMode readMode(StringRef mode) {
  return llvm::StringSwitch<BranchMode>(mode)
      .Case("BRANCH_LT", BranchMode::Less)
      .Case("BRANCH_GTE", BranchMode::GreaterOrEqual)
      .Case("BRANCH_GT", BranchMode::Greater)
      .Case("BRANCH_EQ", BranchMode::Equal)
      .Case("BRANCH_NEQ", BranchMode::NotEqual)
      .Default(BranchMode::LessOrEqual);
}

/// Reads trees whose nodes, including leaves, are identified by the number of the tree and a number in the tree.
class NumberedTrees {
public:
  NumberedTrees(NodeWriter &w, Forest &forest) : w(w), forest(forest) {}
  void readNodes();
  /// Reads the votes of leaves from the attributes `<prefix>_treeids` and so on.
  void readVotes(StringRef prefix);
  /// The targets with votes, and whether no vote is negative.
  llvm::SmallVector<int64_t> votedTargets;
  bool allPositive = true;

private:
  BranchTarget find(int64_t tree, int64_t node);

  NodeWriter &w;
  Forest &forest;
  std::map<std::pair<int64_t, int64_t>, BranchTarget> places;
  int64_t leaves = 0;
};

BranchTarget NumberedTrees::find(int64_t tree, int64_t node) {
  auto place = places.find({tree, node});
  w.expect(place != places.end(), "expected node " + Twine(node) + " of tree " + Twine(tree) + ", got none");
  return w.hasFailed() ? BranchTarget() : place->second;
}

void NumberedTrees::readNodes() {
  SmallVector<int64_t> trees = w.takeInts("nodes_treeids"), ids = w.takeInts("nodes_nodeids"),
                       features = w.takeInts("nodes_featureids"), trueIds = w.takeInts("nodes_truenodeids"),
                       falseIds = w.takeInts("nodes_falsenodeids"),
                       missing = w.takeInts("nodes_missing_value_tracks_true");
  SmallVector<std::string> modes = w.takeStrings("nodes_modes");
  SmallVector<double> values = w.takeNumbers("nodes_values");
  w.takeNumbers("nodes_hitrates");
  size_t count = trees.size();
  for (size_t size : {ids.size(), features.size(), trueIds.size(), falseIds.size(), modes.size(), values.size()})
    w.expect(size == count,
             "expected all of 'nodes_*' to have one length, got " + Twine(count) + " and " + Twine(size));
  w.expect(missing.empty() || missing.size() == count,
           "expected 'nodes_missing_value_tracks_true' as long as the others");
  if (w.hasFailed())
    return;
  int64_t inner = 0;
  std::map<int64_t, bool> seenTrees;
  for (size_t i = 0; i < count; ++i) {
    bool isLeaf = modes[i] == "LEAF";
    BranchTarget place{isLeaf ? leaves++ : inner++, isLeaf};
    w.expect(places.try_emplace({trees[i], ids[i]}, place).second, "expected distinct nodes in each tree");
    if (seenTrees.try_emplace(trees[i], true).second)
      forest.roots.push_back(place);
  }
  for (size_t i = 0; i < count && !w.hasFailed(); ++i) {
    if (modes[i] == "LEAF")
      continue;
    w.expect(StringRef(modes[i]).starts_with("BRANCH_") &&
                 (modes[i] == "BRANCH_LEQ" || readMode(modes[i]) != BranchMode::LessOrEqual),
             "expected a mode of nodes, got '" + modes[i] + "'");
    forest.nodes.push_back({readMode(modes[i]),
                            features[i],
                            values[i],
                            {},
                            find(trees[i], trueIds[i]),
                            find(trees[i], falseIds[i]),
                            !missing.empty() && missing[i] != 0});
  }
  forest.leafValues.assign(leaves * forest.targets, absentValue(forest.aggregate));
}

void NumberedTrees::readVotes(StringRef prefix) {
  auto name = [&](StringRef field) { return (prefix + "_" + field).str(); };
  SmallVector<int64_t> trees = w.takeInts(name("treeids")), nodes = w.takeInts(name("nodeids")),
                       ids = w.takeInts(name("ids"));
  SmallVector<double> weights = w.takeNumbers(name("weights"));
  for (size_t size : {nodes.size(), ids.size(), weights.size()})
    w.expect(size == trees.size(), "expected all of '" + prefix + "_*' to have one length");
  for (size_t i = 0; i < trees.size() && !w.hasFailed(); ++i) {
    BranchTarget leaf = find(trees[i], nodes[i]);
    w.expect(leaf.isLeaf, "expected votes at leaves");
    w.expect(ids[i] >= 0 && ids[i] < forest.targets,
             "expected targets in [0, " + Twine(forest.targets) + "), got " + Twine(ids[i]));
    if (w.hasFailed())
      return;
    addLeaf(forest, leaf.index, ids[i], weights[i]);
    allPositive &= weights[i] >= 0;
    if (!llvm::is_contained(votedTargets, ids[i]))
      votedTargets.push_back(ids[i]);
  }
}

/// Returns the input as a matrix of f64 if it is f64, otherwise of f32.
Value readRows(NodeWriter &w) {
  Value x = w.rows(w.operand(0));
  return w.elementOf(x).isF64() ? x : w.cast(x, w.f32());
}

Value addBase(NodeWriter &w, Value scores, ArrayRef<double> base) {
  if (base.empty() || w.hasFailed())
    return scores;
  return w.make("Add", {scores, w.numbers(base, {int64_t(base.size())}, w.elementOf(scores))});
}

/// Classifies two classes of which only one has votes. Exporters store votes for the second class as votes for the
/// first; the score of the other class is then the complement. The specification does not define this; ONNX Runtime
/// does the same. With `isForSecond` the votes are stored for the second class, and the score of the first is 0.
WrittenResults classifyBinary(NodeWriter &w, Value votes, bool isForSecond, Value labels, bool allPositive,
                              StringRef transform) {
  auto number = [&](double value) { return w.number(value, w.elementOf(votes)); };
  bool isProbability = allPositive && transform != "LOGISTIC";
  Value isSecond = w.make("Greater", {votes, number(allPositive ? 0.5 : 0)});
  Value label = w.make("Gather", {labels, w.cast(isSecond, w.i64())});
  Value other = isForSecond     ? w.make("Sub", {votes, votes})
                : isProbability ? w.make("Sub", {number(1), votes})
                                : w.make("Neg", votes);
  Value scores = w.make("Concat", {other, votes}, w.attr("axis", 1));
  if (!isForSecond && transform.starts_with("SOFTMAX")) // a single score is not normalised
    transform = "NONE";
  return {w.make("Squeeze", {label, w.ints(1)}), transformScores(w, scores, transform)};
}

} // namespace

WrittenResults cameo::importTreeEnsemble(NodeWriter &w) {
  Forest forest;
  forest.targets = w.takeInt("n_targets", 1);
  forest.aggregate = w.takeInt("aggregate_function", 1);
  int64_t transform = w.takeInt("post_transform", 0);
  w.expect(forest.targets >= 1, "expected 'n_targets' of 1 or more, got " + Twine(forest.targets));
  w.expect(forest.aggregate >= 0 && forest.aggregate <= 3,
           "expected 'aggregate_function' in [0, 3], got " + Twine(forest.aggregate));
  w.expect(transform >= 0 && transform <= 4, "expected 'post_transform' in [0, 4], got " + Twine(transform));
  readNodes(w, forest);
  for (int64_t root : w.takeInts("tree_roots"))
    forest.roots.push_back({root, false});
  SmallVector<int64_t> targets = w.takeInts("leaf_targetids");
  SmallVector<double> weights = w.takeNumbers("leaf_weights");
  w.expect(targets.size() == weights.size(), "expected 'leaf_targetids' and 'leaf_weights' of one length");
  w.expect(isa<FloatType>(w.elementOf(w.operand(0))), "expected an input of floats");
  if (w.hasFailed())
    return {};
  forest.leafValues.assign(targets.size() * forest.targets, absentValue(forest.aggregate));
  for (auto [leaf, target] : llvm::enumerate(targets)) {
    w.expect(target >= 0 && target < forest.targets,
             "expected targets in [0, " + Twine(forest.targets) + "), got " + Twine(target));
    if (w.hasFailed())
      return {};
    addLeaf(forest, leaf, target, weights[leaf]);
  }
  return {transformScores(w, writeForest(w, forest, w.operand(0)), kTransforms[transform])};
}

WrittenResults cameo::importTreeRegressor(NodeWriter &w) {
  Forest forest;
  forest.targets = w.takeInt("n_targets", 1);
  std::string aggregate = w.takeString("aggregate_function", "SUM"), transform = w.takeString("post_transform", "NONE");
  forest.aggregate = llvm::StringSwitch<int64_t>(aggregate)
                         .Case("AVERAGE", 0)
                         .Case("SUM", 1)
                         .Case("MIN", 2)
                         .Case("MAX", 3)
                         .Default(-1);
  w.expect(forest.aggregate >= 0, "expected 'aggregate_function' AVERAGE, SUM, MIN or MAX, got " + Twine(aggregate));
  w.expect(forest.targets >= 1, "expected 'n_targets' of 1 or more, got " + Twine(forest.targets));
  SmallVector<double> base = w.takeNumbers("base_values");
  NumberedTrees trees(w, forest);
  trees.readNodes();
  trees.readVotes("target");
  if (w.hasFailed())
    return {};
  Value scores = addBase(w, writeForest(w, forest, readRows(w)), base);
  return {w.cast(transformScores(w, scores, transform), w.f32())};
}

WrittenResults cameo::importTreeClassifier(NodeWriter &w) {
  Value labels = takeClassLabels(w, "classlabels_int64s");
  std::string transform = w.takeString("post_transform", "NONE");
  SmallVector<double> base = w.takeNumbers("base_values");
  if (w.hasFailed())
    return {};
  Forest forest;
  forest.targets = cast<RankedTensorType>(labels.getType()).getNumElements();
  NumberedTrees trees(w, forest);
  trees.readNodes();
  trees.readVotes("class");
  if (w.hasFailed())
    return {};
  bool isBinary = forest.targets == 2 && trees.votedTargets.size() == 1 && base.size() <= 1;
  w.expect(base.empty() || isBinary || int64_t(base.size()) == forest.targets,
           "expected as many base values as classes, " + Twine(forest.targets) + ", got " + Twine(base.size()));
  if (w.hasFailed())
    return {};
  Value scores = writeForest(w, forest, readRows(w));
  if (isBinary) {
    int64_t voted = trees.votedTargets.front();
    Value votes = addBase(w, w.make("Slice", {scores, w.ints(voted), w.ints(voted + 1), w.ints(1)}), base);
    WrittenResults results = classifyBinary(w, votes, voted == 1, labels, trees.allPositive, transform);
    return {results[0], w.cast(results[1], w.f32())};
  }
  scores = addBase(w, scores, base);
  Value best = w.make("ArgMax", scores, {w.attr("axis", 1), w.attr("keepdims", 0)});
  return {w.make("Gather", {labels, best}), w.cast(transformScores(w, scores, transform), w.f32())};
}
