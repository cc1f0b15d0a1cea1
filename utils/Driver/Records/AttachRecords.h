// Attaches the schedules of records to tasks, before the other tasks get default schedules.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_ATTACHRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_ATTACHRECORDS_H

#include "autotune/Records/BestRecord.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Sets `schedule` on the tasks of `module`, in loop form, that have a record for `options.threads`, and the text
/// `schedule_from` on all tasks that can have a schedule; creates variants (see attachVariants). Reports which tasks
/// have no record, why, and their share of the work. Also reports the tasks that can have none because their sizes are
/// dynamic, which is never an error. Fails after a reported error.
llvm::LogicalResult attachRecords(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options);

/// Returns the origin of a schedule: "record of 2026-11-27T01:02:03Z: 0.1234 ms, 0.912 of the default schedule's time".
std::string originOf(const autotune::BestAnswer &answer);

} // namespace cameo

#endif
