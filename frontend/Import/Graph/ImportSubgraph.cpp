// Imports subgraphs into the graph around them, once for each execution. If is in this file, the others in their own.
#include "frontend/Import/Graph/BranchChoice.h"
#include "frontend/Import/Graph/ControlOperands.h"
#include "frontend/Import/Graph/GraphImporter.h"
#include "frontend/Import/Graph/OperationMaker.h"
#include "frontend/Import/Graph/RankChoice.h"
#include "frontend/Import/Inputs/MapSequence.h"
#include "frontend/Import/Model/NodeLocation.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include "llvm/ADT/ScopeExit.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

const ::onnx::AttributeProto *GraphImporter::findAttribute(const ::onnx::NodeProto &node, StringRef name) {
  for (const ::onnx::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

FailureOr<const ::onnx::GraphProto *> GraphImporter::getSubgraph(const ::onnx::NodeProto &node, StringRef name,
                                                                 Location loc) {
  const ::onnx::AttributeProto *attribute = findAttribute(node, name);
  if (!attribute || !attribute->has_g())
    return emitError(loc) << "expected a graph as attribute '" << name << "', got none";
  return &attribute->g();
}

void GraphImporter::collectCaptured(const ::onnx::NodeProto &node, llvm::StringSet<> &names) {
  for (const ::onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g())
      collectCaptured(attribute.g(), names);
}

void GraphImporter::collectCaptured(const ::onnx::GraphProto &graph, llvm::StringSet<> &names) {
  llvm::StringSet<> used, made;
  for (const ::onnx::NodeProto &inner : graph.node()) {
    used.insert(inner.input().begin(), inner.input().end());
    collectCaptured(inner, used);
    made.insert(inner.output().begin(), inner.output().end());
  }
  for (const ::onnx::ValueInfoProto &output : graph.output())
    used.insert(output.name());
  for (const ::onnx::ValueInfoProto &input : graph.input())
    made.insert(input.name());
  for (const ::onnx::TensorProto &tensor : graph.initializer())
    made.insert(tensor.name());
  for (const ::onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    made.insert(tensor.values().name());
  for (StringRef name : used.keys())
    if (!name.empty() && !made.contains(name))
      names.insert(name);
}

GraphImporter::Results GraphImporter::importBody(const ::onnx::GraphProto &body, ArrayRef<Value> inputs, Location loc,
                                                 const Scope &outer, StringRef path, unsigned index, bool keepsRanks) {
  if (body.input_size() != static_cast<int>(inputs.size()))
    return emitError(loc) << "expected a body of " << inputs.size() << " inputs, got " << body.input_size();
  // A body without nodes counts as one node, because a loop may import it very often.
  if (body.node_size() == 0 && failed(countNodes(1, loc)))
    return failure();
  Scope inner = outer.inside();
  inner.graph = &body;
  inner.path = path.str();
  inner.callIndex = outer.callIndex.value_or(index);
  for (auto [input, value] : llvm::zip_equal(body.input(), inputs)) {
    if (failed(expectStatedElement(input, value, loc)))
      return failure();
    inner.values[input.name()] = value;
  }
  // Conditions that become known in the body are forgotten after it.
  size_t around = cases.size();
  llvm::scope_exit forget([&] { cases.truncate(around); });
  if (failed(importInitializers(body, inner)) || failed(importNodes(body.node(), inner)))
    return failure();
  SmallVector<Value> results;
  for (const ::onnx::ValueInfoProto &output : body.output()) {
    Value value = inner.values.lookup(output.name());
    if (!value && onFailure && inner.values.contains(output.name()))
      return failure(); // the node that makes it failed, and was reported
    if (!value)
      return emitError(loc) << "expected the body to make its output '" << output.name() << "', got no node that does";
    if (getMapSequence(value))
      return emitError(loc) << "maps are supported only as outputs of the model, got one that a body computes: '"
                            << output.name() << "'";
    FailureOr<Value> joined = keepsRanks ? value : joinRanks(value, output.name(), loc, inner);
    if (failed(joined) || failed(expectStatedElement(output, *joined, loc)))
      return failure();
    results.push_back(*joined);
  }
  return results;
}

LogicalResult GraphImporter::importSubgraphs(const ::onnx::NodeProto &node, int version, Location loc, Scope &scope,
                                             unsigned index) {
  SmallVector<Value> operands;
  for (const std::string &name : node.input()) {
    FailureOr<Value> operand = getOperand(name, loc, scope);
    if (failed(operand))
      return failure();
    operands.push_back(*operand);
  }
  std::string path = scope.path + getNodeName(node.name(), index, node.op_type()) + "/";
  Results results = failure();
  if (node.op_type() == "If")
    results = importIf(node, operands, loc, scope, path, index);
  else if (node.op_type() == "Loop")
    results = importLoop(node, operands, loc, scope, path, index);
  else if (node.op_type() == "SequenceMap")
    results = importSequenceMap(node, operands, loc, scope, path, index);
  else
    results = importScan(node, version, operands, loc, scope, path, index);
  if (failed(results))
    return failure();
  if (node.output_size() > static_cast<int>(results->size()))
    return emitError(loc) << "expected at most " << results->size() << " outputs, got " << node.output_size();
  for (auto [name, value] : llvm::zip(node.output(), *results))
    if (!name.empty() && failed(bindOutput(name, value, loc, scope)))
      return failure();
  return success();
}

GraphImporter::Results GraphImporter::importIf(const ::onnx::NodeProto &node, ArrayRef<Value> operands, Location loc,
                                               const Scope &scope, StringRef path, unsigned index) {
  if (operands.size() != 1)
    return emitError(loc) << "expected 1 input, got " << operands.size();
  if (failed(expectCondition(operands[0], node.input(0), loc)))
    return failure();
  FailureOr<const ::onnx::GraphProto *> then = getSubgraph(node, "then_branch", loc);
  if (failed(then))
    return failure();
  FailureOr<const ::onnx::GraphProto *> other = getSubgraph(node, "else_branch", loc);
  if (failed(other))
    return failure();
  std::optional<int64_t> number = getKnownScalar(operands[0]);
  Value condition = number ? operands[0] : findEqualCondition(builder, operands[0]);
  auto importBranch = [&](bool isTrue) {
    size_t around = cases.size();
    cases.push_back({condition, isTrue});
    Results results = importBody(isTrue ? **then : **other, {}, loc, scope, path, index, /*keepsRanks=*/true);
    cases.truncate(around);
    return results;
  };
  if (number)
    return importBranch(*number != 0);
  if (std::optional<bool> known = findCase(condition))
    return importBranch(*known);
  // The condition is known only at run time, so both branches are imported after it. Operations that only one branch
  // needs are executed only in runs that take it.
  auto name = [&](unsigned output, int64_t axis) {
    bool isNamed = static_cast<int>(output) < node.output_size() && !node.output(output).empty();
    return nameSize(isNamed ? StringRef(node.output(output)) : path.rtrim('/'), axis, scope);
  };
  NodeDraft draft{builder, loc, node.op_type(), /*version=*/0, {}, {}, {}, {}};
  BranchChoice choice(draft, condition, name);
  condition = choice.getCondition();
  if (!condition)
    return failure();
  Results whenTrue = importBranch(true);
  if (failed(whenTrue))
    return failure();
  Results whenFalse = importBranch(false);
  if (failed(whenFalse))
    return failure();
  if (whenTrue->size() != whenFalse->size())
    return emitError(loc) << "expected branches with equal numbers of outputs, got " << whenTrue->size() << " and "
                          << whenFalse->size();
  SmallVector<Value> results;
  for (auto [number, a, b] : llvm::enumerate(*whenTrue, *whenFalse)) {
    FailureOr<Value> chosen = staysApart(a, b, /*areNumbersApart=*/false)
                                  ? makeRankChoice(builder, {loc, condition, a, b})
                                  : choice.choose(number, a, b);
    if (failed(chosen))
      return failure();
    results.push_back(*chosen);
  }
  return results;
}
