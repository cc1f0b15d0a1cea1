#include "passes/Schedule/Nests/Contraction.h"

#include "passes/Schedule/Nests/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

int64_t Contraction::extentOf(const LoopNest &nest, ArrayRef<unsigned> dims) {
  int64_t points = 1;
  for (unsigned dim : dims)
    points *= nest.dims[dim].extent;
  return points;
}

/// Returns the load that node `id` is, or that it converts. The conversions that are looked through map zero to zero.
static std::optional<NodeId> loadOf(const LoopNest &nest, NodeId id) {
  const Node *node = &nest.nodes[id];
  while (
      node->kind == Node::Kind::Apply &&
      isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(node->op)) {
    id = node->operands[0];
    node = &nest.nodes[id];
  }
  return node->kind == Node::Kind::Load && !node->shared && node->transforms.empty() ? std::optional(id) : std::nullopt;
}

/// Returns the two loads whose product each step of the reduction adds.
static std::optional<std::pair<NodeId, NodeId>> factorsOf(const LoopNest &nest) {
  if (nest.reductions.size() != 1 || matchCombiningKind(nest, 0) != vector::CombiningKind::ADD)
    return std::nullopt;
  const Node &update = nest.nodes[nest.reductions[0].update];
  NodeId added =
      nest.nodes[update.operands[0]].kind == Node::Kind::Accumulator ? update.operands[1] : update.operands[0];
  const Node &product = nest.nodes[added];
  if (product.kind != Node::Kind::Apply || !isa<arith::MulFOp, arith::MulIOp>(product.op))
    return std::nullopt;
  std::optional<NodeId> first = loadOf(nest, product.operands[0]), second = loadOf(nest, product.operands[1]);
  return first && second && first != second ? std::optional(std::pair(*first, *second)) : std::nullopt;
}

std::optional<Contraction> findContraction(const LoopNest &nest) {
  std::optional<std::pair<NodeId, NodeId>> factors = factorsOf(nest);
  if (!factors)
    return std::nullopt;
  Contraction found{factors->first, factors->second};
  auto moves = [&](NodeId load, unsigned dim) { return nest.nodes[load].address.dependsOn(dim); };
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (!nest.dims[dim].reduction && moves(found.left, dim) != moves(found.right, dim)) {
      if (moves(found.left, dim))
        std::swap(found.left, found.right);
      break;
    }
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim) {
    bool left = moves(found.left, dim), right = moves(found.right, dim);
    if (nest.dims[dim].reduction)
      found.depth.push_back(dim);
    else
      (left == right ? found.batch : left ? found.rows : found.columns).push_back(dim);
  }
  return found;
}

} // namespace cameo::schedule
