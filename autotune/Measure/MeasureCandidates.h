// Measures schedules. Candidates are built in parallel and run one at a time; on this machine, they run on a CPU that
// no builder uses at the same time. The next candidates are proposed and built while others run.
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
  /// `build` must live until the program ends.
  CandidateMeasurer(const BuildOptions &build, std::unique_ptr<Transport> transport, const MeasurementPolicy &policy);
  /// Uses another pool of builders; for tests.
  CandidateMeasurer(std::unique_ptr<BuilderPool> pool, TargetInfo target, std::unique_ptr<Transport> transport,
                    const MeasurementPolicy &policy);

  /// Runs `work` soon on a builder thread, see BuilderPool::begin. `work` may only call prepare().
  void beside(std::function<void()> work) { pool->begin(std::move(work)); }
  /// Starts to build the schedules of the next call of measure().
  void prepare(const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds);
  /// Sets the default schedule that schedules of the task will be compared with.
  void setDefault(const SearchTask &task, llvm::StringRef schedule);

  /// Returns one record per schedule. If the policy asks for it, all are confirmed, without a rival. `bestSeconds` is
  /// the best cost of the task so far, 0 if none; it decides when a slow candidate is abandoned. With a deferring
  /// transport, the error is MeasurementPending until all have a result.
  llvm::Expected<std::vector<TuningRecord>> measure(const SearchTask &task, llvm::ArrayRef<std::string> schedules,
                                                    double bestSeconds);

  /// Compares the results of `schedule` with those of the naive path, and measures it with many repeats, alternating
  /// with `defaultSchedule` unless that is empty or equal. `time` counts the confirmations of this schedule.
  llvm::Expected<TuningRecord> confirm(const SearchTask &task, llvm::StringRef schedule,
                                       llvm::StringRef defaultSchedule, size_t time);

  /// Starts a confirmation before confirm() is called for it. Returns when the transport has room for more.
  void confirmAhead(const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time);
  /// Number of confirmations that may be in flight; 1 if all of them need the same machine.
  unsigned confirmationsAtOnce() const { return transport->hasManyMachines() ? transport->packagesUnderWay() : 1; }

  /// With a deferring transport, submits all measurements without a result, and those that are expected next.
  llvm::Error submitDeferred();

private:
  /// The builds that prepare() started for measure().
  struct Prepared {
    std::string task; ///< key
    std::vector<std::string> schedules;
    std::shared_ptr<BuilderPool::Batch> batch;
  };
  /// A request of measure() to a deferring transport.
  struct Deferred {
    SearchTask task;
    std::vector<std::string> schedules;
    double bestSeconds = 0;
    std::vector<BuildResult> built; ///< results of the builds; empty if not built yet
  };
  struct DeferredConfirmation {
    SearchTask task;
    std::string schedule, defaultSchedule;
    size_t time = 0;
  };
  /// The last builds of confirmAll(): confirm() is called for the fastest of them.
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
  /// Decides whether builders wait while candidates run: they do if many of `records` were disturbed without it.
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

  // Deferred measurements (DeferMeasurements.cpp).
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
  KernelProcessor processor; ///< the processor that runs candidates
  std::string targetText;    ///< the target as stored in records
  cameo_package_target wanted;
  MeasurementPolicy policy;
  std::unique_ptr<Transport> transport;
  ReferenceBuilder references;
  llvm::StringSet<> sent;           ///< keys of tasks whose naive path ran on the machine
  bool takesTurns = false;          ///< whether builders wait while candidates run, because they seem to disturb them
  size_t judged = 0, disturbed = 0; ///< number of candidates since takesTurns was decided, and how many of them were
                                    ///< disturbed
  std::mutex preparing;             ///< guards the next two
  llvm::StringMap<std::shared_ptr<const TaskSource>> sources; ///< by key
  Prepared prepared;
  Checked checked;
  llvm::StringMap<BuildResult> defaults;         ///< by key; of the default schedule
  llvm::StringMap<std::string> defaultSchedules; ///< by key
  llvm::StringMap<BuildResult> builtReferences;  ///< by key; of the naive path
  PackageWindow confirmations{*transport};
  std::map<uint64_t, std::optional<MeasurementResult>>
      ahead; ///< results of confirmations that were started before they are requested; nothing if not finished
  std::vector<Deferred> deferred;
  std::vector<DeferredConfirmation> deferredConfirmations;
};

} // namespace cameo::autotune

#endif
