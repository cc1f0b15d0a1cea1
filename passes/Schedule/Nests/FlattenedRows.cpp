#include "passes/Schedule/Nests/FlattenedRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace cameo::schedule {

/// The most vectors of a period: a block has all of them, and each has shuffles of its own.
constexpr int64_t longestPeriod = 16;

int64_t RowNumber::vectorsPerPeriod(int64_t lanes) const { return width / std::gcd(width, lanes); }

std::optional<RowNumber> rowNumber(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  if (node.kind != Node::Kind::Apply || !llvm::isa<mlir::arith::DivUIOp>(node.op))
    return std::nullopt;
  const Node &point = nest.nodes[node.operands[0]], &length = nest.nodes[node.operands[1]];
  if (point.kind != Node::Kind::Index || length.kind != Node::Kind::Constant || !llvm::isPowerOf2_64(point.dependsOn))
    return std::nullopt;
  unsigned dim = llvm::Log2_64(point.dependsOn);
  auto width = llvm::dyn_cast<mlir::IntegerAttr>(length.constant);
  if (!width || width.getInt() < 1 || point.address.coefficients[dim] != 1 || point.address.constant != 0)
    return std::nullopt;
  return RowNumber{dim, width.getInt()};
}

std::optional<FlattenedRows> flattenedRows(const LoopNest &nest, const Node &node, unsigned dim) {
  if (node.kind != Node::Kind::Gather || node.operands.size() != 1)
    return std::nullopt;
  std::optional<RowNumber> row = rowNumber(nest, node.operands.front());
  const Size &step = node.address.coefficients[dim], &further = node.strides.front();
  if (!row || row->dim != dim || !step.isKnown() || !further.isKnown())
    return std::nullopt;
  return FlattenedRows{row->width, int64_t(step), int64_t(further)};
}

std::optional<double> instructionsOfRows(const LoopNest &nest, const Node &node, unsigned dim, int64_t lanes) {
  std::optional<FlattenedRows> rows = flattenedRows(nest, node, dim);
  int64_t period = rows ? RowNumber{dim, rows->width}.vectorsPerPeriod(lanes) : 0;
  if (!rows || period > longestPeriod)
    return std::nullopt;
  int64_t instructions = 0;
  for (int64_t first = 0; first < period * lanes; first += lanes) {
    int64_t least = rows->offset(first), greatest = least;
    for (int64_t lane = 1; lane < lanes; ++lane) {
      least = std::min(least, rows->offset(first + lane));
      greatest = std::max(greatest, rows->offset(first + lane));
    }
    int64_t loads = llvm::divideCeil(greatest - least + 1, lanes);
    if (2 * loads > lanes)
      return std::nullopt;
    // What repeats within the block is loaded before its loops.
    instructions += rows->rowStride() == 0 ? 1 : 2 * loads;
  }
  return static_cast<double>(instructions) / static_cast<double>(period);
}

int64_t vectorsPerPeriod(const LoopNest &nest, unsigned dim, int64_t lanes) {
  int64_t vectors = 1;
  for (const Node &node : nest.nodes) {
    if (node.kind != Node::Kind::Gather ||
        (flattenedRows(nest, node, dim) && !instructionsOfRows(nest, node, dim, lanes)))
      continue;
    for (NodeId operand : node.operands)
      if (std::optional<RowNumber> row = rowNumber(nest, operand); row && row->dim == dim)
        if (int64_t both = std::lcm(vectors, row->vectorsPerPeriod(lanes)); both <= longestPeriod)
          vectors = both;
  }
  return vectors;
}

} // namespace cameo::schedule
