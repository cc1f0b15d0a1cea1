// Long reductions whose packed operand is read from memory: reduction loops are moved outside of loops over points, so
// that one part of a block serves all points before the next part.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_REDUCTIONPARTS_H
#define CAMEO_PASSES_SCHEDULE_RULES_REDUCTIONPARTS_H

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Operands/OperandTraffic.h"

namespace cameo::schedule {

/// The bytes of a packed operand in memory that all blocks of points use before the next part.
constexpr int64_t fetchedBytes = 96 * 1024;

class ReductionParts {
public:
  /// All arguments must outlive this object. The loops of `schedule` are those over reductions, outermost first.
  ReductionParts(const LoopNest &nest, NestSchedule &schedule, const OperandTraffic &operands, const Machine &machine)
      : nest(nest), schedule(schedule), operands(operands), machine(machine) {}

  /// Whether blocks of `vectors` vectors along the vector dimension can be processed in parts. The other loops are over
  /// `dims`, outermost first.
  bool arePossible(llvm::ArrayRef<unsigned> dims, int64_t vectors) const;

  /// Moves reduction loops to position `inside` of `spatial`, around the loops over points there, until the part of a
  /// packed block inside of them is small. Does nothing if whole blocks are as fast, the sums in memory would be large,
  /// or too few pieces would remain outside for threads to share.
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
