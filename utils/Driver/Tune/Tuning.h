// The state of a tuning session, which TuneModel.cpp, MeasureTasks.cpp and MigrateRecords.cpp share.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNING_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNING_H

#include "autotune/Measure/BundleTransport.h"
#include "autotune/Measure/MeasureCandidates.h"
#include "autotune/Measure/WorkerTransport.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Tune/TuneModel.h"

#include "llvm/ADT/StringMap.h"

namespace cameo {

/// The state of tuning, from reading the model to the last measurement.
class Tuning {
public:
  explicit Tuning(const TuneOptions &options) : options(options), phases(options.compile) {
    if (options.bucket)
      ranges = {options.bucket->range};
  }

  llvm::LogicalResult prepare();
  llvm::LogicalResult run(autotune::TuningSession::Observer observer, std::function<bool()> isInterrupted);
  llvm::LogicalResult migrate(std::vector<autotune::TuningRecord> &records, llvm::raw_ostream &log);
  llvm::LogicalResult printStage(autotune::SearchStage stage, unsigned count, llvm::raw_ostream &os);

private:
  llvm::LogicalResult limitTasks();
  llvm::LogicalResult createPolicies();
  llvm::LogicalResult waitForBundle();
  llvm::Expected<autotune::MeasureFunctions> measureOnMachine();
  llvm::Expected<autotune::MeasureFunctions> replayLog();
  std::vector<autotune::TuningRecord> takeFitting(std::vector<autotune::TuningRecord> records,
                                                  llvm::StringRef path = "") const;
  llvm::Error leaveOutOthers(std::vector<autotune::TuningRecord> &known);
  void noteMachine(const autotune::TuningRecord &record);
  uint64_t rotationBytes();
  std::vector<schedule::StepsAttr> seedsOf(const autotune::SearchTask &task) const;
  autotune::SearchOptions searchOptionsOf(const autotune::SearchTask &searched, size_t number) const;

  TuneOptions options;
  PhaseRunner phases;
  std::vector<autotune::SessionTask> tasks;
  std::vector<autotune::TuningRecord> seeds; // from the file of records
  std::vector<autotune::SizeRange> ranges;   // sizes that records are for; empty: all sizes
  llvm::StringMap<std::string> baselines;    // by task key: the schedule for all sizes, if a range of them is tuned
  mlir::DialectRegistry registry;
  autotune::BuildOptions build;
  std::unique_ptr<autotune::CandidateMeasurer> measurer;
  autotune::BundleTransport *bundles = nullptr; // the transport of the measurer, if it writes bundles
  autotune::WorkerTransport *worker = nullptr;  // the transport of the measurer, if candidates run on this machine
  std::string machine;                          // identity of the machine that measures, if it is known
  bool isMixed = false;                         // whether another machine has measured, too
};

} // namespace cameo

#endif // CAMEO_UTILS_DRIVER_TUNE_TUNING_H
