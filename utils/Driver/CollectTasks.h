// The tasks of a model as searches and cost models see them.
#ifndef CAMEO_UTILS_DRIVER_COLLECTTASKS_H
#define CAMEO_UTILS_DRIVER_COLLECTTASKS_H

#include "autotune/TaskScheduler/TuningSession.h"
#include "utils/Driver/PhaseRunner.h"

namespace cameo {

/// Imports the model of `options` and gives its tasks with known sizes, without policies; they refer to the module of `phases`, which must be new and
/// outlive them. `chosen` are names, keys or beginnings of keys; empty: all. Fails after a reported error, which no task is too.
llvm::FailureOr<std::vector<autotune::SessionTask>> collectTasks(PhaseRunner &phases, const CompileOptions &options,
                                                                 llvm::ArrayRef<std::string> chosen);

} // namespace cameo

#endif
