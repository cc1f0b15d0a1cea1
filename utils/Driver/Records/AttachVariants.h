// Variants of a task for ranges of sizes, in which records say that another schedule is faster.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_ATTACHVARIANTS_H
#define CAMEO_UTILS_DRIVER_RECORDS_ATTACHVARIANTS_H

#include "autotune/Records/BestRecord.h"
#include "dialects/Target/Machine.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo {

/// Puts a copy of `def`, whose nests are `program`, behind it for each range of sizes in which `ranged`, records in the
/// order of their ranges, have another schedule than `forAll`, the text of that for all sizes. Neighbouring ranges with
/// one schedule are one. A task with one size has that of the records, whatever each calls it. Returns why records are
/// left out: one that fits no size or nest of the task, or all where the task has none.
std::vector<std::string> attachVariants(task::DefOp def, const schedule::TaskProgram &program,
                                        llvm::ArrayRef<autotune::BestAnswer> ranged, llvm::StringRef forAll,
                                        const Machine &machine);

} // namespace cameo

#endif
