#include "passes/Schedule/Nests/Build/SingleSteps.h"

#include "llvm/ADT/bit.h"

#include <map>

namespace cameo::schedule {
namespace {

/// Copies nodes with the values of running results in place of the results themselves. A node may be used both by the
/// step and after it, where running results differ.
class StepCopier {
public:
  explicit StepCopier(LoopNest &nest) : nest(nest) {}

  NodeId copy(NodeId id, bool insideStep) {
    if (auto known = copies.find({id, insideStep}); known != copies.end())
      return known->second;
    NodeId result = make(id, insideStep);
    return copies[{id, insideStep}] = result;
  }

  std::vector<Node> take() { return std::move(nodes.nodes); }

private:
  NodeId make(NodeId id, bool insideStep) {
    Node node = nest.nodes[id];
    if (node.kind == Node::Kind::Accumulator) {
      const Reduction &reduction = nest.reductions[node.accumulator];
      return insideStep ? copy(reduction.initial, false) : copy(reduction.update, true);
    }
    for (NodeId &operand : node.operands)
      operand = copy(operand, insideStep);
    return addNode(nodes, std::move(node));
  }

  const LoopNest &nest;
  LoopNest nodes{nest.loc};
  std::map<std::pair<NodeId, bool>, NodeId> copies;
};

/// Whether the step computes something that several points share, such as a widened factor: register blocks of
/// reductions compute it once.
bool sharesValues(const LoopNest &nest) {
  return llvm::any_of(nest.computed(/*insideReduction=*/true), [&](NodeId id) {
    const Node &node = nest.nodes[id];
    return node.kind == Node::Kind::Apply && !node.usesAccumulator &&
           static_cast<size_t>(llvm::popcount(node.dependsOn)) < nest.dims.size();
  });
}

} // namespace

void takeSingleSteps(LoopNest &nest) {
  if (llvm::any_of(nest.dims, [](const Dimension &dim) { return dim.reduction; }) || sharesValues(nest))
    return;
  StepCopier copier(nest);
  for (Output &output : nest.outputs) {
    output.value = copier.copy(output.value, /*insideStep=*/false);
    if (output.index)
      output.index = copier.copy(*output.index, /*insideStep=*/false);
  }
  nest.nodes = copier.take();
  nest.reductions.clear();
}

} // namespace cameo::schedule
