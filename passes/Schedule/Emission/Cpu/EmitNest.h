// Emits one scheduled loop nest as scf, memref and vector operations.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_EMITNEST_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_EMITNEST_H

#include "passes/Schedule/Rules/NestSchedule.h"

#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Contiguous elements of a buffer that a later nest reads. Another nest prefetches their cache lines while it runs.
struct RowFetch {
  unsigned buffer;
  mlir::Value begin;
  int64_t elements;
};

/// Emits `nest` at the builder's insertion point. `buffers[i]` is the one-dimensional memref of the program's buffer i.
/// `rows` are the indices of the group's row dimensions (empty outside of a row group). With `range` the parallel loops
/// run over [begin, end) of their joint range; without it the nest has no parallel loops or runs all iterations. With
/// `fetch`, its pieces prefetch their shares of it. The schedule must be complete (CompleteSchedules.h) and valid for
/// `machine`.
void emitNest(mlir::OpBuilder &builder, const LoopNest &nest, const NestSchedule &schedule,
              llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<mlir::Value> rows,
              std::optional<std::pair<mlir::Value, mlir::Value>> range, const Machine &machine,
              std::optional<RowFetch> fetch = {});

} // namespace cameo::schedule

#endif
