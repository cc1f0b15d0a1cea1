// Kernels whose blocks are clusters, for a GPU and for the emulator.
#ifndef CAMEO_PASSES_CODEGEN_GPU_CLUSTERBLOCKS_H
#define CAMEO_PASSES_CODEGEN_GPU_CLUSTERBLOCKS_H

#include "dialects/Task/TaskClusterOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace cameo {

/// Creates the instructions of task.meet_cluster.
void createMeeting(mlir::OpBuilder &builder, mlir::Location loc);

/// Creates the instructions of `read`, or a call of the emulator for it. Both return the vector that is read.
mlir::Value createNeighbourRead(mlir::OpBuilder &builder, task::ReadNeighbourOp read);
mlir::Value createEmulatedRead(mlir::OpBuilder &builder, task::ReadNeighbourOp read);

/// Says that `cluster` blocks of `kernel` are a cluster, to a GPU or to the emulator. Does nothing if it is 1.
void stateClusters(mlir::LLVM::LLVMFuncOp kernel, int64_t cluster);
void stateEmulatedClusters(mlir::LLVM::LLVMFuncOp kernel, int64_t cluster);

} // namespace cameo

#endif
