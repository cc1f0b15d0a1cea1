// The operand bytes that a reduction reads in its loops, and how much of them blocks along the vector dimension share.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_OPERANDTRAFFIC_H
#define CAMEO_PASSES_SCHEDULE_RULES_OPERANDS_OPERANDTRAFFIC_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Describes the operands of `nest` for the current vector dimension and packed buffers of `schedule`; both must
/// outlive this object.
class OperandTraffic {
public:
  OperandTraffic(const LoopNest &nest, const NestSchedule &schedule) : nest(nest), schedule(schedule) {}

  /// Returns the bytes of the operands that vary along the vector dimension, which a loop over it streams.
  int64_t vectorBytes() const;
  /// Returns the bytes of these operands for `points` points of the vector dimension, in one batch.
  int64_t vectorBytes(int64_t points) const;
  /// Returns the bytes of the operands that do not vary along the vector dimension, in one batch: each block of it
  /// reads all of them.
  int64_t sharedBytes() const;
  /// Returns the bytes of the different elements of all operands.
  double distinctBytes() const;

  /// Whether an operand varies along the vector dimension and along `dim`.
  bool variesVector(unsigned dim) const;
  /// Whether the loop over `dim` is a batch loop: both operands differ between its iterations, so blocks share nothing
  /// across it.
  bool isBatch(unsigned dim) const;
  /// Whether all operands vary along the vector dimension, and some are packed (depthwise convolutions).
  bool areAllVectors() const;

  /// Whether neighbouring points along `dim` read some of the same elements.
  bool sharesAlong(unsigned dim) const;

  /// Returns the number of leading loops along which the vectorised operand varies; they stay outside of the blocks.
  unsigned outermostShared(llvm::ArrayRef<Loop> spatial) const;
  /// Returns the outermost loop along which the windows of neighbouring points overlap.
  std::optional<unsigned> outermostOverlap(llvm::ArrayRef<Loop> spatial) const;

private:
  bool isVector(const Node &node) const { return schedule.vectorDim && (node.dependsOn >> *schedule.vectorDim) & 1; }
  bool slides(const Node &node, unsigned dim) const;

  const LoopNest &nest;
  const NestSchedule &schedule;
};

/// Whether a core reads packed weights from memory as one stream, rather than several side by side: a processor with a
/// fast third level, whose vectors are cache lines, prefetches the next page, too.
bool readsOneStream(const Machine &machine);

/// Whether the points of a block, which is inside of a row of nests, share no operand. Half of the registers are then
/// enough for the sums: more sums read from more streams at once (a mean of 3x3 points of 768 channels takes 1.27 times
/// as long with blocks of 9 points by 3 vectors as with 3 by 4).
bool readsNothingTwice(const LoopNest &nest, unsigned rowDims);

/// Returns those of the `unrolled` steps (per dimension) along which the windows that `node` reads for the points of
/// `block` overlap, with 1 for all others. For example, a row of pixels shares nothing between two rows of the window.
llvm::SmallVector<int64_t, 8> sharedSteps(const LoopNest &nest, const NestSchedule &schedule, const Node &node,
                                          llvm::ArrayRef<int64_t> block, llvm::ArrayRef<int64_t> unrolled);

/// Returns the number of steps of the reduction for which `node`, whose vectors are read where they lie, has a row of
/// its own, if other points of the row of nests read them again; otherwise 0. `block` has the points of a register
/// block per dimension, vectors along the vector dimension. Steps that are closer than its width read the same lines.
int64_t rowsReadAgain(const LoopNest &nest, unsigned rowDims, const NestSchedule &schedule, const Node &node,
                      llvm::ArrayRef<int64_t> block);

/// What a register block reads of an operand in all steps.
struct BlockOperand {
  uint64_t dependsOn; ///< bit mask of dimensions
  int64_t bytes;
};

/// Returns the bytes that register blocks of `block` points per dimension read again from beyond a cache of
/// `cacheBytes`. The next iteration of the innermost loop, over `innerDim`, reads the same of the operands that do not
/// vary along it, and the next run of that loop, in the loop over `outerDim`, the same of the others.
int64_t bytesReadAgain(const LoopNest &nest, llvm::ArrayRef<BlockOperand> operands, llvm::ArrayRef<int64_t> block,
                       std::optional<unsigned> innerDim, std::optional<unsigned> outerDim, int64_t cacheBytes);

/// Returns the distinct addresses of the first lanes that `node` reads for `counts` points per dimension.
llvm::SmallVector<int64_t> addressesOf(const LoopNest &nest, const NestSchedule &schedule, const Node &node,
                                       llvm::ArrayRef<int64_t> counts);

/// Returns how often an iteration of the innermost loop fetches a cache line that was evicted before a later step reads
/// the rest of it: points that are a page apart map to the same set of the first-level cache, which has too few ways
/// for them.
int64_t lostLines(const LoopNest &nest, const NestSchedule &schedule, llvm::ArrayRef<int64_t> block,
                  const Machine &machine);

} // namespace cameo::schedule

#endif
