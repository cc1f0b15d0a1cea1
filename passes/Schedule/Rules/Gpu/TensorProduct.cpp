#include "passes/Schedule/Rules/Gpu/TensorProduct.h"

#include "passes/Schedule/Rules/ByteDot.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

/// Whether `id` is the load `load`, extended to f32 if needed.
static bool isPlainFactor(const LoopNest &nest, NodeId id, NodeId load) {
  const Node &node = nest.nodes[id];
  return (id == load && node.type.isF32()) || (node.kind == Node::Kind::Apply && isa<arith::ExtFOp>(node.op) &&
                                               node.type.isF32() && node.operands[0] == load);
}

static std::optional<TensorKind> kindOf(GpuMath math) {
  switch (math) {
  case GpuMath::F32:
    return std::nullopt;
  case GpuMath::Tf32x3:
    return TensorKind::Mma3xTf32;
  case GpuMath::Tf32:
    return TensorKind::MmaTf32;
  case GpuMath::F16:
    return TensorKind::MmaF16;
  case GpuMath::Bf16:
    return TensorKind::MmaBf16;
  }
  llvm_unreachable("unknown math");
}

static std::optional<TensorKind> kindFor(Type type, GpuMath math) {
  if (type.isF16() || type.isBF16())
    return TensorKind::Mma;
  return type.isF32() ? kindOf(math) : std::nullopt;
}

/// Returns the number of reduction steps per instruction for operands of `type`.
static int64_t depthOf(TensorKind kind, Type type) {
  bool areHalves = kind == TensorKind::MmaF16 || kind == TensorKind::MmaBf16;
  return mmaDepthBytes / (areHalves ? 2 : bytesOf(type));
}

/// Whether the nest adds products of both loads in f32, extended if they are not f32.
static bool addsPlainProducts(const LoopNest &nest, const Contraction &contraction) {
  const Node &update = nest.nodes[nest.reductions[0].update];
  NodeId added =
      nest.nodes[update.operands[0]].kind == Node::Kind::Accumulator ? update.operands[1] : update.operands[0];
  ArrayRef<NodeId> factors = nest.nodes[added].operands;
  auto are = [&](NodeId first, NodeId second) {
    return isPlainFactor(nest, first, contraction.left) && isPlainFactor(nest, second, contraction.right);
  };
  return update.type.isF32() && (are(factors[0], factors[1]) || are(factors[1], factors[0]));
}

std::optional<TensorProduct> findTensorProduct(const LoopNest &nest, const GpuMachine &gpu) {
  constexpr unsigned firstCapability = 80;
  std::optional<Contraction> found =
      gpu.getCapability() >= firstCapability && nest.hasKnownSizes() ? findContraction(nest) : std::nullopt;
  if (!found || found->rows.empty() || found->columns.empty())
    return std::nullopt;
  const Node &left = nest.nodes[found->left], &right = nest.nodes[found->right];
  for (unsigned dim : found->depth)
    if (!left.address.dependsOn(dim) || !right.address.dependsOn(dim))
      return std::nullopt;
  std::optional<TensorKind> kind = matchByteProducts(nest)   ? TensorKind::Mma
                                   : left.type == right.type ? kindFor(left.type, gpu.math)
                                                             : std::nullopt;
  if (!kind || !(matchByteProducts(nest) || addsPlainProducts(nest, *found)))
    return std::nullopt;
  return TensorProduct{std::move(*found), {*kind, mmaRows, mmaColumns, depthOf(*kind, left.type)}};
}

bool canReadOperands(const LoopNest &nest, const TensorProduct &product) {
  auto hasNeighbours = [&](NodeId load) { return nest.dims[fetchedDims(nest.nodes[load], nest).front()].reduction; };
  return !matchByteProducts(nest) ||
         (hasNeighbours(product.contraction.left) && hasNeighbours(product.contraction.right));
}

bool canHaveUnevenPoints(const LoopNest &nest, ArrayRef<unsigned> dims, NodeId operand) {
  return dims.size() == 1 && nest.dims[fetchedDims(nest.nodes[operand], nest).front()].reduction;
}

std::optional<TensorShape> groupShapeOf(const TensorProduct &product, const GpuMachine &gpu) {
  constexpr int64_t halvesOfDepth = mmaDepthBytes / 2;
  if (gpu.architecture != "sm_90a" || product.shape.kind != TensorKind::Mma || product.shape.depth != halvesOfDepth)
    return std::nullopt;
  return TensorShape{TensorKind::Wgmma, wgmmaRows, leastWgmmaColumns, halvesOfDepth};
}

int64_t productsOf(TensorKind kind) { return kind == TensorKind::Mma3xTf32 ? 3 : 1; }

} // namespace cameo::schedule
