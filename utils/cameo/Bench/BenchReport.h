// What a benchmark found, and how it is shown.
#ifndef CAMEO_UTILS_CAMEO_BENCH_BENCHREPORT_H
#define CAMEO_UTILS_CAMEO_BENCH_BENCHREPORT_H

#include "utils/Driver/Run/MachinePeaks.h"
#include "utils/cameo/Bench/BenchSteps.h"

#include "llvm/Support/JSON.h"

#include <optional>

namespace cameo {

struct SideReport {
  std::string name;
  SideTimes times;
  double createMs = 0;
  double rssMb = 0;
};

struct TaskReport {
  std::string name, key, schedule;
  uint64_t count;      ///< per run
  double ms;           ///< of all of them in one run, the fastest
  double flops, bytes; ///< per run; below 0: not known

  bool isKnown() const { return flops >= 0 && bytes >= 0; }
  double seconds() const { return std::max(ms / 1e3, 1e-9); }
};

struct TaskProfile {
  std::vector<TaskReport> tasks;
  std::optional<MachinePeaks> peaks; ///< of the processor, measured with them; none where a GPU runs them

  /// Of a task; none where its work or the peaks are not known.
  std::optional<double> percentOfPeak(const TaskReport &task) const;

  /// All of them, one after the other; the work is known if that of each is.
  TaskReport total() const;
  /// What the total would be of its time if each task took the least that the peaks allow; none as above.
  std::optional<double> percentOfPeak() const;
};

struct BenchReport {
  std::string cpu;               ///< whose code runs, where there is that of several; else empty
  std::vector<SideReport> sides; ///< ours first; none where steps are measured
  std::optional<StepTimes> steps;
  std::optional<double> stepBytes;    ///< that the tasks of the last step read and write, where that is known
  std::optional<TaskProfile> profile; ///< of a run, or of the last step
  bool showsTasks = false;
};

/// Tables of sides or steps, and of tasks, slow tasks first.
void print(const BenchReport &report, llvm::raw_ostream &os);

llvm::json::Value toJson(const BenchReport &report, llvm::StringRef model, int64_t threads, int64_t runs);

} // namespace cameo

#endif
