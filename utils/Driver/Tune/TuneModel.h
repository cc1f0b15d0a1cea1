// Tunes the tasks of a model: puts search, measurement, task scheduling and records together.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNEMODEL_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNEMODEL_H

#include "autotune/Measure/MeasurementPolicy.h"
#include "autotune/TaskScheduler/TuningSession.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Tune/TuneSizes.h"

namespace cameo {

struct TuneOptions {
  CompileOptions compile;         ///< model, target, sizes, threads; the model may be a .mlir file of tasks
  std::string records;            ///< appended to
  bool resume = false;            ///< take up what the file holds
  std::string replay;             ///< a file of records to take costs from instead of measuring; empty: measure
  std::vector<std::string> tasks; ///< keys, their beginnings, or names; empty: all
  std::string worker;             ///< path of cameo-worker; empty: that of findWorker()
  std::string command; ///< a command of the shell that starts one on a machine of the target, whose standard input and
                       ///< output it carries; empty: candidates run here
  std::string bundles; ///< a folder of bundles, which somebody runs on a machine of the target; empty: there are none
  std::vector<std::string>
      farm; ///< cameo-farm and what it is told; it gives packages to machines of the target. Empty: there are none
  unsigned farmParallel = 1;        ///< packages that it has at a time
  std::vector<TunedDim> sizes;      ///< at which tasks with dynamic sizes are measured
  std::optional<SizeBucket> bucket; ///< the part of `sizes` for which schedules are searched; none: for all together
  std::string costModel =
      "shipped"; ///< what searches begin with: see loadCostModel; or analytic or random, which learn nothing
  autotune::SearchOptions search; ///< but for the cost model, and the knobs of each task
  std::vector<std::shared_ptr<const autotune::TaskKnobDefinitions>>
      knobs; ///< of tasks by name, for the policies that have such
  autotune::SessionOptions session;
  autotune::MeasurementPolicy policy;
  bool evictCaches = true; ///< between runs, as the rest of the model would
};

/// Calls the dimensions of `options.sizes` as the tasks of the model do. Fails after a reported error.
llvm::LogicalResult resolveTuneSizes(TuneOptions &options);

/// Runs until the budget is used up or `isInterrupted`, or until the next bundle has to run: that is named on standard
/// error. So are tasks without schedules to search. Fails after a reported error.
llvm::LogicalResult tuneModel(const TuneOptions &options, autotune::TuningSession::Observer observer,
                              std::function<bool()> isInterrupted);

/// Makes records fit the nests that the tasks of the model have (see mapRecords). Then gives tasks that still have none
/// the schedules of others, whose tasks the model has not, or no more: those of tasks that compute the same kind of
/// thing, the most similar in size first. Each is compiled, compared with the naive path and measured anew, which adds
/// a record; what fails is left. Says on `log` what became of each task. Fails after a reported error.
llvm::LogicalResult migrateRecords(const TuneOptions &options, std::vector<autotune::TuningRecord> &records,
                                   llvm::raw_ostream &log);

/// Prints what `count` candidates of a stage of the search are, per task; see autotune::printStage.
llvm::LogicalResult printSearchStage(const TuneOptions &options, autotune::SearchStage stage, unsigned count,
                                     llvm::raw_ostream &os);

} // namespace cameo

#endif
