// Kernels of dependent launches, which begin while the launch before still runs (programmatic dependent launch).
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_DEPENDENTLAUNCH_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_DEPENDENTLAUNCH_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace cameo::schedule {

/// The buffers that a kernel may read before it waits for earlier launches: constants, which no kernel writes. Where
/// code takes a pointer to them, it is null if the kernel has no wait of its own.
using EarlyBuffers = llvm::SmallDenseSet<unsigned>;

inline EarlyBuffers constantsOf(const TaskProgram &program) {
  EarlyBuffers constants;
  for (auto [number, buffer] : llvm::enumerate(program.buffers))
    if (buffer.packable)
      constants.insert(number);
  return constants;
}

/// Emits the wait until all earlier launches have ended and their memory is visible. Every thread must execute it on
/// every path, before it accesses other memory than the early buffers.
inline void waitForLaunches(mlir::OpBuilder &builder, mlir::Location loc) {
  mlir::NVVM::GriddepcontrolOp::create(builder, loc, mlir::NVVM::GridDepActionKind::wait);
}

} // namespace cameo::schedule

#endif
