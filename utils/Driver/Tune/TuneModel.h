// Tunes the tasks of a model: combines search, measurement, task scheduler and records.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNEMODEL_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNEMODEL_H

#include "autotune/Measure/MeasurementPolicy.h"
#include "autotune/TaskScheduler/TuningSession.h"
#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Tune/TuneSizes.h"

namespace cameo {

struct TuneOptions {
  CompileOptions compile;         ///< model, target, sizes, threads; the model may be a .mlir file of tasks
  std::string records;            ///< file to which records are appended
  bool resume = false;            ///< continue from the records in the file
  std::string replay;             ///< file of records whose costs are used instead of measuring; empty: measure
  std::vector<std::string> tasks; ///< keys, prefixes of keys, or names; empty: all
  std::string worker;             ///< path of cameo-worker; empty: that of findWorker()
  std::string command; ///< shell command that starts a worker on a machine of the target, connected to its standard
                       ///< input and output; empty: candidates run on this machine
  std::string bundles; ///< folder of bundles, which a user runs on a machine of the target; empty: no bundles
  std::vector<std::string>
      farm; ///< command line of cameo-farm, which sends packages to machines of the target; empty: no farm
  unsigned farmParallel = 1;        ///< number of packages that are in flight at the farm
  std::vector<TunedDim> sizes;      ///< sizes at which tasks with dynamic sizes are measured
  std::optional<SizeBucket> bucket; ///< part of `sizes` for which schedules are searched; nothing: all together
  std::string costModel =
      "shipped"; ///< cost model that searches start with, see loadCostModel; or analytic or random, which do not learn
  autotune::SearchOptions search; ///< without the cost model and the knobs of each task
  std::vector<std::shared_ptr<const autotune::TaskKnobDefinitions>>
      knobs; ///< knobs of tasks, by name, for the policies that use them
  autotune::SessionOptions session;
  autotune::MeasurementPolicy policy;
  bool evictCaches = true; ///< evict the caches between runs, as the rest of the model would
};

/// Renames the dimensions in `options.sizes` to the names in the tasks of the model. Fails after a reported error.
llvm::LogicalResult resolveTuneSizes(TuneOptions &options);

/// Runs until the budget is spent, `isInterrupted` returns true, or a bundle must be run, whose path is printed on
/// standard error. Tasks without schedules to search are reported there, too. Fails after a reported error.
llvm::LogicalResult tuneModel(const TuneOptions &options, autotune::TuningSession::Observer observer,
                              std::function<bool()> isInterrupted);

/// Maps records to the current nests of the tasks (see mapRecords). Then tries schedules from records of tasks that are
/// not in the model (any more) on the tasks without a record: from tasks of the same kind, the most similar in size
/// first. Each schedule is compiled, compared with the naive path and measured, which adds a record; failures are
/// dropped. Reports the result for each task on `log`. Fails after a reported error.
llvm::LogicalResult migrateRecords(const TuneOptions &options, std::vector<autotune::TuningRecord> &records,
                                   llvm::raw_ostream &log);

/// Prints `count` candidates of a stage of the search for each task; see autotune::printStage.
llvm::LogicalResult printSearchStage(const TuneOptions &options, autotune::SearchStage stage, unsigned count,
                                     llvm::raw_ostream &os);

} // namespace cameo

#endif
