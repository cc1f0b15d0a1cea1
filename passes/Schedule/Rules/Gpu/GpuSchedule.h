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

/// What one instruction of the matrix unit multiplies: `rows` x `depth` numbers by `depth` x `columns`.
struct TensorShape {
  TensorKind kind;
  int64_t rows, columns, depth;
  bool operator==(const TensorShape &other) const = default;
};

/// What a block has of attention at a time.
struct OnlineTile {
  int64_t rows; ///< queries
  int64_t keys; ///< and as many values
  bool operator==(const OnlineTile &other) const = default;
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
  /// Warps have the points, and the matrix unit multiplies, of an attention both products; none: threads have them.
  std::optional<TensorShape> tensor;
  /// Of the last nest of an attention (Attention.h), whose blocks compute those before it, too; none: these have
  /// kernels of their own.
  std::optional<OnlineTile> online;

  std::optional<Binding> bindingOf(unsigned loop) const;
  bool operator==(const GpuSchedule &other) const = default;
};

/// How the points along one dimension are divided: blocks have `block` of them, in parts of `apart`, of which a thread
/// has `thread` neighbours each, or a warp where the matrix unit multiplies. Along a reduction a block takes `block`
/// steps before it fetches again, of `share` in all: what other blocks take is added up behind them.
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
  bool usesTensor = false;                ///< the matrix unit multiplies what warps have
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
/// a thread are neighbours. For the matrix unit neighbours in memory are neighbours, in rows of a power of two
/// elements, whose vectors of 16 bytes are exchanged so that the same vector of eight rows lies in eight groups of
/// banks; those of 8 numbers of 32 bits so that that of four rows lies in four, where points are neighbours.
struct SharedLayout {
  llvm::SmallVector<int64_t> strides; ///< of each dimension of the nest; 0 where it reads the same along it
  int64_t elements = 1;
  bool isDepthInner = false; ///< for the matrix unit: a row is of a reduction
  int64_t vector = 1;        ///< elements that are exchanged together
  int64_t period = 1;        ///< elements from one exchange to the next one
  int64_t exchanges = 1;     ///< how many there are, a power of two; 1: nothing is exchanged

  /// Where element number `offset`, by the strides, lies. Of offsets with no bit in common the places have exclusive
  /// ors.
  int64_t placeOf(int64_t offset) const { return offset ^ (offset / period % exchanges * vector); }
};
SharedLayout sharedLayout(const Node &node, const LoopNest &nest, const BlockTile &tile);

/// Whether a warp reads what `node` loads, in that layout, as matrices: rows of 16 bytes along the depth, or numbers of
/// 16 bits, which an instruction turns around.
bool readsMatrices(const Node &node, const SharedLayout &layout);

/// Elements that one access to memory takes of those that `node` reads for a block: as many as lie side by side, are
/// aligned wherever blocks begin, and leave no thread without work. `dims` are those along which it reads, that with
/// the nearest neighbours first.
int64_t fetchWidth(const Node &node, const LoopNest &nest, const BlockTile &tile, llvm::ArrayRef<unsigned> dims);

/// The dimensions along which `node` reads, that with the nearest neighbours first.
llvm::SmallVector<unsigned> fetchedDims(const Node &node, const LoopNest &nest);

/// Bytes of shared memory that all cached loads take.
int64_t sharedBytes(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// Whether copies that go past registers, of 4, 8 or 16 bytes each, can fetch what `load` reads, or all cached loads:
/// where the part of an operand is turned around, each element is one.
bool canCopyAsync(const LoopNest &nest, NodeId load, const BlockTile &tile);
bool canCopyAsync(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// The most threads of a block that has rows of its own, and where these follow one another: then there are few blocks,
/// and each has a multiprocessor for itself.
constexpr int64_t rowThreads = 256, orderedThreads = 1024;

/// Static shared memory of a block, whatever the device.
constexpr int64_t mostSharedBytes = 48 << 10;

} // namespace cameo::schedule

#endif
