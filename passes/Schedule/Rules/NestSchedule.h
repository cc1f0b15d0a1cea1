// The loops of one nest: the schedule in the form the emitter walks. The attribute form, which records and the IR hold,
// is in dialects/Schedule; passes/Schedule/Steps converts and verifies.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_NESTSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_NESTSCHEDULE_H

#include "dialects/Target/Machine.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// A loop over pieces of at most `size` of dimension `dim` (of what outer loops over it left).
struct Loop {
  unsigned dim;
  int64_t size;
  bool operator==(const Loop &other) const { return dim == other.dim && size == other.size; }
};

/// Bytes that one step of a contraction multiplies at once.
constexpr int64_t dotGroup = 4;

struct NestSchedule {
  /// Outermost first. What the loops leave of a dimension is unrolled: over the parallel dimensions this is the
  /// register block. Inside of a loop over a parallel dimension results stay in registers; a loop over a reduction that
  /// is around one leaves them in memory (see PartialLayout.h).
  llvm::SmallVector<Loop> loops;
  /// So many loops inside of the first `repeatedLoops` make the parallel range of the kernel.
  unsigned parallelLoops = 0;
  /// Loops around the parallel ones: every thread runs all of them, for its part of the range.
  unsigned repeatedLoops = 0;
  /// The dimension whose neighbouring points share a vector, and the vector's length; none: scalar code.
  std::optional<unsigned> vectorDim;
  unsigned lanes = 1;
  /// The loop over a reduction in each iteration of which the inner loops start anew; their result is then combined
  /// with the one so far. None: a single running result.
  std::optional<unsigned> partialLoop;
  /// The reduction along which bytes are multiplied in groups of `dotGroup` (see ByteDot.h).
  std::optional<unsigned> dotDim;
  /// Arguments whose loads inside the reduction, or all of them where there is none, are laid out anew so that they are
  /// contiguous along vectorDim.
  llvm::SmallVector<unsigned> packedBuffers;
  /// Points along vectorDim that lie side by side in them, of which the loops take a multiple; 0: what the loops take.
  int64_t packedWidth = 0;
  /// Packed ones that come from memory: the next block is fetched while one is used, and what a reduction reads once
  /// lies in streams.
  llvm::SmallVector<unsigned> prefetchedBuffers;

  // What no step says and rules decide when all have been applied (CompleteSchedules.h), beside the parts of long sums.

  /// Of rows that run in order every second one goes through the loops backwards: it begins with what the one before
  /// read last.
  bool turnsRows = false;
  /// While this nest runs, so large a part of what the next row reads is asked for, relative to the other nests of the
  /// row; 0: nothing.
  double fetchWork = 0;
  /// Iterations of the kernel's range that each piece of the parallel loops is, and each of the last ones, which are
  /// smaller (BalancePieces.h): as many iterations are as much work.
  std::pair<int64_t, int64_t> pieceUnits = {1, 1};
  /// Of so many points of a block the long functions are computed side by side.
  int64_t functionsInTurns = 1;
  /// The results of blocks with more points lie on the stack then, and a loop computes the functions of them
  /// (FinishBlocks.h).
  bool finishesInLoop = false;

  /// The first loop behind the parallel ones.
  unsigned parallelEnd() const { return repeatedLoops + parallelLoops; }
};

/// Independent running results of a point whose vectors reduce `points` at once: one alone would wait for each update
/// in turn.
int64_t chainsOf(const NestSchedule &schedule, int64_t points);

/// More points than any loop leaves.
constexpr int64_t unboundedSize = std::numeric_limits<int64_t>::max();

/// Points along `dim` before a loop divides it; unbounded where they are known only at run time.
int64_t mostPoints(const Dimension &dim);

/// `count` pieces of `size`, the first at `begin`.
struct Segment {
  int64_t begin, count, size;
};

/// Divides `extent` into pieces of at most `size`. Along the vector dimension and reductions all pieces but a last one
/// are whole; elsewhere two sizes that differ by one make it exact (56 by 6: six of 6 and four of 5).
llvm::SmallVector<Segment, 2> divide(int64_t extent, int64_t size, bool even);

/// How `nest` divides what it has of loop.dim, `extent` points.
llvm::SmallVector<Segment, 2> segmentsOf(const LoopNest &nest, const NestSchedule &schedule, const Loop &loop,
                                         int64_t extent);

/// Product of the numbers of pieces of the parallel loops.
Size parallelExtent(const LoopNest &nest, const NestSchedule &schedule);

/// Pieces that a dispatch of `group` alone divides among threads, `own` being the schedules of its nests: its rows, or
/// the pieces of its only nest, or 1 where it runs on one thread.
Size parallelExtent(const NestGroup &group, llvm::ArrayRef<NestSchedule> own);

/// Whether `node`, which is inside the reduction if there is one, reads what was laid out anew.
bool isPacked(const NestSchedule &schedule, const Node &node);

/// Whether what `node` reads of its buffer is known before the run.
bool hasKnownRange(const LoopNest &nest, const Node &node);

} // namespace cameo::schedule

#endif
