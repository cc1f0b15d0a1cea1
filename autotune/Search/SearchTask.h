// What a search is about: one task, one machine.
#ifndef CAMEO_AUTOTUNE_SEARCH_SEARCHTASK_H
#define CAMEO_AUTOTUNE_SEARCH_SEARCHTASK_H

#include "dialects/Target/GpuMachine.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/NestDigest.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/TaskLimits.h"

#include <string>

namespace cameo::autotune {

struct SearchTask {
  /// Its body is linalg on tensors, as `--emit=linalg` leaves it. Read only: a search never changes the IR. Must outlive the
  /// search.
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
};

} // namespace cameo::autotune

#endif
