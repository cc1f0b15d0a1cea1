// Removes copies of a nest's result: the nest stores to the destination of the copy. In a loop over time the result is
// the next state; the copy at the end of the iteration exists because the old state may be needed until then.
#include "passes/Schedule/Nests/Build/BuildNests.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

bool writes(const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(nest.outputs, [&](const Output &output) { return output.buffer == buffer; });
}

bool reads(const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(nest.nodes, [&](const Node &node) { return node.reads(buffer); });
}

/// Returns the load of a nest that only copies, or null.
const Node *copiedLoad(const LoopNest &nest) {
  if (nest.hasReduction() || nest.outputs.size() != 1)
    return nullptr;
  const Node &value = nest.nodes[nest.outputs.front().value];
  return value.kind == Node::Kind::Load ? &value : nullptr;
}

/// Translates `form` from the dimensions of a copy to those of `nest`; nothing if the parallel dimensions of the two
/// differ.
std::optional<LinearForm> overParallel(const LoopNest &nest, const LoopNest &copy, const LinearForm &form) {
  LinearForm result(nest.dims.size());
  result.constant = form.constant;
  unsigned next = 0;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (dimension.reduction)
      continue;
    if (next == copy.dims.size() || copy.dims[next].extent != dimension.extent)
      return std::nullopt;
    result.coefficients[dim] = form.coefficients[next++];
  }
  return next == copy.dims.size() ? std::optional(result) : std::nullopt;
}

/// Returns the output of `producer` that replaces `copy`, if both have the same points and the producer reads no
/// element that would be overwritten too early.
std::optional<Output> copiedOutput(const LoopNest &producer, const LoopNest &copy) {
  const Node &load = *copiedLoad(copy);
  const Output &target = copy.outputs.front();
  std::optional<LinearForm> from = overParallel(producer, copy, load.address);
  std::optional<LinearForm> to = overParallel(producer, copy, target.address);
  if (!from || !to || writes(producer, target.buffer))
    return std::nullopt;
  SmallVector<NodeId> reduced = producer.loads(/*insideReduction=*/true);
  for (auto [id, node] : llvm::enumerate(producer.nodes))
    if (node.reads(target.buffer) && (node.kind == Node::Kind::Gather || !(node.address == *to) ||
                                      llvm::is_contained(reduced, static_cast<NodeId>(id))))
      return std::nullopt;
  for (const Output &output : producer.outputs)
    if (output.buffer == load.buffer && output.address == *from)
      return Output{output.value, target.buffer, *to};
  return std::nullopt;
}

/// Tries to replace the copy at `position` by a store of an earlier nest; returns whether it did.
bool absorb(NestGroup &group, unsigned position) {
  const LoopNest &copy = group.nests[position];
  const Node *load = copiedLoad(copy);
  if (!load)
    return false;
  unsigned target = copy.outputs.front().buffer;
  for (unsigned number = position; number-- > 0;) {
    LoopNest &nest = group.nests[number];
    if (writes(nest, load->buffer)) {
      std::optional<Output> output = copiedOutput(nest, copy);
      if (output)
        nest.outputs.push_back(*output);
      return output.has_value();
    }
    if (reads(nest, target) || writes(nest, target))
      return false;
  }
  return false;
}

void dropUnreadOutputs(TaskProgram &program, NestGroup &group) {
  llvm::SmallSetVector<unsigned, 8> read;
  for (NestGroup &other : program.groups)
    for (LoopNest &nest : other.nests)
      for (const Node &node : nest.nodes)
        if (node.isRead())
          read.insert(node.buffer);
  for (LoopNest &nest : group.nests)
    llvm::erase_if(nest.outputs, [&](const Output &output) {
      return program.buffers[output.buffer].isScratch() && !read.contains(output.buffer);
    });
  llvm::erase_if(group.nests, [](const LoopNest &nest) { return nest.outputs.empty(); });
}

} // namespace

void absorbCopies(TaskProgram &program) {
  for (NestGroup &group : program.groups) {
    if (group.orderedDims == 0)
      continue;
    for (unsigned position = 0; position < group.nests.size();) {
      if (absorb(group, position))
        group.nests.erase(group.nests.begin() + position);
      else
        ++position;
    }
    dropUnreadOutputs(program, group);
  }
}

} // namespace cameo::schedule
