// What a search is about: one task, one machine.
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

/// A run that code for open sizes is measured in.
struct RunSizes {
  llvm::StringMap<int64_t> sizes; ///< of all names that sizes of the task are made of
  unsigned times = 1;             ///< how often it counts
};

struct SearchTask {
  /// Its body is linalg on tensors, as `--emit=linalg` leaves it. Read only: a search never changes the IR. Must
  /// outlive the search.
  task::DefOp def;
  /// Which arguments are constants at every call (schedule::ConstantArguments of the model's module): these can be
  /// packed at compile time, so the space depends on it.
  llvm::SmallVector<bool> constantArguments;
  Machine machine;
  /// Threads that run the task when it is measured.
  unsigned threads = 1;
  /// The canonical key of the task: names it in records and messages.
  std::string key;
  /// What candidates may take at most; see autotune::Space.
  schedule::TaskLimits limits = {};
  /// Of its nests: records say for which they were made.
  schedule::NestDigest nests = {};
  /// The device that runs the task; null: the processor.
  const GpuMachine *gpu = nullptr;
  /// Of a task with dynamic sizes: a candidate costs what these runs of it take together. Else empty.
  std::vector<RunSizes> runs = {};
  /// The same as records have it: "seq=16,128*3".
  std::string sizes = {};
  /// Scalar operations of them together; of a task without runs its definition says it.
  double runFlops = 0;
};

} // namespace cameo::autotune

#endif
