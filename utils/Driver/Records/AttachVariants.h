// Creates variants of a task for ranges of sizes for which records have a faster schedule.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_ATTACHVARIANTS_H
#define CAMEO_UTILS_DRIVER_RECORDS_ATTACHVARIANTS_H

#include "autotune/Records/BestRecord.h"
#include "dialects/Target/Machine.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo {

/// Inserts a copy of `def`, whose nests are `program`, after it for each range of sizes for which `ranged`, records in
/// the order of their ranges, have another schedule than `forAll`, the text of the schedule for all sizes. Neighbouring
/// ranges with the same schedule are joined. If a task has a single dynamic size, the name of the size in the records
/// does not matter. Returns why records were ignored: one because it fits no size or nest of the task, or all because
/// the task has none.
std::vector<std::string> attachVariants(task::DefOp def, const schedule::TaskProgram &program,
                                        llvm::ArrayRef<autotune::BestAnswer> ranged, llvm::StringRef forAll,
                                        const Machine &machine);

} // namespace cameo

#endif
