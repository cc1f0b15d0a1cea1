// How the loops of a nest are mapped to blocks and threads of a GPU, in addition to its NestSchedule.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_GPUSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_GPUSCHEDULE_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Nests/Pool.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A loop of the nest, by its number, and what executes its iterations.
struct BoundLoop {
  unsigned loop;
  Binding to;
  bool operator==(const BoundLoop &other) const = default;
};

/// The shape of an instruction of the matrix unit, which multiplies `rows` x `depth` by `depth` x `columns` elements.
struct TensorShape {
  TensorKind kind;
  int64_t rows, columns, depth;
  bool operator==(const TensorShape &other) const = default;
};

/// The tile of an attention that a block computes at a time.
struct OnlineTile {
  int64_t rows; ///< queries
  int64_t keys; ///< and the same number of values
  bool operator==(const OnlineTile &other) const = default;
};

struct GpuSchedule {
  /// In order of the loops. If empty, each iteration of all loops, which are over parallel dimensions, has its own
  /// thread, as has each vector of points along the vector dimension.
  llvm::SmallVector<BoundLoop> bound;
  /// Loads of these buffers in the reduction read from shared memory, which has `stages` stages.
  llvm::SmallVector<unsigned> cachedBuffers;
  unsigned stages = 1;
  Copy copy = Copy::Vector; ///< how the operands are copied to shared memory
  /// The unroll factor of the innermost reduction loop. 0: all steps of a fetch if blocks have tiles, otherwise 1.
  int64_t unroll = 0;
  /// The instruction of the matrix unit that warps use, for both products of an attention; none: each thread computes
  /// its own points.
  std::optional<TensorShape> tensor;
  /// Set for the last nest of an attention (Attention.h) if its blocks compute the nests before it, too; none: these
  /// nests have kernels of their own.
  std::optional<OnlineTile> online;
  /// Whether the blocks of the product whose result is the left operand compute the nest, too (Chain.h).
  bool chained = false;
  /// Along each dimension the windows of the pool behind the nest (Pool.h) that its blocks compute, too; empty: that
  /// has a kernel of its own.
  llvm::SmallVector<PoolWindow> pool;

  std::optional<Binding> bindingOf(unsigned loop) const;
  bool operator==(const GpuSchedule &other) const = default;
};

/// How one dimension is divided. A block has `block` points, in parts of `apart` points; of each part, a thread has
/// `thread` contiguous points, or a warp if the matrix unit multiplies. Along a reduction a block fetches `block` steps
/// at a time, of `share` in all; the other shares belong to other blocks, and their sums are added at the end. Where
/// the block computes a pool of its points, those of neighbouring blocks overlap as windows do.
struct TiledDimension {
  int64_t extent = 1, block = 1, apart = 1, thread = 1, share = 1;
  PoolWindow pool = {};

  bool isPooled() const { return pool.count > 0; }
  /// Returns the number of windows of a block.
  int64_t windows() const { return std::max<int64_t>((block - pool.size) / pool.stride + 1, 1); }
  /// Returns the number of points from one block to the next. With a pool the first block begins `pool.before` less
  /// before the second one.
  int64_t step() const { return isPooled() ? windows() * pool.stride : block; }
  int64_t blocks() const {
    return isPooled() ? (pool.count + windows() - 1) / windows() : (extent + block - 1) / block;
  }
  int64_t threads() const { return apart / thread; }
  int64_t parts() const { return block / apart; }
  /// For a reduction: the number of fetches of a block, and the number of blocks that divide it.
  int64_t fetches() const { return (share + block - 1) / block; }
  int64_t splits() const { return (extent + share - 1) / share; }
  /// Whether the last block has fewer points than the others.
  bool isRagged() const {
    return isPooled() ? std::max<int64_t>((blocks() - 1) * step() - pool.before, 0) + block > extent
                      : extent % block != 0;
  }
};

/// The division of a nest into tiles, one per block.
struct BlockTile {
  llvm::SmallVector<TiledDimension> dims; ///< of the nest
  int64_t threads = 1;                    ///< of a block
  int64_t blocks = 1;                     ///< number of blocks with different points
  int64_t splits = 1;                     ///< number of blocks per tile that divide the reduction
  bool isCluster = false;                 ///< whether these are a cluster
  int64_t points = 1;                     ///< per thread
  /// The dimensions that threads divide, or warps: their numbers vary fastest along the last one.
  llvm::SmallVector<unsigned> threadOrder = {};
  bool usesTensor = false; ///< whether warps multiply by the matrix unit
  bool usesGroups = false; ///< and four of them together, straight from shared memory

  /// Whether blocks have a power of two of points along each dimension of `nest`.
  bool hasEvenPoints(const LoopNest &nest) const;
};

