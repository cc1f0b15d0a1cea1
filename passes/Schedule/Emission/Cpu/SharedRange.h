// The range of a kernel that runs one group of nests, or several that have it in common, and what a part of it is of
// each.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_SHAREDRANGE_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_SHAREDRANGE_H

#include "passes/Schedule/Rules/NestSchedule.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// The rows of all `groups`, which make one range.
Size rowsOf(llvm::ArrayRef<NestGroup> groups);

/// Iterations that a dispatch of `groups` divides among threads, `own` being the schedules of their nests: where they
/// are nests that do not look at each other, the most that one of them has. As many iterations are as much work: where
/// pieces of a nest are of two sizes, an iteration is a part of one.
Size extentOf(llvm::ArrayRef<NestGroup> groups, llvm::ArrayRef<NestSchedule> own);

/// [begin, end) of the range of `groups` while its kernel is written, in the order of the groups. All of these outlive
/// it.
class SharedRange {
public:
  using Part = std::pair<mlir::Value, mlir::Value>;

  SharedRange(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<NestGroup> groups,
              llvm::ArrayRef<NestSchedule> own, Part range);

  /// What the range has of group `number`: first and behind the last of its rows, or of the pieces of its nest.
  Part partOf(size_t number);

private:
  void divideRows();
  Part loopOf(size_t number);
  Part shareOf(const LoopNest &nest, const NestSchedule &schedule);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<NestGroup> groups;
  llvm::ArrayRef<NestSchedule> own;
  Part range;
  llvm::SmallVector<Part> rows; ///< of each group, where groups have rows
};

} // namespace cameo::schedule

#endif
