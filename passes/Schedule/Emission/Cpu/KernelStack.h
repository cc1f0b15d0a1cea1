// Allocates memory on the stack of a kernel.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_KERNELSTACK_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_KERNELSTACK_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cameo::schedule {

/// The alignment of stack arrays in bytes: a cache line.
constexpr int64_t stackAlignment = 64;

/// Allocates an array in the entry of the function around the insertion point. It lives until the function returns.
mlir::Value allocateOnStack(mlir::OpBuilder &builder, mlir::Location loc, mlir::MemRefType type);

} // namespace cameo::schedule

#endif
