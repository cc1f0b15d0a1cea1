#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

/// Whether `id` is the load `load`, extended to f32.
static bool isExtended(const LoopNest &nest, NodeId id, NodeId load) {
  const Node &node = nest.nodes[id];
  return node.kind == Node::Kind::Apply && isa<arith::ExtFOp>(node.op) && node.type.isF32() && node.operands[0] == load;
}

std::optional<Contraction> findTensorProduct(const LoopNest &nest, const GpuMachine &gpu) {
  constexpr unsigned firstCapability = 80;
  std::optional<Contraction> found =
      gpu.getCapability() >= firstCapability && nest.hasKnownSizes() ? findContraction(nest) : std::nullopt;
  if (!found || found->rows.empty() || found->columns.empty())
    return std::nullopt;
  const Node &left = nest.nodes[found->left], &right = nest.nodes[found->right],
             &update = nest.nodes[nest.reductions[0].update];
  if (left.type != right.type || !(left.type.isF16() || left.type.isBF16()) || !update.type.isF32())
    return std::nullopt;
  for (unsigned dim : found->depth)
    if (!left.address.dependsOn(dim) || !right.address.dependsOn(dim))
      return std::nullopt;
  NodeId added =
      nest.nodes[update.operands[0]].kind == Node::Kind::Accumulator ? update.operands[1] : update.operands[0];
  ArrayRef<NodeId> factors = nest.nodes[added].operands;
  bool isPlain = (isExtended(nest, factors[0], found->left) && isExtended(nest, factors[1], found->right)) ||
                 (isExtended(nest, factors[1], found->left) && isExtended(nest, factors[0], found->right));
  return isPlain ? found : std::nullopt;
}

} // namespace cameo::schedule
