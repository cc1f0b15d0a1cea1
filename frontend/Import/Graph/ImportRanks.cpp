// Imports nodes with inputs whose rank depends on a condition, once for each value of the condition, until the results
// have one rank.
#include "frontend/Import/Graph/BranchChoice.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/GuardValue.h"
#include "frontend/Import/Graph/RankChoice.h"
#include "frontend/Import/Graph/RunLoop.h"

#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

std::optional<bool> GraphImporter::findCase(Value condition) const {
  Value root = getRoot(condition);
  for (const auto &[assumed, isTrue] : cases)
    if (getRoot(assumed) == root)
      return isTrue;
  return std::nullopt;
}

SmallVector<StringRef> GraphImporter::findRankChoices(const ::onnx::NodeProto &node, const Scope &scope) const {
  SmallVector<StringRef> found;
  auto add = [&](StringRef name) {
    if (Value value = scope.values.lookup(name); value && getRankChoice(value) && !llvm::is_contained(found, name))
      found.push_back(name);
  };
  for (StringRef name : node.input())
    add(name);
  if (llvm::none_of(node.attribute(), [](const ::onnx::AttributeProto &attribute) { return attribute.has_g(); }))
    return found;
  llvm::StringSet<> captured;
  collectCaptured(node, captured);
  llvm::for_each(captured.keys(), add);
  llvm::sort(found); // the order of a set is not deterministic
  return found;
}

GraphImporter::Results GraphImporter::importCase(const ::onnx::NodeProto &node, ArrayRef<StringRef> names,
                                                 Value condition, bool isTrue, Location loc, const Scope &scope,
                                                 unsigned index) {
  // The inner scope has no stated types, because the model states them for both cases together.
  Scope inner = scope.inside();
  for (StringRef name : names)
    if (RankChoice choice = *getRankChoice(scope.values.lookup(name)); choice.condition == condition)
      inner.values[name] = choice.of(isTrue);
  size_t around = cases.size();
  cases.push_back({condition, isTrue});
  LogicalResult imported = countNodes(1, loc);
  if (succeeded(imported))
    imported = importNode(node, loc, inner, index);
  cases.truncate(around);
  if (failed(imported))
    return failure();
  SmallVector<Value> results;
  for (const std::string &name : node.output())
    results.push_back(name.empty() ? Value() : inner.values.lookup(name));
  return results;
}

GraphImporter::Results GraphImporter::importQuietly(llvm::function_ref<Results()> import,
                                                    std::optional<NodeError> &error) {
  ScopedDiagnosticHandler quiet(getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !error)
      error = NodeError{diagnostic.getLocation(), diagnostic.str()};
    return success();
  });
  FailureHandler handler = std::exchange(onFailure, {});
  Results results = import();
  onFailure = std::move(handler);
  return results;
}

GraphImporter::Results GraphImporter::tryCase(llvm::function_ref<Results()> import, std::optional<NodeError> &error) {
  Trial trial(builder);
  llvm::StringSet<> namesBefore = sizeNames;
  Results results = importQuietly(import, error);
  if (failed(results)) {
    trial.undo();
    sizeNames = std::move(namesBefore);
  }
  return results;
}

FailureOr<Value> GraphImporter::chooseRank(Value condition, StringRef name, Value whenTrue, Value whenFalse,
                                           Location loc, const Scope &scope) {
  NodeDraft draft{builder, loc, "If", /*version=*/0, {}, {}, {}, {}};
  auto nameAxis = [&](unsigned, int64_t axis) { return nameSize(name, axis, scope); };
  return BranchChoice(draft, condition, nameAxis).choose(0, whenTrue, whenFalse);
}

