// Emits nests without tiles whose reduction is divided among blocks: each thread stores partial results of its points,
// and the last block to arrive combines them.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITREDUCTION_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_SPLITREDUCTION_H

#include "passes/Schedule/Emission/Gpu/DependentLaunch.h"
#include "passes/Schedule/Emission/Gpu/SplitParts.h"
#include "passes/Schedule/Emission/Gpu/ThreadNest.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

class SplitReduction : public ThreadNest {
public:
  SplitReduction(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers, SplitParts parts,
                 Lanes lanes = {})
      : ThreadNest(builder, nest, buffers, {}, lanes), parts(parts) {}

  /// A number, and how many there are.
  struct Counted {
    mlir::Value number;
    int64_t count;
  };
  /// Emits the work of a thread of a block, of `threads.count` in the block and `blocks.count` blocks for each part. A
  /// part is an iteration of `loop`. `early` as in DependentLaunch.h.
  void emit(Counted blocks, Counted threads, const Loop &loop, const EarlyBuffers *early);

private:
  /// Prefetches the `early` buffers that emitPart loads.
  void emitPrefetches(mlir::Value number, mlir::Value part, const Loop &loop, const EarlyBuffers &early);
  /// Computes and stores part number `part` of point number `number`, or of all of its lanes.
  void emitPart(mlir::Value number, mlir::Value part, const Loop &loop);
  /// Combines all parts of point number `number`, or of all of its lanes, and stores the outputs.
  void emitWhole(mlir::Value number);
  void ifExists(mlir::Value number, llvm::function_ref<void()> emitBody);
  mlir::Value firstOf(mlir::Value number);
  mlir::Value beginOf(mlir::Value part, const Loop &loop);
  int64_t bytesAlong(const Node &node, unsigned dim) const;

  SplitParts parts;
};

} // namespace cameo::schedule

#endif
