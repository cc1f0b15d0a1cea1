#include "passes/Schedule/Nests/TransposedLoads.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {

std::optional<unsigned> transposedDim(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes,
                                      unsigned rowDims) {
  // Elements of i1 are compared with zero when they are loaded, and masks cannot be shuffled.
  if (node.kind != Node::Kind::Load || node.packed || node.type.isInteger(1) || nest.dims[vectorDim].reduction)
    return std::nullopt;
  const Size &stride = node.address.coefficients[vectorDim];
  if (stride == 0 || stride == 1 || (isSpread(node, vectorDim, lanes) && 4 * std::abs(int64_t(stride)) <= lanes))
    return std::nullopt;
  for (unsigned dim = nest.dims.size(); dim-- > rowDims;)
    if (dim != vectorDim && !nest.dims[dim].reduction && node.address.coefficients[dim] == 1)
      return dim;
  return std::nullopt;
}

std::optional<unsigned> squareDim(const LoopNest &nest, unsigned vectorDim, int64_t lanes, unsigned rowDims) {
  for (const Node &node : nest.nodes)
    if (std::optional<unsigned> dim = transposedDim(nest, node, vectorDim, lanes, rowDims))
      return dim;
  return std::nullopt;
}

std::optional<int64_t> instructionsOfSpread(const Size &stride, int64_t lanes) {
  if (!stride.isKnown() || stride == 0 || stride == 1)
    return std::nullopt;
  int64_t vectors = std::abs(int64_t(stride));
  return 2 * vectors <= lanes ? std::optional(2 * vectors - 1) : std::nullopt;
}

double instructionsBesideLoad(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes,
                              unsigned rowDims) {
  const Size &stride = node.address.coefficients[vectorDim];
  if (node.kind != Node::Kind::Load || node.shared || !stride.isKnown() || std::abs(int64_t(stride)) < 2 ||
      transposedDim(nest, node, vectorDim, lanes, rowDims))
    return 0;
  return static_cast<double>(isSpread(node, vectorDim, lanes) ? std::abs(int64_t(stride)) - 1 : 2 * lanes - 1);
}

bool isSpread(const Node &node, unsigned vectorDim, int64_t lanes) {
  return node.kind == Node::Kind::Load && !node.packed && !node.shared && !node.type.isInteger(1) &&
         instructionsOfSpread(node.address.coefficients[vectorDim], lanes);
}

std::optional<unsigned> dimBetweenLanes(const LoopNest &nest, const Node &node, unsigned vectorDim, int64_t lanes) {
  if (isSpread(node, vectorDim, lanes))
    for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
      if (node.address.coefficients[dim] == 1)
        return dim;
  return std::nullopt;
}

std::optional<unsigned> interleavedDim(const LoopNest &nest, const Output &output, unsigned vectorDim) {
  constexpr int64_t mostVectors = 4;
  const Size &stride = output.address.coefficients[vectorDim];
  if (output.index || !stride.isKnown() || stride < 2 || stride > mostVectors || !llvm::isPowerOf2_64(int64_t(stride)))
    return std::nullopt;
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (!dimension.reduction && dim != vectorDim && output.address.coefficients[dim] == 1 && dimension.extent == stride)
      return dim;
  return std::nullopt;
}

} // namespace cameo::schedule
