// Merges small pieces of work into other launches, because a launch takes a microsecond or two, as long as many pieces:
// borders beside the plane that they surround, parts of a concatenation. A piece must be independent of the pieces that
// it joins.
#include "passes/Schedule/Emission/Gpu/SharedLaunch.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace cameo::schedule {

/// The limit of blocks of a small piece. Its blocks need the same registers per thread as the first piece, so more of
/// them would run with too few threads per multiprocessor.
static constexpr int64_t mostBlocksBeside = 256;
static constexpr size_t mostPieces = 16;
/// The limit of sums in a thread's registers: with more of them, the addresses of a second tile would be spilled.
static constexpr int64_t mostSums = 64;

static bool isSmall(const LaunchPiece &piece) {
  return piece.isFlexible() && piece.blocks.isKnown() && int64_t(piece.blocks) <= mostBlocksBeside;
}

/// Returns the bytes of shared memory for the tiles of all pieces; pieces reuse the memory of tiles of equal type.
static int64_t tileBytes(llvm::ArrayRef<const LaunchPiece *> pieces) {
  llvm::DenseMap<mlir::Type, int64_t> most;
  for (const LaunchPiece *piece : pieces) {
    llvm::DenseMap<mlir::Type, int64_t> own;
    for (mlir::MemRefType tile : piece->tiles)
      most[tile] = std::max(most[tile], ++own[tile]);
  }
  int64_t bytes = 0;
  for (auto [type, count] : most)
    bytes += count * llvm::alignTo(mlir::cast<mlir::MemRefType>(type).getNumElements() *
                                       bytesOf(mlir::cast<mlir::MemRefType>(type).getElementType()),
                                   flagBytes);
  return bytes;
}

/// Whether `piece`, whose number of threads is fixed, may join pieces for which that is also true: tiles, and split
/// reductions. Beyond the memory that each launch has, it may only reuse that of another piece.
static bool takesEqual(const SharedLaunch &launch, const LaunchPiece &piece) {
  auto isAlike = [&](const LaunchPiece *other) {
    return other->writesAlone && (other->isFlexible() || other->threads == piece.threads);
  };
  llvm::SmallVector<const LaunchPiece *> all(launch.pieces);
  all.push_back(&piece);
  int64_t alone = 0; // what the largest piece has without the others
  for (const LaunchPiece *each : all)
    alone = std::max(alone, tileBytes(each));
  return piece.writesAlone && piece.sums <= mostSums && launch.pieces.front()->sums <= mostSums &&
         llvm::all_of(launch.pieces, isAlike) && tileBytes(all) <= std::max(alone, GpuMachine::staticSharedBytes);
}

/// Whether `piece` may run after the blocks of `launch`.
static bool takes(const SharedLaunch &launch, const LaunchPiece &piece) {
  const LaunchPiece &first = *launch.pieces.front();
  if (launch.pieces.size() == mostPieces || !first.blocks.isKnown())
    return false;
  // Each direction of a recurrent layer uses a multiprocessor of its own.
  if (piece.group->orderedDims > 0)
    return piece.threads == first.threads && piece.blocks.isKnown() &&
           llvm::all_of(launch.pieces, [](const LaunchPiece *other) { return other->group->orderedDims > 0; });
  if (!first.isFlexible() && !piece.isFlexible())
    return piece.blocks.isKnown() && takesEqual(launch, piece);
  return first.isFlexible() ? piece.isFlexible() && piece.blocks.isKnown() : isSmall(piece);
}

/// Whether `piece`, whose number of threads is fixed, may become the first piece of `launch`.
static bool takesFirst(const SharedLaunch &launch, const LaunchPiece &piece) {
  return launch.pieces.size() < mostPieces && !piece.isFlexible() && piece.blocks.isKnown() &&
         llvm::all_of(launch.pieces, [](const LaunchPiece *other) { return isSmall(*other); });
}

std::vector<SharedLaunch> shareLaunches(const std::deque<LaunchPiece> &pieces) {
  std::vector<SharedLaunch> launches;
  llvm::SmallVector<unsigned> levels; // for each piece, the level of its launch
  for (const LaunchPiece &piece : pieces) {
    unsigned least = 0;
    for (auto [other, level] : llvm::zip(pieces, levels))
      if (!areIndependent(*other.group, *piece.group))
        least = std::max(least, level + 1);
    auto find = [&](auto fits) {
      return llvm::find_if(launches,
                           [&](const SharedLaunch &launch) { return launch.level >= least && fits(launch, piece); });
    };
    if (auto launch = find(takes); launch != launches.end()) {
      launch->pieces.push_back(&piece);
      levels.push_back(launch->level);
    } else if (auto launch = find(takesFirst); launch != launches.end()) {
      launch->pieces.insert(launch->pieces.begin(), &piece);
      levels.push_back(launch->level);
    } else {
      launches.push_back({least, {&piece}});
      levels.push_back(least);
    }
  }
  std::vector<SharedLaunch> inOrder;
  for (unsigned level = 0; inOrder.size() < launches.size(); ++level)
    llvm::copy_if(launches, std::back_inserter(inOrder),
                  [&](const SharedLaunch &launch) { return launch.level == level; });
  return inOrder;
}

} // namespace cameo::schedule
