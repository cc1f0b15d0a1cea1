// Inspects a model without generating code for it.
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
  llvm::StringMap<int64_t> sizes; // values of symbolic dimensions
  InputForms forms;               // forms of inputs other than sizes
  ExternOperators externs;        // operators that functions of the program compute
  Plugins plugins;                // plugins of the compiler
  std::string gpu;                // the GPU that runs the model; empty: the CPU
  std::string gpuMath = "f32";    // precision of float32 products on the GPU: f32, 3xtf32, tf32, f16, bf16
  bool json = false;
};

/// Prints every unsupported operation of a model, or that all are supported. Returns false if one is unsupported, or
/// after a reported error.
bool checkSupport(const CheckOptions &options, llvm::raw_ostream &os);

struct TaskSummary {
  std::string name, key;
  int64_t weight = 1;                 // calls per run
  bool hasKnownSizes = true;          // whether its sizes are static; otherwise it cannot be tuned
  std::vector<std::string> sizeNames; // of its dynamic sizes
  double flops = 0;                   // scalar operations of one call
  double bytes = 0;                   // bytes read and written by one call
  TaskExplanation explanation;
  std::optional<ScheduleExplanation> schedule; // only on request
  std::vector<ScheduleExplanation> variants;   // schedules of its variants for ranges of sizes
  std::string nests;                           // digest of its nests, if schedules can refer to them
  std::optional<double> cycles; // estimated cycles of one call, if schedules were requested and all sizes are static
};

/// Returns the tasks of a lowered model in the order of first execution, with the schedules that are attached to them.
std::vector<TaskSummary> summarizeTasks(PhaseRunner &phases, int threads, bool withSchedules);

/// Returns the tasks of a model in the order of first execution; if `withSchedules`, with the schedules that compiling
/// would choose. Returns nothing after a reported error.
std::optional<std::vector<TaskSummary>> listTasks(const CompileOptions &options, bool withSchedules = false);

} // namespace cameo

#endif
