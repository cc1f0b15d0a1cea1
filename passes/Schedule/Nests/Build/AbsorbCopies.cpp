// What a nest computes only to have it copied is stored where the copy would put it. In a loop over time this is the
// state: its old value is still needed when the new one is computed, so it comes with a copy at the end of each
// iteration.
#include "passes/Schedule/Nests/Build/BuildNests.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

bool isAccess(const Node &node) { return node.kind == Node::Kind::Load || node.kind == Node::Kind::Gather; }

bool writes(const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(nest.outputs, [&](const Output &output) { return output.buffer == buffer; });
}

bool reads(const LoopNest &nest, unsigned buffer) {
  return llvm::any_of(nest.nodes, [&](const Node &node) { return isAccess(node) && node.buffer == buffer; });
}

/// The load of a nest that only copies, or null.
const Node *copiedLoad(const LoopNest &nest) {
  if (nest.hasReduction() || nest.outputs.size() != 1)
    return nullptr;
  const Node &value = nest.nodes[nest.outputs.front().value];
  return value.kind == Node::Kind::Load ? &value : nullptr;
}

/// `form` over the dimensions of a copy as one over those of `nest`, whose parallel dimensions are the same; nothing
/// where they are not.
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

/// The new output of `producer` that makes `copy` superfluous, if the two go over the same points and the producer
/// reads nothing that would be overwritten before.
std::optional<Output> copiedOutput(const LoopNest &producer, const LoopNest &copy) {
  const Node &load = *copiedLoad(copy);
  const Output &target = copy.outputs.front();
  std::optional<LinearForm> from = overParallel(producer, copy, load.address);
  std::optional<LinearForm> to = overParallel(producer, copy, target.address);
  if (!from || !to || writes(producer, target.buffer))
    return std::nullopt;
  SmallVector<NodeId> reduced = producer.loads(/*insideReduction=*/true);
  for (auto [id, node] : llvm::enumerate(producer.nodes))
    if (isAccess(node) && node.buffer == target.buffer &&
        (node.kind == Node::Kind::Gather || !(node.address == *to) ||
         llvm::is_contained(reduced, static_cast<NodeId>(id))))
      return std::nullopt;
  for (const Output &output : producer.outputs)
    if (output.buffer == load.buffer && output.address == *from)
      return Output{output.value, target.buffer, *to};
  return std::nullopt;
}

/// Whether the copy is now made by a nest before it.
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
        if (isAccess(node))
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