/// Whether each block computes a tile of points of `nest`, and each thread some of them.
bool isTiled(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Returns the tile of a tiled nest, whose sizes must be static.
BlockTile tileOf(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Returns the reduction loop that is bound to blocks, also those of a cluster; each block executes as many steps as
/// the loop's size.
std::optional<Loop> splitLoop(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Whether the threads of a block reduce points of `nest` together.
bool reducesTogether(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Whether the threads of a warp reduce points together, and each warp has points of its own.
bool reducesByWarp(const LoopNest &nest, const NestSchedule &schedule, const GpuSchedule &gpu);

/// Returns the loads of the reduction that read from shared memory.
llvm::SmallVector<NodeId> cachedLoads(const LoopNest &nest, const GpuSchedule &gpu);

/// The layout in shared memory of the elements that a load reads. Reductions are outermost, so that neighbouring points
/// of a thread are contiguous. For the matrix unit, elements that are contiguous in the source are contiguous here too,
/// in rows of a power of two elements. Vectors of 16 bytes are permuted within the rows, so that equal vectors of eight
/// rows lie in eight different groups of banks. If points are contiguous and elements have 32 bits, a vector has 8
/// elements, and equal vectors of four rows lie in four groups. For groups of warps rows have at most 128 bytes: what
/// would be a longer row lies in panels of such rows, one panel behind the other (PTX ISA, "Matrix descriptor"). Where
/// an operand has a window (Window.h), steps along the taps are outermost, and vectors of the window stay in order.
/// Groups of warps read a window in atoms of eight vectors.
struct SharedLayout {
  llvm::SmallVector<int64_t> strides; ///< along each dimension of the nest; 0 if the address does not depend on it
  int64_t elements = 1;
  bool isDepthInner = false;  ///< for the matrix unit: whether rows lie along a reduction
  int64_t vector = 1;         ///< elements of a vector that is exchanged with others
  int64_t period = 1;         ///< elements from one exchange to the next
  int64_t exchanges = 1;      ///< number of different exchanges, a power of two; 1: vectors stay in order
  int64_t row = 1, panel = 1; ///< for the matrix unit: elements of a row by the strides, and of its part in a panel
  bool isWindow = false;      ///< whether points share elements; these are the strides of the points then
  /// Where an operand has a window: the offset of each step along the taps, the steps of the depth that follow each
  /// other at each of them, and the elements from one of these to the next.
  llvm::SmallVector<int64_t> taps;
  int64_t stepsOfTap = 1, stepStride = 1;
  int64_t vectorStride = 1, atomStride = 1; ///< of a window (Window.h)

  bool hasPanels() const { return panel < row; }
  /// Returns the number of elements from one panel to the next.
  int64_t panelElements() const { return elements / row * panel; }
  /// Returns the index of the element at `offset` by the strides. For offsets with no bit in common, the index of their
  /// sum is the exclusive or of their indices.
  int64_t placeOf(int64_t offset) const;
  /// Returns the part of `offset` whose index has bits in common with exchanges. The index of the rest can be added.
  int64_t exchangedPart(int64_t offset) const;
};
SharedLayout sharedLayout(const Node &node, const LoopNest &nest, const BlockTile &tile);

/// Whether a warp reads the elements of `node` in `layout` by ldmatrix: rows of 16 bytes along the depth, or 16-bit
/// elements, which the instruction can transpose.
bool readsMatrices(const Node &node, const SharedLayout &layout);

/// Returns the number of elements per access when a block fetches what `node` reads: elements that are contiguous,
/// aligned for every block, and few enough that every thread has work. `dims` is the result of `fetchedDims`.
int64_t fetchWidth(const Node &node, const LoopNest &nest, const BlockTile &tile, llvm::ArrayRef<unsigned> dims);

/// Returns the dimensions on which the address of `node` depends, the one with the smallest stride first.
llvm::SmallVector<unsigned> fetchedDims(const Node &node, const LoopNest &nest);

/// Returns the bytes of shared memory of all cached loads, of vectors behind the sums (PointVectors.h), and of the flag
/// if blocks divide the reduction.
int64_t sharedBytes(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// The sums of a thread, of 32 bits, that lie side by side where blocks of a cluster exchange them. Each thread has a
/// multiple of these, as those of an instruction of the matrix unit.
constexpr int64_t exchangedSums = 4;

/// Returns the bytes of the sums of a block.
inline int64_t exchangedBytes(const BlockTile &tile) { return tile.points * tile.threads * 4; }

/// Returns the cached load whose memory has most bytes, and these, in all stages. It holds the sums of a block that
/// others of its cluster read, or the results that a block pools (PooledTile.h).
std::pair<NodeId, int64_t> largestMemory(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// Whether asynchronous copies, of 4, 8 or 16 bytes each, can fetch what `load` reads, or all cached loads. If the
/// layout transposes an operand, each element needs its own copy.
bool canCopyAsync(const LoopNest &nest, NodeId load, const BlockTile &tile);
bool canCopyAsync(const LoopNest &nest, const GpuSchedule &gpu, const BlockTile &tile);

/// The maximum number of threads of a block with rows of its own, and with ordered rows: with these there are few
/// blocks, and each one has a multiprocessor for itself.
constexpr int64_t rowThreads = 256, orderedThreads = 1024;
/// The threads of such a block that vectors must leave with work: with more of them, each executes more code than it
/// has points.
constexpr int64_t fewestTogether = 64;

/// The most points of a thread that has points along several dimensions: two of 16 bits are a register.
constexpr int64_t mostThreadPoints = 32;

/// The bytes of shared memory for a flag, with its alignment.
constexpr int64_t flagBytes = 64;

/// The stages that groups of warps may read at the end of a step: that of the step, and that of the one before until
/// its products were waited for.
constexpr int64_t wgmmaStagesRead = 2;

/// The alignment of operands that groups of warps read: eight rows of 128 bytes.
constexpr int64_t atomBytes = 1024;

} // namespace cameo::schedule

#endif
