// Limits on the resources of one task, so that a model keeps its budgets.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_TASKLIMITS_H
#define CAMEO_PASSES_SCHEDULE_RULES_TASKLIMITS_H

#include <cstdint>
#include <limits>

namespace cameo::schedule {

struct TaskLimits {
  int64_t filterBytes = std::numeric_limits<int64_t>::max();  ///< of filters transformed at compile time, beyond the
                                                              ///< size of the model's own
  int64_t scratchBytes = std::numeric_limits<int64_t>::max(); ///< of the arena, besides inputs and outputs
  int64_t codeBytes = std::numeric_limits<int64_t>::max();    ///< of the task's kernels
  int64_t registers = std::numeric_limits<int64_t>::max();    ///< vector registers per block
};

} // namespace cameo::schedule

#endif
