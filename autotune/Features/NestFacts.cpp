#include "autotune/Features/NestFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace cameo::schedule;

namespace cameo::autotune {

static bool isTranscendental(const Node &node) {
  return node.kind == Node::Kind::Apply && llvm::isa<mlir::math::MathDialect>(node.op->getDialect()) &&
         !llvm::isa<mlir::math::SqrtOp, mlir::math::AbsFOp, mlir::math::FmaOp>(node.op);
}

static double instructionsOf(const LoopNest &nest, const Node &node) {
  if (node.kind != Node::Kind::Apply)
    return 0;
  if (isTranscendental(node))
    return 16;
  if (llvm::isa<mlir::arith::DivFOp, mlir::math::SqrtOp>(node.op))
    return 8;
  // A product that is added is half of a multiply-add.
  if (llvm::isa<mlir::arith::AddFOp>(node.op))
    for (NodeId operand : node.operands)
      if (const Node &product = nest.nodes[operand];
          product.kind == Node::Kind::Apply && llvm::isa<mlir::arith::MulFOp>(product.op))
        return 0;
  return 1;
}

/// Adds what computes the values that `root` needs and that are not `seen`. Inside of a reduction what uses the running
/// result differs along every dimension.
static void addWork(const LoopNest &nest, NodeId root, bool isInside, llvm::SmallBitVector &seen,
                    std::vector<NestFacts::Work> &work) {
  if (seen.test(root))
    return;
  seen.set(root);
  const Node &node = nest.nodes[root];
  uint64_t dims = isInside && node.usesAccumulator ? ~uint64_t(0) : node.dependsOn;
  if (double instructions = instructionsOf(nest, node); instructions > 0) {
    auto same = llvm::find_if(work, [&](const NestFacts::Work &each) { return each.dims == dims; });
    if (same == work.end())
      work.push_back({dims, instructions});
    else
      same->instructions += instructions;
  }
  for (NodeId operand : node.operands)
    addWork(nest, operand, isInside, seen, work);
}

static int64_t bytesOfElement(mlir::Type type) {
  return type.isIntOrFloat() ? std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8) : 8;
}

static void addAccess(const NestFacts::Access &access, std::vector<NestFacts::Access> &accesses) {
  for (NestFacts::Access &other : accesses)
    if (other.buffer == access.buffer && other.dims == access.dims && other.isGathered == access.isGathered &&
        other.address->coefficients == access.address->coefficients) {
      ++other.count;
      return;
    }
  accesses.push_back(access);
}

static std::vector<NestFacts::Access> readsOf(const LoopNest &nest, llvm::ArrayRef<NodeId> loads) {
  std::vector<NestFacts::Access> reads;
  for (NodeId id : loads) {
    const Node &node = nest.nodes[id];
    addAccess(
        {&node.address, node.dependsOn, bytesOfElement(node.type), node.buffer, node.kind == Node::Kind::Gather, 1},
        reads);
  }
  return reads;
}

NestFacts::NestFacts(const LoopNest &nest) : nest(&nest) {
  llvm::SmallBitVector inReduction(nest.nodes.size()), inOutputs(nest.nodes.size());
  for (const Reduction &reduction : nest.reductions)
    addWork(nest, reduction.update, /*isInside=*/true, inReduction, reductionWork);
  for (const Output &output : nest.outputs) {
    addWork(nest, output.value, /*isInside=*/false, inOutputs, outputWork);
    uint64_t dims = 0;
    for (auto [dim, coefficient] : llvm::enumerate(output.address.coefficients))
      dims |= uint64_t(coefficient != 0) << dim;
    addAccess(
        {&output.address, dims, bytesOfElement(nest.nodes[output.value].type), output.buffer, /*isGathered=*/false, 1},
        writes);
  }
  reductionReads = readsOf(nest, nest.loads(/*insideReduction=*/true));
  outputReads = readsOf(nest, nest.loads(/*insideReduction=*/false));
  for (const Node &node : nest.nodes) {
    operations += node.kind == Node::Kind::Apply;
    transcendentals += isTranscendental(node);
  }
}

} // namespace cameo::autotune
