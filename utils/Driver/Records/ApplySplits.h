// Fused tasks that are faster as two, as records say.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_APPLYSPLITS_H
#define CAMEO_UTILS_DRIVER_RECORDS_APPLYSPLITS_H

#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Divides tasks of `module`, behind Phase::Partition, where the records of `options` say so for `target`. Tasks that
/// the module does not have are passed over; a split that does not fit its task is warned of, or an error where records
/// are locked. Fails after a reported error.
llvm::LogicalResult applySplits(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options);

} // namespace cameo

#endif
