// Emits nests without tiles whose reduction is divided among blocks: each thread stores partial results of its points,
// and the last block to arrive combines them.
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

  /// Computes and stores part number `part`, an iteration of `loop`, of point number `number` or of all of its lanes.
  void emitPart(mlir::Value number, mlir::Value part, const Loop &loop);
  /// Combines all parts of point number `number`, or of all of its lanes, and stores the outputs.
  void emitWhole(mlir::Value number);

private:
  void ifExists(mlir::Value number, llvm::function_ref<void()> emitBody);
  mlir::Value firstOf(mlir::Value number);

  SplitParts parts;
};

} // namespace cameo::schedule

#endif
