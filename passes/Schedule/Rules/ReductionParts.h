// Long reductions whose packed operand comes from memory: loops over them outside of those over points, so that a part
// of a block is used for all points before the next part.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_REDUCTIONPARTS_H
#define CAMEO_PASSES_SCHEDULE_RULES_REDUCTIONPARTS_H

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/OperandTraffic.h"

namespace cameo::schedule {

/// Of a packed operand that comes from memory, what blocks of points run through before the next such part.
constexpr int64_t fetchedBytes = 96 * 1024;

class ReductionParts {
public:
  /// All of them outlive it; the loops of `schedule` are those over reductions, the outermost first.
  ReductionParts(const LoopNest &nest, NestSchedule &schedule, const OperandTraffic &operands, const Machine &machine)
      : nest(nest), schedule(schedule), operands(operands), machine(machine) {}

  /// Whether blocks of `vectors` along the vector dimension can be run through part by part, the other loops being over
  /// `dims`, outermost first.
  bool arePossible(llvm::ArrayRef<unsigned> dims, int64_t vectors) const;

  /// Moves loops over the reduction to number `inside` of `spatial`, around the loops over points there, until what
  /// these run through of a packed block is small. Not where whole blocks are as good, the sums so far are large, or
  /// too little is left outside for threads to share.
  void takeOut(llvm::SmallVectorImpl<Loop> &spatial, size_t inside);

private:
  bool arePossible(llvm::ArrayRef<int64_t> left, int64_t pieces) const;
  llvm::SmallVector<Loop> boundCountedPoints(llvm::ArrayRef<Loop> spatial, size_t inside,
                                             llvm::MutableArrayRef<int64_t> left) const;
  bool areBlocksWhole(llvm::ArrayRef<Loop> spatial, llvm::ArrayRef<int64_t> left, int64_t bytes) const;

  const LoopNest &nest;
  NestSchedule &schedule;
  const OperandTraffic &operands;
  const Machine &machine;
};

} // namespace cameo::schedule

#endif
