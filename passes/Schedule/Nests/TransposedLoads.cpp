#include "passes/Schedule/Nests/TransposedLoads.h"

namespace cameo::schedule {

std::optional<unsigned> transposedDim(const LoopNest &nest, const Node &node, unsigned vectorDim, unsigned rowDims) {
  // Bits are compared with zero as they are loaded, and masks cannot be shuffled.
  if (node.kind != Node::Kind::Load || node.packed || node.type.isInteger(1) || nest.dims[vectorDim].reduction)
    return std::nullopt;
  int64_t stride = node.address.coefficients[vectorDim];
  if (stride == 0 || stride == 1)
    return std::nullopt;
  for (unsigned dim = nest.dims.size(); dim-- > rowDims;)
    if (dim != vectorDim && !nest.dims[dim].reduction && node.address.coefficients[dim] == 1)
      return dim;
  return std::nullopt;
}

} // namespace cameo::schedule
