#include "passes/Schedule/Nests/InplaceResults.h"

#include "llvm/ADT/BitVector.h"

namespace cameo::schedule {

/// Whether the output computes `operand`.
static bool uses(const LoopNest &nest, const Output &output, NodeId operand) {
  llvm::BitVector users(nest.nodes.size());
  users.set(operand);
  for (NodeId id : nest.computed(/*insideReduction=*/false))
    if (llvm::any_of(nest.nodes[id].operands, [&](NodeId used) { return users.test(used); }))
      users.set(id);
  return users.test(output.value);
}

std::optional<unsigned> inplaceResult(const TaskProgram &program, unsigned argument) {
  if (program.groups.size() != 1 || program.groups[0].nests.size() != 1)
    return std::nullopt;
  const LoopNest &nest = program.groups[0].nests[0];
  auto isArgument = [&](unsigned number) {
    return program.buffers[number].kind == Buffer::Kind::Argument && program.buffers[number].index == argument;
  };
  std::optional<NodeId> load;
  for (auto [id, node] : llvm::enumerate(nest.nodes)) {
    if ((node.kind != Node::Kind::Load && node.kind != Node::Kind::Gather) || !isArgument(node.buffer))
      continue;
    if (node.kind == Node::Kind::Gather || load)
      return std::nullopt;
    load = id;
  }
  if (!load || llvm::any_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) { return isArgument(nest.nodes[id].buffer); }))
    return std::nullopt;
  // Results are computed one after the other: what one does not depend on could be read when it is overwritten.
  for (const Output &output : nest.outputs) {
    const Buffer &buffer = program.buffers[output.buffer];
    if (buffer.kind == Buffer::Kind::Result && !output.index && output.address == nest.nodes[*load].address &&
        buffer.elementType == nest.nodes[*load].type && uses(nest, output, *load) &&
        llvm::count_if(nest.outputs, [&](const Output &other) { return other.buffer == output.buffer; }) == 1)
      return buffer.index;
  }
  return std::nullopt;
}

} // namespace cameo::schedule
