// Collects the tasks of a model for searches and cost models.
#ifndef CAMEO_UTILS_DRIVER_TUNE_COLLECTTASKS_H
#define CAMEO_UTILS_DRIVER_TUNE_COLLECTTASKS_H

#include "autotune/TaskScheduler/TuningSession.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Tune/TuneSizes.h"

namespace cameo {

/// Imports the model of `options` and returns its tasks without policies. They refer to the module of `phases`, which
/// must be new and outlive them. Tasks with dynamic sizes are included only if `sizes`, whose names become those of the
/// tasks, define the runs for measuring. `chosen` are names, keys or prefixes of keys; empty: all. Fails after a
/// reported error, also if there is no task.
llvm::FailureOr<std::vector<autotune::SessionTask>> collectTasks(PhaseRunner &phases, const CompileOptions &options,
                                                                 llvm::ArrayRef<std::string> chosen,
                                                                 std::vector<TunedDim> sizes = {});

/// Whether the sizes of the task are static. Others are only measured at sizes that the user names.
bool hasKnownSizes(task::DefOp def);

/// Returns the names of those tasks of `module` that match `chosen` and have dynamic sizes that `sizes` do not define.
std::vector<std::string> openTasks(mlir::ModuleOp module, llvm::ArrayRef<std::string> chosen,
                                   llvm::ArrayRef<TunedDim> sizes = {});

/// Returns a message about such tasks: "dynamic sizes in A and B (...)".
std::string explainOpenTasks(llvm::ArrayRef<std::string> names);

} // namespace cameo

#endif
