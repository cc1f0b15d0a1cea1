// Counts the operations of the expression tree and the elements that loads and stores access.
#include "passes/Schedule/Rules/NestCost.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace cameo::schedule {
double elementsAt(const LoopNest &nest, const LinearForm &address, uint64_t along) {
  double points = 1;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (address.dependsOn(dim) && (along >> dim) & 1)
      points *= static_cast<double>(dimension.extent);
  return std::min(points, nest.reach<double>(address, along).count());
}

double arithmeticCycles(const LoopNest &nest, const Machine &machine) {
  double points = 1, steps = nest.hasReduction() ? 1 : 0, epilogue = 0;
  for (const Dimension &dim : nest.dims)
    (dim.reduction ? steps : points) *= static_cast<double>(dim.extent);
  for (const Node &node : nest.nodes)
    if (node.kind == Node::Kind::Apply)
      epilogue += llvm::isa<mlir::math::MathDialect>(node.op->getDialect()) ? longFunctionInstructions : 1;
  return points * (steps + epilogue) / static_cast<double>(machine.vectorBytes / 4) / machine.multiplyAdds;
}

double cyclesOf(const TaskProgram &program, const LoopNest &nest, const Machine &machine) {
  double moving = 0;
  for (const Node &node : nest.nodes) {
    if (!node.isRead())
      continue;
    // The index of a gather may move it back, as in an operand that repeats.
    const Buffer &buffer = program.buffers[node.buffer];
    double elements = std::min(elementsAt(nest, node.address), static_cast<double>(buffer.elements)),
           bytes = elements * static_cast<double>(bytesOf(node.type));
    moving += bytes / (buffer.packable ? machine.memoryBytesPerCycle : machine.nearBytesPerCycle);
  }
  for (const Output &output : nest.outputs)
    moving += elementsAt(nest, output.address) * static_cast<double>(bytesOf(nest.nodes[output.value].type)) /
              machine.nearBytesPerCycle;
  return std::max(arithmeticCycles(nest, machine), moving);
}

} // namespace cameo::schedule
