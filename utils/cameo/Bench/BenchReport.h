// Holds the results of a benchmark, and prints them as text or JSON.
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
  uint64_t count;      ///< of calls per run
  double ms;           ///< fastest time of all calls of one run
  double flops, bytes; ///< per run; negative: unknown

  bool isKnown() const { return flops >= 0 && bytes >= 0; }
  double seconds() const { return std::max(ms / 1e3, 1e-9); }
};

struct TaskProfile {
  std::vector<TaskReport> tasks;
  std::optional<MachinePeaks> peaks; ///< of the CPU, measured together with the tasks; nothing if a GPU runs them

  /// Returns the percentage of the peak that a task reaches; nothing if its work or the peaks are unknown.
  std::optional<double> percentOfPeak(const TaskReport &task) const;

  /// Returns the sum of all tasks. Its work is known if that of each task is.
  TaskReport total() const;
  /// Returns the least time that the peaks allow for all tasks, as a percentage of the total time; nothing if a task's
  /// work or the peaks are unknown.
  std::optional<double> percentOfPeak() const;
};

struct BenchReport {
  std::string cpu;               ///< whose code runs, if the library has code for several CPUs; empty otherwise
  std::vector<SideReport> sides; ///< ours first; empty if steps are measured
  std::optional<StepTimes> steps;
  std::optional<double> stepBytes;    ///< read and written by the tasks of the last step, if known
  std::optional<TaskProfile> profile; ///< of a run, or of the last step
  bool showsTasks = false;
};

/// Prints tables of the sides or steps, and of the tasks, slowest first.
void print(const BenchReport &report, llvm::raw_ostream &os);

llvm::json::Value toJson(const BenchReport &report, llvm::StringRef model, int64_t threads, int64_t runs);

} // namespace cameo

#endif
