// Pointers to elements of buffers and of shared memory, for instructions that take no memref.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_POINTERS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_POINTERS_H

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace cameo::schedule {

/// Returns a pointer to element `at` of `memory`, from the aligned pointer of its descriptor. `bytes` is the element
/// size.
mlir::Value pointerTo(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value memory, mlir::Value at, int64_t bytes,
                      mlir::NVVM::NVVMMemorySpace space);

/// Returns the pointer `moved` and `further` bytes behind `pointer`; `moved` may be null. LLVM does not mix the steps
/// of pointers as it does terms of a sum, so what is constant in a loop stays before it, and `further` becomes part of
/// an instruction.
mlir::Value pointerBehind(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer, mlir::Value moved,
                          int64_t further);

/// Returns the i32 number of bytes that a copy of `bytes` reads: 0 unless `exists`, and null if that is null.
mlir::Value bytesIf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value exists, uint32_t bytes);

/// Starts an asynchronous copy of `bytes` to shared memory. It reads `copied` of them, or all if that is null, and
/// writes zeros for the others.
void createAsyncCopy(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value to, mlir::Value from, uint32_t bytes,
                     mlir::Value copied);

} // namespace cameo::schedule

#endif
