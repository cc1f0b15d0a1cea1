// What one task may take at most, so that a model keeps its budgets.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_TASKLIMITS_H
#define CAMEO_PASSES_SCHEDULE_RULES_TASKLIMITS_H

#include <cstdint>
#include <limits>

namespace cameo::schedule {

struct TaskLimits {
  int64_t filterBytes = std::numeric_limits<int64_t>::max();  ///< of filters that are transformed when the model is
                                                              ///< compiled, beyond the model's own
  int64_t scratchBytes = std::numeric_limits<int64_t>::max(); ///< of the arena, besides inputs and outputs
  int64_t codeBytes = std::numeric_limits<int64_t>::max();    ///< of its kernels
  int64_t registers = std::numeric_limits<int64_t>::max();    ///< of vectors, that blocks use
};

} // namespace cameo::schedule

#endif
