// Measures schedules: built in parallel, run one at a time, on this machine on a CPU that no builder uses meanwhile. What runs next is
// proposed and built while others run.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASURECANDIDATES_H
#define CAMEO_AUTOTUNE_MEASURE_MEASURECANDIDATES_H

#include "autotune/Measure/CheckCandidate.h"

namespace cameo::autotune {

class CandidateMeasurer {
public:
  /// `build` must outlive the program's threads.
  CandidateMeasurer(const BuildOptions &build, WorkerCommand worker, const MeasurementPolicy &policy);
  /// With a pool that builds in another way: for tests.
  CandidateMeasurer(std::unique_ptr<BuilderPool> pool, TargetInfo target, WorkerCommand worker,
                    const MeasurementPolicy &policy);

  /// Does `work` in the place of a build, soon: see BuilderPool::begin. Beside work, prepare() alone may be called.
  void beside(std::function<void()> work) { pool->begin(std::move(work)); }
  /// Begins to build what measure() is called with next.
  void prepare(const SearchTask &task, llvm::ArrayRef<std::string> schedules);

  /// One record per schedule. Of `bestSeconds` see CandidateRunner::time.
  std::vector<TuningRecord> measure(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds);

  /// Compares with the naive path, and measures well: in turns with `defaultSchedule`, unless that is empty or the same.
  TuningRecord confirm(const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule);

private:
  /// What is built for measure().
  struct Prepared {
    std::string task; ///< key
    std::vector<std::string> schedules;
    std::shared_ptr<BuilderPool::Batch> batch;
  };

  std::shared_ptr<BuilderPool::Batch> beginToBuild(const SearchTask &task, llvm::ArrayRef<std::string> schedules);
  std::shared_ptr<BuilderPool::Batch> takePrepared(const TaskSource &source, llvm::ArrayRef<std::string> schedules);
  TuningRecord makeRecord(const TaskSource &source, llvm::StringRef schedule) const;
  std::shared_ptr<const TaskSource> sourceOf(const SearchTask &task);
  /// Lets builders wait while candidates run, or no longer, where many of `records` were disturbed as it is.
  void judgeBuilders(llvm::ArrayRef<TuningRecord> records);
  unsigned buildersBeside(const TaskSource &source) const;
  bool hasProof(const SearchTask &task, const CandidateImage &image, TuningRecord &record);
  const BuildResult &defaultOf(std::shared_ptr<const TaskSource> source, llvm::StringRef schedule);
  void timeInTurns(const TaskSource &source, const CandidateImage &image, const CandidateImage *defaultImage,
                   TuningRecord &record);

  std::unique_ptr<BuilderPool> pool;
  TargetInfo target;
  std::vector<std::string> extensions;
  std::string targetText; ///< as records have it
  MeasurementPolicy policy;
  CandidateRunner runner;
  CandidateChecker checker;
  bool takesTurns = false; ///< builders wait while candidates run: they seem to disturb
  size_t judged = 0, disturbed = 0; ///< candidates since that was last decided
  std::mutex preparing; ///< guards the next two
  llvm::StringMap<std::shared_ptr<const TaskSource>> sources; ///< by key
  Prepared prepared;
  llvm::StringMap<BuildResult> defaults;                      ///< by key; of the default schedule
};

} // namespace cameo::autotune

#endif