LogicalResult GraphImporter::guardCases(ArrayRef<StringRef> names, std::pair<Value, bool> only, Location loc,
                                        Scope &scope) {
  bool isGuarded = false;
  for (StringRef name : names) {
    RankChoice choice = *getRankChoice(scope.values.lookup(name));
    Value value = choice.of(only.second);
    std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(value);
    if (choice.condition != only.first || isOfShapes(value) || !dims ||
        llvm::any_of(*dims, [](const cameo::Dim &dim) { return dim.isUnknown(); }))
      continue;
    NodeDraft draft{builder, loc, "If", /*version=*/0, {}, {}, {}, {}};
    FailureOr<Value> guarded =
        guardValue(draft, value, only.first, only.second, nameSize("rank", std::numeric_limits<int64_t>::max(), scope));
    if (failed(guarded))
      return failure();
    scope.values[name] = *guarded;
    isGuarded = true;
  }
  if (isGuarded)
    cases.push_back(only);
  return success(isGuarded);
}

LogicalResult GraphImporter::importForRanks(const ::onnx::NodeProto &node, ArrayRef<StringRef> names, Location loc,
                                            Scope &scope, unsigned index) {
  RankChoice first = *getRankChoice(scope.values.lookup(names.front()));
  Value condition = first.condition;
  auto bindAll = [&](ArrayRef<Value> results) -> LogicalResult {
    for (auto [name, value] : llvm::zip_equal(node.output(), results))
      if (value && failed(bindOutput(name, value, loc, scope)))
        return failure();
    return success();
  };
  auto import = [&](bool isTrue) { return importCase(node, names, condition, isTrue, loc, scope, index); };
  if (std::optional<bool> known = findCase(condition)) {
    Results results = import(*known);
    return failed(results) ? failure() : bindAll(*results);
  }
  std::optional<NodeError> error;
  Trial trial(builder);
  llvm::StringSet<> namesBefore = sizeNames;
  Results whenTrue = tryCase([&] { return import(true); }, error);
  Results whenFalse = tryCase([&] { return import(false); }, error);
  if (importedNodes > nodeLimit)
    return countNodes(0, loc);
  if (failed(whenTrue) && failed(whenFalse))
    return error ? emitError(error->loc) << error->message : failure();
  if (failed(whenTrue) || failed(whenFalse)) {
    trial.undo();
    sizeNames = std::move(namesBefore);
    if (succeeded(guardCases(names, {condition, succeeded(whenTrue)}, loc, scope)))
      return importNode(node, loc, scope, index);
    return error ? emitError(error->loc) << error->message : failure();
  }
  SmallVector<Value> results;
  for (auto [name, a, b] : llvm::zip_equal(node.output(), *whenTrue, *whenFalse)) {
    if (!a || !b || a == b) {
      results.push_back(a && b ? a : Value());
      continue;
    }
    FailureOr<Value> result = staysApart(a, b, /*areNumbersApart=*/true)
                                  ? makeRankChoice(builder, {first.loc, condition, a, b})
                                  : chooseRank(condition, name, a, b, loc, scope);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  return bindAll(results);
}

FailureOr<Value> GraphImporter::joinRanks(Value value, StringRef name, Location loc, const Scope &scope) {
  std::optional<RankChoice> choice = getRankChoice(value);
  if (!choice)
    return value;
  if (std::optional<bool> known = findCase(choice->condition))
    return joinRanks(choice->of(*known), name, loc, scope);
  FailureOr<Value> whenTrue = joinRanks(choice->whenTrue, name, loc, scope),
                   whenFalse = joinRanks(choice->whenFalse, name, loc, scope);
  if (failed(whenTrue) || failed(whenFalse))
    return failure();
  if (staysApart(*whenTrue, *whenFalse, /*areNumbersApart=*/false))
    return emitError(choice->loc) << "expected branches of which '" << name
                                  << "' gets one rank, because the condition is known only at run time, got "
                                  << whenTrue->getType() << " and " << whenFalse->getType()
                                  << "; --dim NAME=SIZE or --constant NAME=NUMBERS fixes an input";
  return chooseRank(choice->condition, name, *whenTrue, *whenFalse, loc, scope);
}
