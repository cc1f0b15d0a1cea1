#include "passes/Schedule/Rules/FactorLanes.h"

#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

bool multipliesByLanes(const Machine &machine) {
  // Only AArch64 has that many registers of 16 bytes.
  return machine.fusedMultiplyAdd && machine.vectorBytes == 16 && machine.vectorRegisters == 32;
}

/// Whether the value is used in multiplications only.
static bool isFactor(const LoopNest &nest, NodeId id) {
  bool isUsed = false;
  for (const Node &node : nest.nodes) {
    if (!llvm::is_contained(node.operands, id))
      continue;
    if (node.kind != Node::Kind::Apply || !isa<mlir::arith::MulFOp>(node.op))
      return false;
    isUsed = true;
  }
  return isUsed;
}

/// Returns the number of points of `dim` that the loops leave to unroll.
static int64_t unrolledPoints(const LoopNest &nest, const NestSchedule &schedule, unsigned dim) {
  int64_t points = mostPoints(nest.dims[dim]);
  for (const Loop &loop : schedule.loops)
    if (loop.dim == dim)
      points = std::min(points, loop.size);
  return points;
}

std::optional<FactorLanes> factorLanes(const LoopNest &nest, const NestSchedule &schedule, const Machine &machine,
                                       NodeId load) {
  const Node &node = nest.nodes[load];
  bool isVectorised = schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction;
  if (!multipliesByLanes(machine) || !isVectorised || node.kind != Node::Kind::Load || node.shared ||
      (node.dependsOn >> *schedule.vectorDim) & 1)
    return std::nullopt;
  int64_t elements = 1;
  if (schedule.dotDim) {
    std::optional<ByteDot> dot = matchByteDot(nest, schedule);
    if (!dot || llvm::none_of(dot->products, [&](const ByteProduct &product) { return product.shared.load == load; }))
      return std::nullopt;
    elements = dotGroup;
  } else if (!(node.type.isF32() || node.type.isF64()) || !isFactor(nest, load)) {
    return std::nullopt;
  }
  int64_t stepBytes = elements * (node.type.getIntOrFloatBitWidth() / 8);
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim) {
    if (!nest.dims[dim].reduction || node.address.coefficients[dim] != 1 || (schedule.dotDim && schedule.dotDim != dim))
      continue;
    int64_t steps = std::min(unrolledPoints(nest, schedule, dim) / elements, machine.vectorBytes / stepBytes);
    if (steps > 1)
      return FactorLanes{dim, int64_t(llvm::bit_floor(uint64_t(steps)))};
  }
  return std::nullopt;
}

} // namespace cameo::schedule
