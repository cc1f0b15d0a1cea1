// Memory on the stack of a kernel.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_KERNELSTACK_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_KERNELSTACK_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo::schedule {

/// Arrays on the stack begin at cache lines.
constexpr int64_t stackAlignment = 64;

/// An array for as long as the function around the insertion point runs, however often what is being built there does.
mlir::Value allocateOnStack(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type);

} // namespace cameo::schedule

#endif
