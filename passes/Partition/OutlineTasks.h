// From groups of ops to task definitions and calls.
#ifndef CAMEO_PASSES_PARTITION_OUTLINETASKS_H
#define CAMEO_PASSES_PARTITION_OUTLINETASKS_H

#include "passes/Partition/Grouping.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cameo::partition {

/// Replaces the function's ops by calls of tasks, one definition per group, and views. What no result depends on is
/// dropped.
void outlineTasks(mlir::func::FuncOp function, const Grouping &grouping);

/// `conv_add_relu`: what a task of `ops` does, in order, repetitions once, no more than four words.
std::string nameTask(llvm::ArrayRef<mlir::Operation *> ops);

/// The same with the first number behind it that no symbol has.
std::string nameTask(llvm::ArrayRef<mlir::Operation *> ops, const mlir::SymbolTable &symbols);

} // namespace cameo::partition

#endif
