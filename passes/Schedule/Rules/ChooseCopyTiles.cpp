// A product of a few points takes less time than its matrix takes from memory. If the matrix has just been copied, and
// is larger than the cache, it comes from memory once more.
#include "passes/Schedule/Rules/ChooseCopyTiles.h"

#include "passes/Schedule/Nests/Rewrite/FuseCopies.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/RowStream.h"

#include "llvm/ADT/bit.h"

namespace cameo::schedule {
namespace {

/// What a tile copies: a part of the first-level cache that is long beside the loops of a tile.
constexpr int64_t tileBytes = 8 * 1024;
/// The nests from a copy to its product: one that appends rows and one that converts the other operand may be between.
constexpr unsigned mostNests = 4;

/// Returns the number of rows of a tile, or nothing if the copy should stay alone.
std::optional<int64_t> chooseRows(const TaskProgram &program, const CopiedRows &found, const Machine &machine) {
  const LoopNest &product = found.productOf(program);
  int64_t points = 1;
  for (unsigned dim : found.sharing) {
    if (!product.dims[dim].extent.isKnown())
      return std::nullopt;
    points *= product.dims[dim].extent;
  }
  const LoopNest &copy = found.copyOf(program);
  int64_t rowBytes = found.width * bytesOf(copy.nodes[copy.outputs.front().value].type);
  bool stays = found.count.isKnown();
  int64_t bytes = found.count * rowBytes;
  for (unsigned dim : found.outer) {
    stays &= product.dims[dim].extent.isKnown();
    bytes *= product.dims[dim].extent;
  }
  if (points > mostPointsOfRow || (stays && bytes <= machine.residentBytes()))
    return std::nullopt;
  return llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(1, tileBytes / rowBytes)));
}

} // namespace

std::vector<FuseStep> chooseCopyTiles(const TaskProgram &program, const Machine &machine) {
  std::vector<FuseStep> steps;
  unsigned count = 0;
  for (const NestGroup &group : program.groups)
    count += group.nests.size();
  for (unsigned nest = 0; nest < count; ++nest)
    for (unsigned last = nest + 1; last < std::min(nest + mostNests, count); ++last) {
      std::optional<CopiedRows> found = findCopiedRows(program, nest, last);
      std::optional<int64_t> rows = found ? chooseRows(program, *found, machine) : std::nullopt;
      if (!rows)
        continue;
      TaskProgram fused = program;
      if (llvm::Error error = fuseCopies(fused, *found, *rows))
        llvm::consumeError(std::move(error));
      else
        steps.push_back({nest, last, *rows});
    }
  return steps;
}

} // namespace cameo::schedule
