#include "frontend/Import/Model/NodeOrder.h"

#include "llvm/ADT/StringMap.h"

#include <queue>

using namespace mlir;
using namespace cameo;

namespace {

using EmitNodeError = llvm::function_ref<InFlightDiagnostic(unsigned, StringRef)>;

/// Maps each name to the node that computes it. Fails for a name that is defined twice.
FailureOr<llvm::StringMap<unsigned>>
findProducers(ArrayRef<NodeNames> nodes, llvm::function_ref<bool(StringRef)> isKnown, EmitNodeError emitNodeError) {
  llvm::StringMap<unsigned> producers;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (StringRef name : node.outputs) {
      if (isKnown(name))
        return emitNodeError(i, {}) << "expected a new name for an output, got '" << name
                                    << "', which is an input or an initializer";
      auto [it, isNew] = producers.try_emplace(name, i);
      if (!isNew)
        return emitNodeError(i, {}) << "expected a new name for an output, got '" << name << "', which node #"
                                    << it->second << " makes";
    }
  return producers;
}

/// Reports a cycle among nodes that could not be ordered, with its names.
LogicalResult reportCycle(ArrayRef<NodeNames> nodes, const llvm::StringMap<unsigned> &producers,
                          ArrayRef<unsigned> missingInputs, EmitNodeError emitNodeError) {
  unsigned start = llvm::find_if(missingInputs, [](unsigned count) { return count != 0; }) - missingInputs.begin();
  // Every unordered node depends on another one, so following inputs backwards returns to a visited node.
  SmallVector<unsigned> path;
  SmallVector<StringRef> names;
  llvm::DenseMap<unsigned, unsigned> seen;
  unsigned node = start;
  while (seen.try_emplace(node, path.size()).second) {
    path.push_back(node);
    for (StringRef name : nodes[node].inputs) {
      auto it = producers.find(name);
      if (it == producers.end() || missingInputs[it->second] == 0)
        continue;
      names.push_back(name);
      node = it->second;
      break;
    }
  }
  InFlightDiagnostic diagnostic = emitNodeError(node, {}) << "expected no cycle, got one through ";
  constexpr size_t kMaxNames = 8;
  ArrayRef<StringRef> cycle = ArrayRef(names).drop_front(seen[node]);
  llvm::interleave(
      cycle.take_front(kMaxNames), [&](StringRef name) { diagnostic << "'" << name << "'"; },
      [&] { diagnostic << ", "; });
  if (cycle.size() > kMaxNames)
    diagnostic << " and " << cycle.size() - kMaxNames << " more";
  return diagnostic;
}

} // namespace

FailureOr<SmallVector<unsigned>>
cameo::orderNodes(ArrayRef<NodeNames> nodes, llvm::function_ref<bool(StringRef)> isKnown, EmitNodeError emitNodeError) {
  FailureOr<llvm::StringMap<unsigned>> producers = findProducers(nodes, isKnown, emitNodeError);
  if (failed(producers))
    return failure();
  SmallVector<unsigned> missingInputs(nodes.size());
  SmallVector<SmallVector<unsigned, 2>> users(nodes.size());
  for (auto [i, node] : llvm::enumerate(nodes))
    for (StringRef name : node.inputs) {
      if (isKnown(name))
        continue;
      auto it = producers->find(name);
      if (it == producers->end())
        return emitNodeError(i, name)
               << "expected input '" << name
               << "' to be an input of the graph, an initializer or the output of a node, got nothing "
                  "of that name";
      users[it->second].push_back(i);
      ++missingInputs[i];
    }

  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned i = 0; i < nodes.size(); ++i)
    if (missingInputs[i] == 0)
      ready.push(i);
  SmallVector<unsigned> order;
  while (!ready.empty()) {
    unsigned node = ready.top();
    ready.pop();
    order.push_back(node);
    for (unsigned user : users[node])
      if (--missingInputs[user] == 0)
        ready.push(user);
  }
  if (order.size() != nodes.size())
    return reportCycle(nodes, *producers, missingInputs, emitNodeError);
  return order;
}
