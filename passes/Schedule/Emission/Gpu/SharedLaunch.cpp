// Merges small pieces of work into other launches, because a launch takes a microsecond or two, as long as many pieces:
// borders beside the plane that they surround, parts of a concatenation. A piece must be independent of the pieces that
// it joins.
#include "passes/Schedule/Emission/Gpu/SharedLaunch.h"

#include "passes/Schedule/Emission/Gpu/KernelMemory.h"
#include "passes/Schedule/Nests/IndependentNests.h"

#include "llvm/ADT/STLExtras.h"

namespace cameo::schedule {

/// The limit of blocks of a small piece. Its blocks need the same registers per thread as the first piece, so more of
/// them would run with too few threads per multiprocessor.
static constexpr int64_t mostBlocksBeside = 256;
static constexpr size_t mostPieces = 16;
/// The limit of sums in a thread's registers: beside more of them, addresses of a second tile are spilled.
static constexpr int64_t mostSums = 128;

static bool isSmall(const LaunchPiece &piece) {
  return piece.isFlexible() && piece.blocks.isKnown() && int64_t(piece.blocks) <= mostBlocksBeside;
}

/// Returns the bytes of shared memory for the tiles of all pieces.
static int64_t tileBytes(llvm::ArrayRef<const LaunchPiece *> pieces) {
  TileSizes sizes;
  for (const LaunchPiece *piece : pieces)
    sizes.add(piece->tiles);
  return sizes.bytes();
}

/// Whether `piece`, whose number of threads is fixed, may join pieces for which that is also true: tiles, and split
/// reductions. Tiles of all have at most `mostBytes`, or what the largest piece has without the others.
static bool takesEqual(const SharedLaunch &launch, const LaunchPiece &piece, int64_t mostBytes) {
  auto isAlike = [&](const LaunchPiece *other) {
    return other->writesAlone &&
           (other->isFlexible() || (other->threads == piece.threads && other->cluster == piece.cluster));
  };
  llvm::SmallVector<const LaunchPiece *> all(launch.pieces);
  all.push_back(&piece);
  int64_t alone = 0;
  for (const LaunchPiece *each : all)
    alone = std::max(alone, tileBytes(each));
  return piece.writesAlone && piece.sums <= mostSums && launch.pieces.front()->sums <= mostSums &&
         llvm::all_of(launch.pieces, isAlike) && tileBytes(all) <= std::max(alone, mostBytes);
}

/// Whether `piece` may run after the blocks of `launch`.
static bool takes(const SharedLaunch &launch, const LaunchPiece &piece, int64_t mostBytes) {
  const LaunchPiece &first = *launch.pieces.front();
  if (launch.pieces.size() == mostPieces || !first.blocks.isKnown())
    return false;
  // Each direction of a recurrent layer uses a multiprocessor of its own.
  if (piece.group->orderedDims > 0)
    return piece.threads == first.threads && piece.blocks.isKnown() &&
           llvm::all_of(launch.pieces, [](const LaunchPiece *other) { return other->group->orderedDims > 0; });
  if (!first.isFlexible() && !piece.isFlexible())
    return piece.blocks.isKnown() && takesEqual(launch, piece, mostBytes);
  return first.isFlexible() ? piece.isFlexible() && piece.blocks.isKnown() : isSmall(piece);
}

/// Whether `piece`, whose number of threads is fixed, may become the first piece of `launch`.
static bool takesFirst(const SharedLaunch &launch, const LaunchPiece &piece) {
  return launch.pieces.size() < mostPieces && !piece.isFlexible() && piece.blocks.isKnown() &&
         llvm::all_of(launch.pieces, [](const LaunchPiece *other) { return isSmall(*other); });
}

static bool startsBefore(const LaunchPiece *a, const LaunchPiece *b) {
  return std::pair(a->isFlexible(), -a->products) < std::pair(b->isFlexible(), -b->products);
}

std::vector<SharedLaunch> shareLaunches(const std::deque<LaunchPiece> &pieces, int64_t mostBytes) {
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
    if (auto launch = find([&](const auto &...both) { return takes(both..., mostBytes); }); launch != launches.end()) {
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
  for (SharedLaunch &launch : launches) {
    llvm::SmallVector<const LaunchPiece *> sorted;
    for (const LaunchPiece *piece : launch.pieces)
      sorted.insert(llvm::upper_bound(sorted, piece, startsBefore), piece);
    launch.pieces = std::move(sorted);
  }
  std::vector<SharedLaunch> inOrder;
  for (unsigned level = 0; inOrder.size() < launches.size(); ++level)
    llvm::copy_if(launches, std::back_inserter(inOrder),
                  [&](const SharedLaunch &launch) { return launch.level == level; });
  return inOrder;
}

} // namespace cameo::schedule
