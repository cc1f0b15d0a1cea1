// Turns groups of ops into task definitions and calls.
#ifndef CAMEO_PASSES_PARTITION_OUTLINETASKS_H
#define CAMEO_PASSES_PARTITION_OUTLINETASKS_H

#include "passes/Partition/Grouping.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::partition {

/// Replaces the function's ops by calls of tasks, one definition per group, and by views. Ops that no result depends on
/// are dropped.
void outlineTasks(mlir::func::FuncOp function, const Grouping &grouping);

/// Returns a name such as `conv_add_relu`: the names of the first ops in order, without immediate repetitions, at most
/// four words.
std::string nameTask(llvm::ArrayRef<mlir::Operation *> ops);

/// Returns the same name with the first number appended that makes it unused in `symbols`.
std::string nameTask(llvm::ArrayRef<mlir::Operation *> ops, const mlir::SymbolTable &symbols);

} // namespace cameo::partition

#endif
