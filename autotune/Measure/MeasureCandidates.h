// Measures schedules: built in parallel, run one at a time, on this machine on a CPU that no builder uses meanwhile.
// What runs next is proposed and built while others run.
#ifndef CAMEO_AUTOTUNE_MEASURE_MEASURECANDIDATES_H
#define CAMEO_AUTOTUNE_MEASURE_MEASURECANDIDATES_H

#include "autotune/Measure/BuildReference.h"
#include "autotune/Measure/PackageItems.h"
#include "autotune/Measure/Transport.h"
#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/StringSet.h"

namespace cameo::autotune {

class CandidateMeasurer {
public:
  /// `build` must outlive the program's threads.
  CandidateMeasurer(const BuildOptions &build, std::unique_ptr<Transport> transport, const MeasurementPolicy &policy);
  /// With a pool that builds in another way: for tests.
  CandidateMeasurer(std::unique_ptr<BuilderPool> pool, TargetInfo target, std::unique_ptr<Transport> transport,
                    const MeasurementPolicy &policy);

  /// Does `work` in the place of a build, soon: see BuilderPool::begin. Beside work, prepare() alone may be called.
  void beside(std::function<void()> work) { pool->begin(std::move(work)); }
  /// Begins to build what measure() is called with next.
  void prepare(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds);
  /// Says with what schedules of the task will be compared.
  void setDefault(const SearchTask &task, llvm::StringRef schedule);

  /// One record per schedule; all are confirmed, without a rival, where the policy says so. `bestSeconds` of the task
  /// so far, 0 for none, decides when a candidate is given up. Where the transport defers, the error is a
  /// MeasurementPending until all have a result.
  llvm::Expected<std::vector<TuningRecord>> measure(const SearchTask &task, llvm::ArrayRef<std::string> schedules,
                                                    double bestSeconds);

  /// Compares with the naive path, and measures well, the `time`th time: in turns with `defaultSchedule`, unless that
  /// is empty or the same.
  llvm::Expected<TuningRecord> confirm(const SearchTask &task, llvm::StringRef schedule,
                                       llvm::StringRef defaultSchedule, size_t time);

  /// Begins what confirm() will be called with, and returns where the transport has room for more.
  void confirmAhead(const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time);
  /// That may be under way; one where all of them need the same machine.
  unsigned confirmationsAtOnce() const { return transport->hasManyMachines() ? transport->packagesUnderWay() : 1; }

  /// Submits all that had no result yet, and what will be asked for next, where the transport defers.
  llvm::Error submitDeferred();

private:
  /// What is built for measure().
  struct Prepared {
    std::string task; ///< key
    std::vector<std::string> schedules;
    std::shared_ptr<BuilderPool::Batch> batch;
  };
  /// Asked for while the transport defers.
  struct Deferred {
    SearchTask task;
    std::vector<std::string> schedules;
    double bestSeconds = 0;
    std::vector<BuildResult> built; ///< of the schedules; empty: not yet
  };
  struct DeferredConfirmation {
    SearchTask task;
    std::string schedule, defaultSchedule;
    size_t time = 0;
  };
  /// What confirmAll() built last: confirm() is asked for the fastest of it.
  struct Checked {
    std::string task; ///< key
    std::vector<std::string> schedules;
    std::vector<BuildResult> built;
  };

  std::shared_ptr<BuilderPool::Batch> beginToBuild(std::shared_ptr<const TaskSource> source,
                                                   llvm::ArrayRef<std::string> schedules);
  std::shared_ptr<BuilderPool::Batch> takePrepared(const TaskSource &source, llvm::ArrayRef<std::string> schedules);
  TuningRecord makeRecord(const TaskSource &source, llvm::StringRef schedule) const;
  void take(TuningRecord &record, MeasurementResult result) const;
  std::shared_ptr<const TaskSource> sourceOf(const SearchTask &task);
  uint64_t idOf(const TaskSource &source, llvm::StringRef schedule, bool isRelease, size_t time = 0) const;
  /// Lets builders wait while candidates run, or no longer, where many of `records` were disturbed as it is.
  void judgeBuilders(llvm::ArrayRef<TuningRecord> records);
  unsigned buildersBeside(const TaskSource &source) const;
  const BuildResult &defaultOf(std::shared_ptr<const TaskSource> source, llvm::StringRef schedule);
  const BuildResult &referenceOf(const SearchTask &task, std::shared_ptr<const TaskSource> source);
  BuildResult buildToConfirm(const SearchTask &task, std::shared_ptr<const TaskSource> source,
                             llvm::StringRef schedule);
  MeasurementResult send(const TaskSource &source, const Confirmation &confirmation, cameo_package_kind kind,
                         uint64_t id);
  MeasurementResult sendToConfirm(const SearchTask &task, std::shared_ptr<const TaskSource> source,
                                  Confirmation confirmation, uint64_t id);

  std::optional<MeasurementResult> takeAhead(uint64_t id);
  std::vector<TuningRecord> confirmAll(const SearchTask &task, std::shared_ptr<const TaskSource> source,
                                       llvm::ArrayRef<std::string> schedules);
  const BuildResult *findChecked(const SearchTask &task, llvm::StringRef schedule) const;

  // Deferred ones (DeferMeasurements.cpp).
  llvm::Expected<std::vector<TuningRecord>> recallAll(const SearchTask &task, llvm::ArrayRef<std::string> schedules,
                                                      double bestSeconds);
  bool buildDeferred(Deferred &unknown, llvm::MutableArrayRef<TuningRecord> records);
  void add(MeasurementPackage &package, Deferred &deferred);
  void addIfBest(MeasurementPackage &package, const Deferred &deferred, llvm::ArrayRef<uint32_t> briefs);
  std::vector<BuildResult> buildAllToConfirm(const SearchTask &task, llvm::ArrayRef<std::string> schedules);
  void addConfirmation(MeasurementPackage &package, const DeferredConfirmation &asked, const BuildResult &built,
                       const BuildResult &reference, llvm::function_ref<void(cameo_package_item &)> change);

  std::unique_ptr<BuilderPool> pool;
  TargetInfo target;
  KernelProcessor processor; ///< that runs candidates
  std::string targetText;    ///< as records have it
  cameo_package_target wanted;
  MeasurementPolicy policy;
  std::unique_ptr<Transport> transport;
  ReferenceBuilder references;
  llvm::StringSet<> sent;           ///< keys of tasks whose naive path the machine has run
  bool takesTurns = false;          ///< builders wait while candidates run: they seem to disturb
  size_t judged = 0, disturbed = 0; ///< candidates since that was last decided
  std::mutex preparing;             ///< guards the next two
  llvm::StringMap<std::shared_ptr<const TaskSource>> sources; ///< by key
  Prepared prepared;
  Checked checked;
  llvm::StringMap<BuildResult> defaults;         ///< by key; of the default schedule
  llvm::StringMap<std::string> defaultSchedules; ///< by key
  llvm::StringMap<BuildResult> builtReferences;  ///< by key; of the naive path
  PackageWindow confirmations{*transport};
  std::map<uint64_t, std::optional<MeasurementResult>>
      ahead; ///< of the confirmations that are begun or done before they are asked for
  std::vector<Deferred> deferred;
  std::vector<DeferredConfirmation> deferredConfirmations;
};

} // namespace cameo::autotune

#endif
