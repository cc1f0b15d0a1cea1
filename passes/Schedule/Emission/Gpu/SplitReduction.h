// Writes nests of which blocks divide the reduction: each leaves its part of every point, and a kernel behind them puts
// these together, in their order.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITREDUCTION_H

#include "passes/Schedule/Emission/Gpu/ThreadNest.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Where blocks leave what they have of the only reduction of `nest`: for each part all points, the last dimension
/// varying fastest.
struct SplitParts {
  mlir::Value memory;
  int64_t count = 1; ///< of parts
};

/// What those of all points take.
int64_t elementsOfParts(const LoopNest &nest, int64_t count);

/// Leaves what `values`, those of neighbours from point number `first` on, are of part number `part`.
void storeParts(mlir::OpBuilder &builder, const LoopNest &nest, SplitParts parts, mlir::Value part, mlir::Value first,
                llvm::ArrayRef<mlir::Value> values);

class SplitReduction : public ThreadNest {
public:
  SplitReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers, SplitParts parts,
                 Lanes lanes = {})
      : ThreadNest(builder, nest, buffers, {}, lanes), parts(parts) {}

  /// A thread's part number `part`, the steps of `loop` that this has, of point number `number` or of all of its lanes.
  void emitPart(mlir::Value number, mlir::Value part, const Loop &loop);
  /// Point number `number` of all parts. Without lanes.
  void emitPoint(mlir::Value number);

private:
  void ifExists(mlir::Value number, llvm::function_ref<void()> emitBody);

  SplitParts parts;
};

} // namespace cameo::schedule

#endif
