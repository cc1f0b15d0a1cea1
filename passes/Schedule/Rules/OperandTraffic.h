// What a reduction reads inside of its loops, by what blocks along the vector dimension share of it.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_OPERANDTRAFFIC_H
#define CAMEO_PASSES_SCHEDULE_RULES_OPERANDTRAFFIC_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Looks at the operands of `nest` with the vector dimension and the packed buffers that `schedule` has when it is
/// asked; both outlive it.
class OperandTraffic {
public:
  OperandTraffic(const LoopNest &nest, const NestSchedule &schedule) : nest(nest), schedule(schedule) {}

  /// Bytes of the operands that vary along the vector dimension: what a loop over it streams through.
  int64_t vectorBytes() const;
  /// Those of `points` along the vector dimension, in one batch.
  int64_t vectorBytes(int64_t points) const;
  /// Bytes of what does not vary along the vector dimension, in one batch: run through once for each block of it.
  int64_t sharedBytes() const;
  /// Bytes of the elements that all operands touch.
  double distinctBytes() const;

  /// Whether an operand varies along the vector dimension and along `dim`.
  bool variesVector(unsigned dim) const;
  /// Whether the loop over `dim` is outside of all that blocks share: both operands differ in its iterations.
  bool isBatch(unsigned dim) const;
  /// Whether all operands vary along the vector dimension, and some are packed (depthwise convolutions).
  bool areAllVectors() const;

  /// The number of loops that stay outside of the blocks, since the vectorised operand varies along them too.
  unsigned outermostShared(llvm::ArrayRef<Loop> spatial) const;
  /// The outermost loop inside of which windows of neighbouring points overlap.
  std::optional<unsigned> outermostOverlap(llvm::ArrayRef<Loop> spatial) const;

private:
  bool isVector(const Node &node) const { return schedule.vectorDim && (node.dependsOn >> *schedule.vectorDim) & 1; }
  bool slides(const Node &node, unsigned dim) const;

  const LoopNest &nest;
  const NestSchedule &schedule;
};

} // namespace cameo::schedule

#endif
