// What blocks and threads of a GPU do of the loops of a nest, beside its NestSchedule.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_GPUSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_GPUSCHEDULE_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A loop of the nest, by its number, and what runs its iterations.
struct BoundLoop {
  unsigned loop;
  Binding to;
  bool operator==(const BoundLoop &other) const = default;
};

struct GpuSchedule {
  /// In order of the loops. None: each point, or vector of points along the vector dimension, has a thread.
  llvm::SmallVector<BoundLoop> bound;
  /// What the reduction reads of these buffers comes from shared memory, of which there are so many stages.
  llvm::SmallVector<unsigned> cachedBuffers;
  unsigned stages = 1;
  Copy copy = Copy::Vector; ///< how it gets there
  /// Steps along the innermost loop over a reduction at once; 0: as many as the loops leave.
  int64_t unroll = 0;

  std::optional<Binding> bindingOf(unsigned loop) const;
  bool operator==(const GpuSchedule &other) const = default;
};

/// How the points along one dimension are divided: blocks have `block` of them, in parts of `apart`, of which a thread
/// has `thread` neighbours each. Along a reduction a block takes `block` steps before it fetches again, of `share` in
/// all: what other blocks take is added up behind them.
struct TiledDimension {
  int64_t extent = 1, block = 1, apart = 1, thread = 1, share = 1;

  int64_t blocks() const { return (extent + block - 1) / block; }
  int64_t threads() const { return apart / thread; }
  int64_t parts() const { return block / apart; }
  /// Of a reduction: how often a block fetches, and how many blocks divide it.
  int64_t fetches() const { return (share + block - 1) / block; }
  int64_t splits() const { return (extent + share - 1) / share; }
  /// Whether the last block has less points than the others.
  bool isRagged() const { return extent % block != 0; }
};

/// What the loops of a nest are that is divided into blocks of points.
struct BlockTile {
  llvm::SmallVector<TiledDimension> dims; ///< of the nest
  int64_t threads = 1;                    ///< of a block
  int64_t blocks = 1;                     ///< that have points of their own
  int64_t splits = 1;                     ///< as many blocks for each of these, which divide a reduction
  int64_t points = 1;                     ///< of a thread
};

/// Whether blocks have tiles of the points of `nest`, of which each thread has some.
bool isTiled(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// The tile of a nest of known sizes for which this is so.
BlockTile tileOf(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// The loop over a reduction that is bound to blocks, each of which takes as much of it as the loop's size.
std::optional<Loop> splitLoop(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Whether the threads of a block reduce points of `nest` together.
bool reducesTogether(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Whether the threads of a warp do, each warp points of its own.
bool reducesByWarp(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// The loads of the reduction that come from shared memory.
llvm::SmallVector<NodeId> cachedLoads(const LoopNest &nest, const GpuSchedule &gpu);

/// How a block keeps in shared memory what the load `node` reads: reductions outermost, so that neighbouring points of
/// a thread are neighbours.
struct SharedLayout {
  llvm::SmallVector<int64_t> strides; ///< of each dimension of the nest; 0 where it reads the same along it
  int64_t elements = 1;
};
SharedLayout sharedLayout(const Node &node, const LoopNest &nest, const BlockTile &tile);

/// The most elements of `type` that one access takes.
int64_t mostLanes(mlir::Type type);

/// The dimensions that `form` moves along, that with the nearest neighbours first.
llvm::SmallVector<unsigned> fetchOrder(const LinearForm &form);

/// How many elements, along the first of these dimensions, a thread fetches at once of a block's part of an operand of
/// `type`: as many as lie side by side, are aligned wherever blocks begin, and leave no thread without work.
int64_t fetchWidth(const LinearForm &form, mlir::Type type, const BlockTile &tile);

/// Bytes of shared memory that all cached loads take.
int64_t sharedBytes(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// Whether copies that go past registers, of 4, 8 or 16 bytes each, can fetch all cached loads: where the part of an
/// operand is turned around, each element is one.
bool canCopyAsync(const LoopNest &nest, const GpuSchedule &gpu);

/// The most threads of a block that has rows of its own, and where these follow one another: then there are few blocks,
/// and each has a multiprocessor for itself.
constexpr int64_t rowThreads = 256, orderedThreads = 1024;

/// Static shared memory of a block, whatever the device.
constexpr int64_t mostSharedBytes = 48 << 10;

} // namespace cameo::schedule

#endif
