// Tasks with dynamic sizes. A task is measured in several runs of static sizes: each run gets a copy of the task with
// its own names of sizes, so that one model can hold all copies.
#ifndef CAMEO_AUTOTUNE_MEASURE_OPENTASK_H
#define CAMEO_AUTOTUNE_MEASURE_OPENTASK_H

#include "autotune/Search/SearchTask.h"
#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Builders.h"

namespace cameo::autotune {

/// Returns the types of a task's arguments or results in one run, or the original types if `run` is null.
llvm::SmallVector<mlir::RankedTensorType> argumentTypesIn(task::DefOp def, const RunSizes *run);
llvm::SmallVector<mlir::RankedTensorType> resultTypesIn(task::DefOp def, const RunSizes *run);

/// Returns one entry per run. A task with static sizes only has one entry, which is null.
llvm::SmallVector<const RunSizes *> runsOf(const SearchTask &task);

/// Adds the copy for run number `number` after the earlier ones. The copy has its own symbol, and its names of sizes
/// are those that sizesOfRun gives values.
task::DefOp cloneForRun(mlir::OpBuilder &builder, task::DefOp def, const RunSizes &run, size_t number);

/// Returns the type of the tensor of @main for an argument or result of such a copy. Its dimensions have the names in
/// the copy's `task.dims`.
mlir::RankedTensorType namedType(mlir::Type type, onnx::DimsAttr dims);

/// Returns the values of the names of the copy, in the form of --fix-run-sizes.
std::vector<std::string> sizesOfRun(const RunSizes &run, size_t number);

/// Returns the scalar operations of all runs, counting only those that scale with the size of the results.
double flopsOf(const SearchTask &task);

} // namespace cameo::autotune

#endif
