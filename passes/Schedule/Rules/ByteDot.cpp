#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

/// The byte that `id` extends to i32.
static std::optional<ByteFactor> matchFactor(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  if (node.kind != Node::Kind::Apply || !isa<arith::ExtSIOp, arith::ExtUIOp>(node.op))
    return std::nullopt;
  const Node &load = nest.nodes[node.operands[0]];
  if (load.kind != Node::Kind::Load || !load.type.isInteger(8))
    return std::nullopt;
  return ByteFactor{node.operands[0], isa<arith::ExtSIOp>(node.op)};
}

std::optional<std::pair<ByteFactor, ByteFactor>> matchByteProducts(const LoopNest &nest) {
  if (nest.reductions.size() != 1)
    return std::nullopt;
  const Node &update = nest.nodes[nest.reductions[0].update];
  if (update.kind != Node::Kind::Apply || !isa<arith::AddIOp>(update.op) || !update.type.isInteger(32))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    const Node &product = nest.nodes[update.operands[side]];
    bool addsToSum = nest.nodes[update.operands[1 - side]].kind == Node::Kind::Accumulator;
    if (!addsToSum || product.kind != Node::Kind::Apply || !isa<arith::MulIOp>(product.op))
      continue;
    std::optional<ByteFactor> left = matchFactor(nest, product.operands[0]), right = matchFactor(nest, product.operands[1]);
    if (!left || !right)
      return std::nullopt;
    return std::pair(*left, *right);
  }
  return std::nullopt;
}

std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule) {
  if (!schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction)
    return std::nullopt;
  std::optional<std::pair<ByteFactor, ByteFactor>> factors = matchByteProducts(nest);
  if (!factors)
    return std::nullopt;
  auto [left, right] = *factors;
  auto varies = [&](const ByteFactor &factor) {
    return nest.nodes[factor.load].address.coefficients[*schedule.vectorDim] != 0;
  };
  if (varies(left) == varies(right))
    return std::nullopt;
  return varies(left) ? ByteDot{right, left} : ByteDot{left, right};
}

bool canMultiply(const Machine &machine, const ByteDot &dot, unsigned lanes) {
  // A sum has 32 bits.
  if (4 * int64_t(lanes) > machine.vectorBytes)
    return false;
  switch (machine.byteProducts) {
  case ByteProducts::None:
    return false;
  case ByteProducts::Pairs:
  case ByteProducts::UnsignedBySigned:
    return lanes == 4 || lanes == 8 || lanes == 16;
  case ByteProducts::SameSign:
    return lanes == 4 && dot.shared.isSigned == dot.varying.isSigned;
  case ByteProducts::AnySigns:
    return lanes == 4;
  }
  llvm_unreachable("unknown byte products");
}

} // namespace cameo::schedule
