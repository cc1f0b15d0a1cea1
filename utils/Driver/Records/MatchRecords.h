// Records together with the tasks that they are of: a record holds a key, and what a schedule means is in the model.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_MATCHRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_MATCHRECORDS_H

#include "autotune/Records/TuningRecord.h"
#include "autotune/Search/TrainModel.h"
#include "utils/Driver/PhaseRunner.h"

#include <list>

namespace cameo {

/// Tasks of several models, each once, and the IR that they refer to.
struct ModelTasks {
  std::list<PhaseRunner> models; ///< not empty
  std::vector<autotune::SearchTask> tasks;

  const TargetInfo &target() const { return models.front().target(); }
};

/// Imports `models`, each with the other options of `compile`; there is at least one. Fails after a reported error.
llvm::LogicalResult importModels(const CompileOptions &compile, llvm::ArrayRef<std::string> models, ModelTasks &all);

/// What records of quick compilations for the target say about these tasks. Left out are others, and disturbed ones.
std::vector<autotune::KnownOutcome> outcomesOf(const ModelTasks &all, llvm::ArrayRef<autotune::TuningRecord> records);

} // namespace cameo

#endif
