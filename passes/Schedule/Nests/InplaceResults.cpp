// Finds results that may reuse the memory of an argument. The usual case is a residual that a convolution adds.
#include "passes/Schedule/Nests/InplaceResults.h"

#include "passes/Schedule/Nests/IndependentNests.h"

#include "llvm/ADT/BitVector.h"

namespace cameo::schedule {
namespace {

/// Whether the value of `output` is computed from node `operand`.
bool uses(const LoopNest &nest, const Output &output, NodeId operand) {
  llvm::BitVector users(nest.nodes.size());
  users.set(operand);
  for (NodeId id : nest.computed(/*insideReduction=*/false))
    if (llvm::any_of(nest.nodes[id].operands, [&](NodeId used) { return users.test(used); }))
      users.set(id);
  return users.test(output.value);
}

/// Whether `load` is used by exactly one output of `nest` to `result`, and that output stores to the address that was
/// loaded. Outputs are computed one after the other: an output that does not depend on the load could overwrite the
/// element before it is read.
bool isOverwritten(const LoopNest &nest, NodeId load, unsigned result) {
  bool isStored = false;
  for (const Output &output : nest.outputs) {
    if (output.buffer != result || !uses(nest, output, load))
      continue;
    if (output.index || isStored || output.address != nest.nodes[load].address)
      return false;
    isStored = true;
  }
  return isStored;
}

/// Returns all loads from `buffer`. Returns nothing if one is a gather, is inside of a reduction, or belongs to a group
/// with ordered rows.
std::optional<llvm::SmallVector<std::pair<const LoopNest *, NodeId>>> plainLoadsOf(const TaskProgram &program,
                                                                                   unsigned buffer) {
  llvm::SmallVector<std::pair<const LoopNest *, NodeId>> loads;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests) {
      for (auto [id, node] : llvm::enumerate(nest.nodes)) {
        if (!node.reads(buffer))
          continue;
        // Nests of ordered rows may store to the same element several times.
        if (node.kind == Node::Kind::Gather || group.orderedDims > 0 ||
            llvm::is_contained(nest.loads(/*insideReduction=*/true), id))
          return std::nullopt;
        loads.push_back({&nest, id});
      }
    }
  return loads;
}

/// Whether no nest except `nest` stores to the element of `result` that `load` reads.
bool isStoredAlone(const TaskProgram &program, const LoopNest &nest, NodeId load, unsigned result) {
  for (const NestGroup &group : program.groups)
    for (const LoopNest &other : group.nests)
      for (const Output &output : other.outputs)
        if (&other != &nest && output.buffer == result &&
            (output.index || !areApart(nest, nest.nodes[load].address, other, output.address)))
          return false;
  return true;
}

} // namespace

std::optional<unsigned> inplaceResult(const TaskProgram &program, unsigned argument) {
  auto isArgument = [&](const Buffer &buffer) { return buffer.isArgument() && buffer.index == argument; };
  unsigned from = llvm::find_if(program.buffers, isArgument) - program.buffers.begin();
  auto loads = plainLoadsOf(program, from);
  if (!loads || loads->empty())
    return std::nullopt;
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (!buffer.isResult() || buffer.elementType != program.buffers[from].elementType)
      continue;
    if (llvm::all_of(*loads, [&, result = number](auto load) {
          return isOverwritten(*load.first, load.second, result) &&
                 isStoredAlone(program, *load.first, load.second, result);
        }))
      return buffer.index;
  }
  return std::nullopt;
}

} // namespace cameo::schedule
