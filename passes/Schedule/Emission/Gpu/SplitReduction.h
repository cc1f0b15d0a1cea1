// Writes nests of which blocks divide the reduction, without tiles: each thread leaves its part of its points, and the
// last block that comes puts these together.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITREDUCTION_H

#include "passes/Schedule/Emission/Gpu/SplitParts.h"
#include "passes/Schedule/Emission/Gpu/ThreadNest.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

class SplitReduction : public ThreadNest {
public:
  SplitReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers, SplitParts parts,
                 Lanes lanes = {})
      : ThreadNest(builder, nest, buffers, {}, lanes), parts(parts) {}

  /// A thread's part number `part`, the steps of `loop` that this has, of point number `number` or of all of its lanes.
  void emitPart(mlir::Value number, mlir::Value part, const Loop &loop);
  /// Point number `number`, or all of its lanes, of all parts.
  void emitWhole(mlir::Value number);

private:
  void ifExists(mlir::Value number, llvm::function_ref<void()> emitBody);
  mlir::Value firstOf(mlir::Value number);

  SplitParts parts;
};

} // namespace cameo::schedule

#endif
