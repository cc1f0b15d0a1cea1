// A launch takes a microsecond or two, as long as what many pieces do: borders beside the plane they surround, parts of
// a concatenation. They join one that they need not wait for.
#include "passes/Schedule/Emission/Gpu/SharedLaunch.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace cameo::schedule {

/// More blocks than these would miss the threads for which those of the first piece leave no registers.
static constexpr int64_t mostBlocksBeside = 256;
static constexpr size_t mostPieces = 16;
/// Beside more of them in a thread's registers the addresses of another tile find no place.
static constexpr int64_t mostSums = 64;

static bool isSmall(const LaunchPiece &piece) {
  return piece.isFlexible() && piece.blocks.isKnown() && int64_t(piece.blocks) <= mostBlocksBeside;
}

/// Bytes of shared memory for the tiles of all pieces, which have those of one type in the same place.
static int64_t tileBytes(llvm::ArrayRef<const LaunchPiece *> pieces) {
  llvm::DenseMap<mlir::Type, int64_t> most;
  for (const LaunchPiece *piece : pieces) {
    llvm::DenseMap<mlir::Type, int64_t> own;
    for (mlir::MemRefType tile : piece->tiles)
      most[tile] = std::max(most[tile], ++own[tile]);
  }
  int64_t bytes = 0;
  for (auto [type, count] : most)
    bytes += count * mlir::cast<mlir::MemRefType>(type).getNumElements() *
             bytesOf(mlir::cast<mlir::MemRefType>(type).getElementType());
  return bytes;
}

/// Whether `piece`, whose threads are fixed, may run beside others of which that is so: tiles, and sums that blocks
/// divide.
static bool takesEqual(const SharedLaunch &launch, const LaunchPiece &piece) {
  auto isAlike = [&](const LaunchPiece *other) {
    return other->writesAlone && (other->isFlexible() || other->threads == piece.threads);
  };
  llvm::SmallVector<const LaunchPiece *> all(launch.pieces);
  all.push_back(&piece);
  return piece.writesAlone && piece.sums <= mostSums && launch.pieces.front()->sums <= mostSums &&
         llvm::all_of(launch.pieces, isAlike) && tileBytes(all) <= mostSharedBytes;
}

/// Whether `piece` may run behind the blocks that `launch` has.
static bool takes(const SharedLaunch &launch, const LaunchPiece &piece) {
  const LaunchPiece &first = *launch.pieces.front();
  if (launch.pieces.size() == mostPieces || !first.blocks.isKnown())
    return false;
  // Directions of a recurrent layer have a multiprocessor each.
  if (piece.group->orderedDims > 0)
    return piece.threads == first.threads && piece.blocks.isKnown() &&
           llvm::all_of(launch.pieces, [](const LaunchPiece *other) { return other->group->orderedDims > 0; });
  if (!first.isFlexible() && !piece.isFlexible())
    return piece.blocks.isKnown() && takesEqual(launch, piece);
  return first.isFlexible() ? piece.isFlexible() && piece.blocks.isKnown() : isSmall(piece);
}

/// Whether `piece`, whose threads are fixed, may run in front of them.
static bool takesFirst(const SharedLaunch &launch, const LaunchPiece &piece) {
  return launch.pieces.size() < mostPieces && !piece.isFlexible() && piece.blocks.isKnown() &&
         llvm::all_of(launch.pieces, [](const LaunchPiece *other) { return isSmall(*other); });
}

std::vector<SharedLaunch> shareLaunches(const std::deque<LaunchPiece> &pieces) {
  std::vector<SharedLaunch> launches;
  llvm::SmallVector<unsigned> levels; // of pieces
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
