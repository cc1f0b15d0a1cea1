// The input of a search: one task on one machine.
#ifndef CAMEO_AUTOTUNE_SEARCH_SEARCHTASK_H
#define CAMEO_AUTOTUNE_SEARCH_SEARCHTASK_H

#include "dialects/Target/GpuMachine.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/NestDigest.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/TaskLimits.h"

#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace cameo::autotune {

/// A run with static sizes, in which code for dynamic sizes is measured.
struct RunSizes {
  llvm::StringMap<int64_t> sizes; ///< values of all names in the sizes of the task
  unsigned times = 1;             ///< weight of the run
};

struct SearchTask {
  /// The task. Its body is linalg on tensors, as after `--emit=linalg`. A search does not change the IR. Must outlive
  /// the search.
  task::DefOp def;
  /// Whether each argument is a constant in every call (schedule::ConstantArguments of the model's module). Constants
  /// can be packed at compile time, so the space depends on this.
  llvm::SmallVector<bool> constantArguments;
  Machine machine;
  /// Threads that run the task when it is measured.
  unsigned threads = 1;
  /// The canonical key of the task, which names it in records and messages.
  std::string key;
  /// Limits for candidates, see autotune::Space.
  schedule::TaskLimits limits = {};
  /// Digest of its nests, which is stored in records.
  schedule::NestDigest nests = {};
  /// The GPU that runs the task; null: the CPU.
  const GpuMachine *gpu = nullptr;
  /// For a task with dynamic sizes: the runs whose total time is the cost of a candidate. Else empty.
  std::vector<RunSizes> runs = {};
  /// The runs as stored in records: "seq=16,128*3".
  std::string sizes = {};
  /// Scalar operations of all runs. Without runs, they follow from the definition of the task.
  double runFlops = 0;
};

} // namespace cameo::autotune

#endif
