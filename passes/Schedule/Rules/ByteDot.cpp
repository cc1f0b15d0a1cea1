#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

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

std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule) {
  if (nest.reductions.size() != 1 || !schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction)
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
    auto varies = [&](const ByteFactor &factor) {
      return nest.nodes[factor.load].address.coefficients[*schedule.vectorDim] != 0;
    };
    if (varies(*left) == varies(*right))
      return std::nullopt;
    return varies(*left) ? ByteDot{*right, *left} : ByteDot{*left, *right};
  }
  return std::nullopt;
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

std::string verifyDot(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine) {
  if (!schedule.dotDim)
    return "";
  unsigned dim = *schedule.dotDim;
  if (dim >= nest.dims.size() || !nest.dims[dim].reduction || !nest.dims[dim].extent.isKnown())
    return llvm::formatv("expected a reduction of known length to contract in groups, got dimension {0}", dim);
  std::optional<ByteDot> dot = matchByteDot(nest, schedule);
  if (!dot)
    return "expected a sum of products of bytes to contract in groups, one factor along the vector dimension";
  if (!canMultiply(machine, *dot, schedule.lanes))
    return llvm::formatv("expected bytes to contract in groups that the target multiplies so, got {0} by {1} ones in vectors of {2}",
                         dot->shared.isSigned ? "signed" : "unsigned", dot->varying.isSigned ? "signed" : "unsigned", schedule.lanes);
  const Node &shared = nest.nodes[dot->shared.load], &varying = nest.nodes[dot->varying.load];
  if (shared.address.coefficients[dim] != 1)
    return llvm::formatv("expected the factor that lanes share to be contiguous along dimension {0}", dim);
  bool isPacked = varying.packed || llvm::is_contained(schedule.packedBuffers, varying.buffer);
  if (varying.address.coefficients[dim] == 0 || !isPacked)
    return "expected the factor that varies along the vector dimension to be packed";
  if (schedule.partialLoop)
    return "expected no partial results of exact sums";
  for (const Loop &loop : schedule.loops)
    if (loop.dim == dim && loop.size % dotGroup != 0 && loop.size < nest.dims[dim].extent)
      return llvm::formatv("expected a multiple of {0} as tile size of dimension {1}, got {2}", dotGroup, dim, loop.size);
  return "";
}

} // namespace cameo::schedule
