// Matches records with tasks of models: a record only holds a key, and its schedule refers to the nests in the model.
#ifndef CAMEO_UTILS_DRIVER_RECORDS_MATCHRECORDS_H
#define CAMEO_UTILS_DRIVER_RECORDS_MATCHRECORDS_H

#include "autotune/Records/TuningRecord.h"
#include "autotune/Search/TrainModel.h"
#include "utils/Driver/PhaseRunner.h"

#include <list>

namespace cameo {

/// The tasks of several models without duplicates, and the IR that they refer to.
struct ModelTasks {
  std::list<PhaseRunner> models; ///< not empty
  std::vector<autotune::SearchTask> tasks;

  const TargetInfo &target() const { return models.front().target(); }
};

/// Imports `models`, at least one, each with the other options of `compile`. Fails after a reported error.
llvm::LogicalResult importModels(const CompileOptions &compile, llvm::ArrayRef<std::string> models, ModelTasks &all);

/// Returns the outcomes of brief measurements of these tasks on their target. Other records and disturbed ones are left
/// out.
std::vector<autotune::KnownOutcome> outcomesOf(const ModelTasks &all, llvm::ArrayRef<autotune::TuningRecord> records);

} // namespace cameo

#endif
