#include "passes/Schedule/Rules/Gpu/TileSizes.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

/// Whether points beyond the edges can be computed: inside of the reduction, only the operands are loaded.
static bool readsOperandsAlone(const LoopNest &nest, const Contraction &contraction) {
  auto isOther = [&](NodeId id) {
    const Node &node = nest.nodes[id];
    bool isOperand = id == contraction.left || id == contraction.right;
    return !isOperand &&
           (node.kind == Node::Kind::Load || node.kind == Node::Kind::Gather || node.kind == Node::Kind::Index);
  };
  return llvm::none_of(nest.computed(/*insideReduction=*/true), isOther) &&
         nest.nodes[nest.reductions[0].initial].dependsOn == 0;
}

std::optional<Contraction> findTiledContraction(const LoopNest &nest) {
  // With fewer points along either side, elements are reused too rarely.
  constexpr int64_t fewestAlong = 4, fewestSteps = 4;
  std::optional<Contraction> contraction = nest.hasKnownSizes() ? findContraction(nest) : std::nullopt;
  if (!contraction || !readsOperandsAlone(nest, *contraction) ||
      Contraction::extentOf(nest, contraction->rows) < fewestAlong ||
      Contraction::extentOf(nest, contraction->columns) < fewestAlong ||
      Contraction::extentOf(nest, contraction->depth) < fewestSteps)
    return std::nullopt;
  return contraction;
}

SmallVector<int64_t> divideTile(const LoopNest &nest, ArrayRef<unsigned> dims, int64_t points) {
  return divideTile(nest, dims, points, [&](ArrayRef<int64_t> sizes) -> std::optional<int64_t> {
    int64_t computed = 1;
    for (auto [dim, size] : llvm::zip_equal(dims, sizes))
      computed *= llvm::alignTo(int64_t(nest.dims[dim].extent), size);
    return computed;
  });
}

SmallVector<int64_t> divideTile(const LoopNest &nest, ArrayRef<unsigned> dims, int64_t points,
                                llvm::function_ref<std::optional<int64_t>(ArrayRef<int64_t>)> cost) {
  SmallVector<int64_t> best, sizes(dims.size(), 1);
  int64_t fewest = std::numeric_limits<int64_t>::max();
  auto visit = [&](auto &&visit, size_t left, int64_t rest) -> void {
    if (left == 1) {
      sizes[0] = rest;
      if (std::optional<int64_t> own = cost(sizes); own && *own < fewest) {
        fewest = *own;
        best = sizes;
      }
      return;
    }
    for (int64_t size = rest; size >= 1; size /= 2) {
      sizes[left - 1] = size;
      visit(visit, left - 1, rest / size);
    }
  };
  visit(visit, dims.size(), points);
  return best;
}

int64_t blocksAlong(const LoopNest &nest, ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes) {
  int64_t blocks = 1;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    blocks *= llvm::divideCeil(int64_t(nest.dims[dim].extent), size);
  return blocks;
}

SmallVector<size_t> depthOrder(const LoopNest &nest, const Contraction &contraction) {
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(contraction.depth.size()));
  auto distance = [&](size_t number) {
    return std::abs(int64_t(nest.nodes[contraction.left].address.coefficients[contraction.depth[number]]));
  };
  llvm::sort(order, [&](size_t a, size_t b) { return std::pair(distance(a), b) < std::pair(distance(b), a); });
  return order;
}

std::optional<unsigned> findSplit(const LoopNest &nest, ArrayRef<unsigned> dims, ArrayRef<int64_t> sizes,
                                  int64_t splits) {
  std::optional<unsigned> longest;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    if (int64_t extent = nest.dims[dim].extent;
        extent % (splits * size) == 0 && (!longest || extent > int64_t(nest.dims[*longest].extent)))
      longest = dim;
  return longest;
}

} // namespace cameo::schedule
