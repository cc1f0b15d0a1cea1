// Tasks of dynamic sizes, in the runs that they are measured in: each run has a copy of the task with
// names of its own, so that one model can hold them all.
#ifndef CAMEO_AUTOTUNE_MEASURE_OPENTASK_H
#define CAMEO_AUTOTUNE_MEASURE_OPENTASK_H

#include "autotune/Search/SearchTask.h"
#include "dialects/Onnx/DimList.h"

#include "mlir/IR/Builders.h"

namespace cameo::autotune {

/// The types of a task's arguments, or results, in one run; as they are for a task without runs.
llvm::SmallVector<mlir::RankedTensorType> argumentTypesIn(task::DefOp def, const RunSizes *run);
llvm::SmallVector<mlir::RankedTensorType> resultTypesIn(task::DefOp def, const RunSizes *run);

/// One entry per run, null for the only one of a task whose sizes are all known.
llvm::SmallVector<const RunSizes *> runsOf(const SearchTask &task);

/// Adds the copy for run number `number` behind those before it; its symbol is another one, its names are those that
/// sizesOfRun gives values.
task::DefOp cloneForRun(mlir::OpBuilder &builder, task::DefOp def, const RunSizes &run, size_t number);

/// The type of a tensor of @main for an argument or result of such a copy: it has the names that the copy's `task.dims`
/// state.
mlir::RankedTensorType namedType(mlir::Type type, onnx::DimsAttr dims);

/// The values of the names of the copy, as --fix-run-sizes takes them.
std::vector<std::string> sizesOfRun(const RunSizes &run, size_t number);

/// Scalar operations of all runs, as far as they grow with the results.
double flopsOf(const SearchTask &task);

} // namespace cameo::autotune

#endif
