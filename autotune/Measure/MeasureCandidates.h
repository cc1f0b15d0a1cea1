// Measures schedules on this machine: built in parallel, then run one at a time, so that building disturbs no measurement.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASURECANDIDATES_H
#define CAMEO_AUTOTUNE_MEASURE_MEASURECANDIDATES_H

#include "autotune/Measure/CheckCandidate.h"

namespace cameo::autotune {

class CandidateMeasurer {
public:
  /// `build` must outlive the program's threads. `worker` is the path of cameo-worker.
  CandidateMeasurer(const BuildOptions &build, std::string worker, const MeasurementPolicy &policy);
  /// With a pool that builds in another way: for tests.
  CandidateMeasurer(std::unique_ptr<BuilderPool> pool, TargetInfo target, std::string worker,
                    const MeasurementPolicy &policy);

  /// One record per schedule, compiled quickly. Of `bestSeconds` see CandidateRunner::time.
  std::vector<TuningRecord> measure(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds);

  /// Compiles as `cameo compile` does, compares with the naive path, and measures thoroughly.
  TuningRecord confirm(const SearchTask &task, llvm::StringRef schedule);

private:
  TuningRecord makeRecord(const TaskSource &source, llvm::StringRef schedule) const;
  std::shared_ptr<const TaskSource> sourceOf(const SearchTask &task);

  std::unique_ptr<BuilderPool> pool;
  TargetInfo target;
  std::vector<std::string> extensions;
  MeasurementPolicy policy;
  CandidateRunner runner;
  CandidateChecker checker;
  llvm::StringMap<std::shared_ptr<const TaskSource>> sources; ///< by key
};

} // namespace cameo::autotune

#endif
