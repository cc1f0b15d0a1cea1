// Tasks that are faster as two, or as one with a neighbour, as records say.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_APPLYBORDERS_H
#define CAMEO_UTILS_DRIVER_RECORDS_APPLYBORDERS_H

#include "autotune/Records/TuningRecord.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "mlir/IR/BuiltinOps.h"

namespace cameo {

/// Divides and merges tasks of `module`, behind Phase::Partition, where the records of `options` say so for `target`:
/// all splits at once, then one merge after the other. Tasks that the module does not have are passed over; a border
/// that does not fit its task is warned of, or an error where records are locked. Fails after a reported error.
llvm::LogicalResult applyBorders(mlir::ModuleOp module, const TargetInfo &target, const CompileOptions &options);

/// Adds what `border`, a split or a merge, says to `options`.
void addBorder(const autotune::TuningRecord &border, RecordsOptions &options);

} // namespace cameo

#endif
