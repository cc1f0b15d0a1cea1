#include "autotune/Space/NestTraits.h"

#include "passes/Schedule/Nests/Combiner.h"

using namespace cameo::schedule;

namespace cameo::autotune {

bool variesAlong(const LoopNest &nest, NodeId id, unsigned dim) { return (nest.nodes[id].dependsOn >> dim) & 1; }

static bool isCombinable(const LoopNest &nest) {
  for (unsigned number = 0; number < nest.reductions.size(); ++number)
    if (!matchCombiner(nest, number) || nest.nodes[nest.reductions[number].update].type.isInteger(1))
      return false;
  return nest.hasReduction();
}

static double countOperations(const LoopNest &nest) {
  double operations = 0;
  for (const Node &node : nest.nodes) {
    if (node.kind != Node::Kind::Apply)
      continue;
    double points = 1;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims))
      if (!dimension.reduction || (node.dependsOn >> dim) & 1 || node.usesAccumulator)
        points *= static_cast<double>(dimension.extent);
    operations += points;
  }
  return operations;
}

NestTraits::NestTraits(const TaskProgram &program, const NestGroup &group, const LoopNest &nest, const Machine &machine,
                       unsigned threads)
    : program(&program), group(&group), nest(&nest), rowDims(group.rowDims),
      isAlone(group.rowDims == 0 && group.nests.size() == 1), machine(machine), threads(threads),
      defaults(defaultSchedule(program, nest, rowDims, machine)) {
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
    (nest.dims[dim].reduction ? reductions : parallel).push_back(dim);
  loads = nest.loads(/*insideReduction=*/nest.hasReduction());
  isCombinable = autotune::isCombinable(nest);
  operations = countOperations(nest);
  isFill = loads.empty() && operations == 0;
  unsigned rereadOperands = llvm::count_if(loads, [&](NodeId id) {
    return llvm::any_of(parallel, [&](unsigned dim) { return extent(dim) > 1 && !variesAlong(nest, id, dim); });
  });
  needsTiling = rereadOperands >= 2 || (rereadOperands >= 1 && nest.hasReduction());
  for (const Node &node : nest.nodes)
    if (node.type.isIntOrFloat())
      elementBytes = std::max<int64_t>(elementBytes, node.type.getIntOrFloatBitWidth() / 8);
}

bool NestTraits::hasTransforms() const {
  return llvm::any_of(nest->nodes, [](const Node &node) { return !node.transforms.empty(); });
}

} // namespace cameo::autotune
