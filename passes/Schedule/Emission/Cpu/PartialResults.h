// Partial results of a block in memory, for reduction loops around loops over points.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_PARTIALRESULTS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_PARTIALRESULTS_H

#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/Operands/PartialLayout.h"

namespace cameo::schedule {

class PartialResults {
public:
  /// Allocates memory on the kernel's stack for the points at `positions`.
  PartialResults(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                 llvm::ArrayRef<Position> positions);

  /// Loads the results of `points`, all results of a point before those of the next; `now` are the current positions.
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<Position> now, llvm::ArrayRef<Point> points);
  void store(llvm::ArrayRef<Position> now, llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> results);

private:
  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const NestSchedule &schedule;
  llvm::SmallVector<Position> before;
  LinearForm form;                       ///< the address of an element relative to `before`
  llvm::SmallVector<mlir::Value> memory; ///< one per reduction
};

} // namespace cameo::schedule

#endif
