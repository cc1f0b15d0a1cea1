// Gives tasks the schedules of records, before those without one get the default.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_ATTACHRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_ATTACHRECORDS_H

#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace cameo {

/// Sets `schedule` on the tasks of `module`, lowered to linalg, that have a record for `options.threads`, and
/// `schedule_from`, a text, on all that a schedule can have. Says which have none, why, and what part of the work they
/// are; and which can have none, because only the run knows their sizes: these are no error whatever the policy. Fails
/// after a reported error.
llvm::LogicalResult attachRecords(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options);

} // namespace cameo

#endif
