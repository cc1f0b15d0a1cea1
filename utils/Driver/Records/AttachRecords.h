// Gives tasks the schedules of records, before those without one get the default.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_ATTACHRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_ATTACHRECORDS_H

#include "autotune/Records/BestRecord.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Sets `schedule` on the tasks of `module`, in loop form, that have a record for `options.threads`, and
/// `schedule_from`, a text, on all that a schedule can have; and gives them variants (see attachVariants). Says which
/// have none, why, and what part of the work they are; and which can have none, because their sizes are dynamic:
/// these are no error whatever the policy. Fails after a reported error.
llvm::LogicalResult attachRecords(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options);

/// Where a schedule comes from: "record of 2026-11-27T01:02:03Z: 0.1234 ms, 0.912 of the default schedule's time".
std::string originOf(const autotune::BestAnswer &answer);

} // namespace cameo

#endif
