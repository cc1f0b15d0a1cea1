// The tasks of a model as searches and cost models see them.
#ifndef CAMEO_UTILS_DRIVER_TUNE_COLLECTTASKS_H
#define CAMEO_UTILS_DRIVER_TUNE_COLLECTTASKS_H

#include "autotune/TaskScheduler/TuningSession.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Tune/TuneSizes.h"

namespace cameo {

/// Imports the model of `options` and gives its tasks with known sizes, without policies; they refer to the module of
/// `phases`, which must be new and outlive them. Those of open sizes are among them as far as `sizes`, whose names
/// become those of the tasks, say in which runs they are measured. `chosen` are names, keys or beginnings of keys;
/// empty: all. Fails after a reported error, which no task is too.
llvm::FailureOr<std::vector<autotune::SessionTask>> collectTasks(PhaseRunner &phases, const CompileOptions &options,
                                                                 llvm::ArrayRef<std::string> chosen,
                                                                 std::vector<TunedDim> sizes = {});

/// Whether the sizes of the task are known when it is compiled. Others are measured only at sizes that somebody names.
bool hasKnownSizes(task::DefOp def);

/// The names of those tasks of `module` that `chosen` means and that have dynamic sizes, `sizes` not all of
/// them.
std::vector<std::string> openTasks(mlir::ModuleOp module, llvm::ArrayRef<std::string> chosen,
                                   llvm::ArrayRef<TunedDim> sizes = {});

/// What a user is told of such tasks: "dynamic sizes in A and B (...)".
std::string explainOpenTasks(llvm::ArrayRef<std::string> names);

} // namespace cameo

#endif
