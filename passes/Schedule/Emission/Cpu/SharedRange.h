// The parallel range of a kernel with one or several groups of nests, and the share of each group in a part of it.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_SHAREDRANGE_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_SHAREDRANGE_H

#include "passes/Schedule/Rules/NestSchedule.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Returns the number of rows of all `groups`, which form one range.
Size rowsOf(llvm::ArrayRef<NestGroup> groups);

/// Returns the number of iterations that a dispatch of `groups` divides among threads; `own` are the schedules of their
/// nests. For independent nests it is the maximum over all nests. Equal numbers of iterations are equal work: if a nest
/// has pieces of two sizes, an iteration is a part of a piece.
Size extentOf(llvm::ArrayRef<NestGroup> groups, llvm::ArrayRef<NestSchedule> own);

/// The part [begin, end) of the range of `groups` in a kernel. The groups must be queried in order. All arguments must
/// outlive this object.
class SharedRange {
public:
  using Part = std::pair<mlir::Value, mlir::Value>;

  SharedRange(mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<NestGroup> groups,
              llvm::ArrayRef<NestSchedule> own, Part range);

  /// Returns the part of the range for group number `number`: begin and end of its rows, or of the pieces of its nest.
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
  llvm::SmallVector<Part> rows; ///< of each group, if groups have rows
};

} // namespace cameo::schedule

#endif
