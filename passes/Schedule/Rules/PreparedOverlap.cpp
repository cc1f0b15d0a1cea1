#include "passes/Schedule/Rules/PreparedOverlap.h"

#include "passes/Schedule/Nests/TransposedLoads.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cameo::schedule {

/// Whether elements that `id` reads are extended before they are multiplied.
static bool isConverted(const LoopNest &nest, NodeId id) {
  return llvm::any_of(nest.computed(/*insideReduction=*/true), [&](NodeId user) {
    const Node &node = nest.nodes[user];
    return node.kind == Node::Kind::Apply && llvm::isa<mlir::arith::ExtFOp>(node.op) && node.operands[0] == id;
  });
}

/// Whether a vector that `node` reads where it lies is shuffled out of others.
static bool isShuffled(const NestSchedule &schedule, const Node &node) {
  return schedule.vectorDim && !llvm::is_contained(schedule.packedBuffers, node.buffer) &&
         isSpread(node, *schedule.vectorDim, schedule.lanes);
}

bool isBetweenLanes(const LoopNest &nest, const NestSchedule &schedule, unsigned dim) {
  return schedule.vectorDim && llvm::any_of(nest.loads(/*insideReduction=*/true), [&](NodeId id) {
           const Node &node = nest.nodes[id];
           return !llvm::is_contained(schedule.packedBuffers, node.buffer) &&
                  dimBetweenLanes(nest, node, *schedule.vectorDim, schedule.lanes) == dim &&
                  nest.dims[dim].extent <= std::abs(int64_t(node.address.coefficients[*schedule.vectorDim]));
         });
}

std::optional<Overlap> preparedOverlap(const LoopNest &nest, const NestSchedule &schedule, unsigned dim) {
  if (schedule.dotDim || llvm::any_of(nest.nodes, [](const Node &node) { return node.shared.has_value(); }))
    return std::nullopt;
  for (const Loop &loop : schedule.loops)
    for (NodeId id : nest.loads(/*insideReduction=*/true)) {
      const Node &load = nest.nodes[id];
      bool converts = isConverted(nest, id);
      if (load.kind != Node::Kind::Load || schedule.vectorDim == loop.dim || isBetweenLanes(nest, schedule, loop.dim) ||
          !(converts || isShuffled(schedule, load)))
        continue;
      int64_t step = std::abs(int64_t(load.address.coefficients[loop.dim])),
              between = std::abs(int64_t(load.address.coefficients[dim]));
      if (nest.dims[loop.dim].extent <= longestWindow && step != 0 && between != 0 && between % step == 0 &&
          between / step < nest.dims[loop.dim].extent)
        return Overlap{loop.dim, converts};
    }
  return std::nullopt;
}

} // namespace cameo::schedule
