// Rows that each are read once: as one stream, which the processor prefetches.
#include "passes/Schedule/Rules/RowStream.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// The number of vector sums that hide the latency of multiply-adds.
constexpr int64_t sumsAtOnce = 8;
/// What a piece of the parallel range reads of the stream.
constexpr int64_t pieceBytes = 32 * 1024;

/// Whether the elements that `node` reads do not stay in the second-level cache. Dynamic sizes may be large.
bool comesFromMemory(const LoopNest &nest, const Node &node, const Machine &machine) {
  uint64_t bytes = bytesOf(node.type);
  for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
    if (!node.address.dependsOn(dim))
      continue;
    if (!dimension.extent.isKnown())
      return true;
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, int64_t(dimension.extent));
  }
  return bytes > static_cast<uint64_t>(machine.residentBytes());
}

/// Describes what `matrix` reads as a stream, beside `other`.
std::optional<RowStream> streamOf(const LoopNest &nest, const NestSchedule &schedule, const Node &matrix,
                                  const Node &other, const Machine &machine) {
  unsigned vectorDim = *schedule.vectorDim;
  if (matrix.kind != Node::Kind::Load || matrix.shared || matrix.address.coefficients[vectorDim] != 1 ||
      !comesFromMemory(nest, matrix, machine))
    return std::nullopt;
  RowStream stream{0, std::nullopt, 1, 1};
  std::optional<unsigned> rows;
  for (auto [number, dimension] : llvm::enumerate(nest.dims)) {
    unsigned dim = number;
    if (dim == vectorDim || dimension.extent == 1)
      continue;
    // Windows and sums over several dimensions have other blocks.
    if (dimension.reduction)
      return std::nullopt;
    if (!matrix.address.dependsOn(dim)) {
      if (stream.shared || !dimension.extent.isKnown() || dimension.extent > mostPointsOfRow)
        return std::nullopt;
      stream.shared = dim;
    } else if (!other.address.dependsOn(dim)) {
      if (rows)
        return std::nullopt;
      rows = dim;
    }
  }
  if (!rows)
    return std::nullopt;
  stream.rows = *rows;
  int64_t points = stream.shared ? int64_t(nest.dims[*stream.shared].extent) : 1,
          vectors = llvm::divideCeil(nest.dims[vectorDim].extent, int64_t(schedule.lanes)),
          rowBytes = vectors * schedule.lanes * bytesOf(matrix.type);
  stream.vectors = std::min<int64_t>(vectors, std::max<int64_t>(1, sumsAtOnce / points));
  stream.rowsPerPiece = llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(1, pieceBytes / rowBytes)));
  return stream;
}

} // namespace

std::optional<RowStream> findRowStream(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule,
                                       const Machine &machine) {
  llvm::SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  bool isAlongSum = schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction && !schedule.dotDim;
  if (rowDims > 0 || !isAlongSum || !schedule.packedBuffers.empty() || loads.size() != 2 || nest.reductions.size() != 1)
    return std::nullopt;
  const Node &first = nest.nodes[loads[0]], &second = nest.nodes[loads[1]];
  if (std::optional<RowStream> stream = streamOf(nest, schedule, first, second, machine))
    return stream;
  return streamOf(nest, schedule, second, first, machine);
}

} // namespace cameo::schedule
