// Instructions by which four warps of a GPU multiply matrices in shared memory: "wgmma.mma_async" of the PTX ISA.
#ifndef CAMEO_PASSES_CODEGEN_GPU_GROUPPRODUCTS_H
#define CAMEO_PASSES_CODEGEN_GPU_GROUPPRODUCTS_H

#include "dialects/Task/TaskMatrixOps.h"

#include "mlir/IR/Builders.h"

namespace cameo {

/// Returns the descriptor of a matrix of shared memory ("Matrix descriptor format" of the PTX ISA), which begins at
/// `matrix.offset` behind `begin`, an address of 32 bits.
mlir::Value createDescriptor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value begin,
                             const task::GroupMatrix &matrix);

/// Creates the instruction of `product` and the descriptors of its matrices, and returns its results.
llvm::SmallVector<mlir::Value> createGroupProduct(mlir::OpBuilder &builder, task::MultiplyGroupOp product);

/// Creates the instruction that waits for products, and returns the results of `wait`.
llvm::SmallVector<mlir::Value> createWait(mlir::OpBuilder &builder, task::AwaitProductsOp wait);

} // namespace cameo

#endif
