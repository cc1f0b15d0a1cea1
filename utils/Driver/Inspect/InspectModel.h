// Looks at a model without generating code for it.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_INSPECTMODEL_H
#define CAMEO_UTILS_DRIVER_INSPECT_INSPECTMODEL_H

#include "utils/Driver/CompileOptions.h"
#include "utils/Driver/Inspect/ExplainSchedule.h"
#include "utils/Driver/Inspect/ExplainTask.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace cameo {

class PhaseRunner;

struct CheckOptions {
  std::string model;
  llvm::StringMap<int64_t> sizes; // of symbolic dimensions
  InputForms forms;               // of inputs, beside their sizes
  ExternOperators externs;        // that functions of the program compute
  Plugins plugins;                // that add to the compiler
  std::string gpu;                // the device that is to run the model; empty: the processor
  std::string gpuMath = "f32";    // what it multiplies where the model has float32: f32, 3xtf32, tf32, f16, bf16
  bool json = false;
};

/// Prints everything of a model that is not supported, or that all is. False when something is not, or after a reported
/// error.
bool checkSupport(const CheckOptions &options, llvm::raw_ostream &os);

struct TaskSummary {
  std::string name, key;
  int64_t weight = 1;        // calls per run
  bool hasKnownSizes = true; // when it is compiled: only then it can be tuned
  double flops = 0;          // of one call
  double bytes = 0;          // read and written by one call
  TaskExplanation explanation;
  std::optional<ScheduleExplanation> schedule; // where it was asked for
  std::vector<ScheduleExplanation> variants;   // beside it, where they are for a range of sizes
  std::string nests;                           // digest of its nests, where schedules can refer to them
  std::optional<double>
      cycles; // that one call takes by the estimate, where schedules were asked for and all sizes are known
};

/// The tasks of a model that is lowered, in the order of first execution; schedules are those that the tasks have.
std::vector<TaskSummary> summarizeTasks(PhaseRunner &phases, int threads, bool withSchedules);

/// The tasks of a model in the order of first execution, with the schedules that compiling would give them if
/// `withSchedules`; nothing after a reported error.
std::optional<std::vector<TaskSummary>> listTasks(const CompileOptions &options, bool withSchedules = false);

} // namespace cameo

#endif
