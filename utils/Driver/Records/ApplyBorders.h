// Applies the borders in records: splits tasks, and merges tasks with a neighbour.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_APPLYBORDERS_H
#define CAMEO_UTILS_DRIVER_RECORDS_APPLYBORDERS_H

#include "autotune/Records/TuningRecord.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Splits and merges tasks of `module`, after Phase::Partition, according to the records of `options` for `target`: all
/// splits first, then the merges one after the other. Records of tasks that are not in the module are ignored. A border
/// that does not fit its task is a warning, or an error if records are locked. Fails after a reported error.
llvm::LogicalResult applyBorders(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options);

/// Adds `border`, a split or a merge, to `options`.
void addBorder(const autotune::TuningRecord &border, RecordsOptions &options);

} // namespace cameo

#endif
