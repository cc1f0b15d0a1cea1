// The loops of one nest: the form of a schedule that emitters use. The attribute form, for records and the IR, is in
// dialects/Schedule; passes/Schedule/Steps converts and verifies.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_NESTSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_NESTSCHEDULE_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// A loop over pieces of at most `size` points of dimension `dim`, within the piece of the next outer loop over `dim`.
struct Loop {
  unsigned dim;
  int64_t size;
  bool operator==(const Loop &other) const { return dim == other.dim && size == other.size; }
};

/// The number of byte products that one step of a contraction adds at once.
constexpr int64_t dotGroup = 4;

struct NestSchedule {
  /// Outermost first. The points that the loops leave of a dimension are unrolled; over the parallel dimensions they
  /// form the register block. Results stay in registers inside of the innermost loop over a parallel dimension; a
  /// reduction loop around such a loop keeps them in memory (see PartialLayout.h).
  llvm::SmallVector<Loop> loops;
  /// The number of loops, after the first `repeatedLoops`, that form the parallel range of the kernel.
  unsigned parallelLoops = 0;
  /// The number of loops around the parallel ones: every thread runs all of them for its part of the range.
  unsigned repeatedLoops = 0;
  /// The dimension whose neighbouring points form vectors, and the number of lanes; none: scalar code.
  std::optional<unsigned> vectorDim;
  unsigned lanes = 1;
  /// The reduction loop in each iteration of which the inner loops start from the identity; their result is then
  /// combined with the previous one. None: a single running result.
  std::optional<unsigned> partialLoop;
  /// The reduction along which bytes are multiplied in groups of `dotGroup` (see ByteDot.h).
  std::optional<unsigned> dotDim;
  /// Arguments whose loads inside the reduction (or all loads, without a reduction) are packed to be contiguous along
  /// vectorDim.
  llvm::SmallVector<unsigned> packedBuffers;
  /// The width of packed blocks along vectorDim, of which the loops take a multiple; 0: the width of the loops.
  int64_t packedWidth = 0;
  /// Packed buffers that are read from memory: the next block is prefetched while one is used, and an operand that a
  /// reduction reads once is laid out in streams.
  llvm::SmallVector<unsigned> prefetchedBuffers;

  // Decisions that no step expresses, made by rules after all steps (CompleteSchedules.h), together with blocked
  // summation.

  /// Every second one of the ordered rows runs the loops backwards, so that it starts with the data that the previous
  /// row read last.
  bool turnsRows = false;
  /// The weight of this nest, relative to the other nests of the row, in dividing the prefetches for the next row among
  /// them; 0: none.
  double fetchWork = 0;
  /// Whether the unrolled steps of a block are combined on their own before they reach the running results, which would
  /// wait for each of them (OverlapSums.h).
  bool combinesSteps = false;
  /// The number of iterations of the kernel's range for each large and each small piece of the parallel loops
  /// (BalancePieces.h), in proportion to their work.
  std::pair<int64_t, int64_t> pieceUnits = {1, 1};
  /// The number of points of a block whose long functions are interleaved.
  int64_t functionsInTurns = 1;
  /// Blocks with more points store their results on the stack, and a loop computes the functions (FinishBlocks.h).
  bool finishesInLoop = false;

  /// Returns the index of the first loop after the parallel ones.
  unsigned parallelEnd() const { return repeatedLoops + parallelLoops; }
};

/// Returns the number of independent accumulators of a point whose vectors reduce `points` elements: a single one would
/// wait for the latency of each update.
int64_t chainsOf(const NestSchedule &schedule, int64_t points);

/// A loop size that is larger than every extent.
constexpr int64_t unboundedSize = std::numeric_limits<int64_t>::max();

/// Returns the number of points along `dim` before a loop divides it; unboundedSize if it is known only at run time.
int64_t mostPoints(const Dimension &dim);

/// `count` pieces of `size` points each, starting at `begin`.
struct Segment {
  int64_t begin, count, size;
};

/// Divides `extent` into pieces of at most `size`. Along the vector dimension and reductions all pieces but the last
/// are full. Elsewhere (`even`) two sizes that differ by one cover the extent (56 by 6: six of 6 and four of 5).
llvm::SmallVector<Segment, 2> divide(int64_t extent, int64_t size, bool even);

/// Divides `extent` points of loop.dim as `loop` does.
llvm::SmallVector<Segment, 2> segmentsOf(const LoopNest &nest, const NestSchedule &schedule, const Loop &loop,
                                         int64_t extent);

/// Returns the product of the numbers of pieces of the parallel loops.
Size parallelExtent(const LoopNest &nest, const NestSchedule &schedule);

/// Returns the size of the parallel range of `group` in a kernel of its own, with the schedules `own` of its nests: its
/// rows, the pieces of its only nest, or 1 if it runs on one thread.
Size parallelExtent(const NestGroup &group, llvm::ArrayRef<NestSchedule> own);

/// Whether `node`, which is inside the reduction if there is one, reads a packed operand.
bool isPacked(const NestSchedule &schedule, const Node &node);

/// Whether the range of elements that `node` reads is known at compile time.
bool hasKnownRange(const LoopNest &nest, const Node &node);

} // namespace cameo::schedule

#endif
