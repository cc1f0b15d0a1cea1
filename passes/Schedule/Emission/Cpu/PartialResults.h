// What a nest has so far of the results of a block, in memory: where loops over a reduction lie around loops over
// points.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_PARTIALRESULTS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_PARTIALRESULTS_H

#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"
#include "passes/Schedule/Rules/PartialLayout.h"

namespace cameo::schedule {

class PartialResults {
public:
  /// Memory of the kernel's stack for the points at `positions`, whoever calls it.
  PartialResults(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
                 llvm::ArrayRef<Position> positions);

  /// The results of `points`, all of the first point before those of the next; `now` is where the loops stand.
  llvm::SmallVector<mlir::Value> load(llvm::ArrayRef<Position> now, llvm::ArrayRef<Point> points);
  void store(llvm::ArrayRef<Position> now, llvm::ArrayRef<Point> points, llvm::ArrayRef<mlir::Value> results);

private:
  mlir::OpBuilder &builder;
  const LoopNest &nest;
  const NestSchedule &schedule;
  llvm::SmallVector<Position> before;
  LinearForm form;                       ///< of an element, seen from `before`
  llvm::SmallVector<mlir::Value> memory; ///< one per reduction
};

} // namespace cameo::schedule

#endif
