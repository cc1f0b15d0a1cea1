// Explains what a lowered task computes as formulas: `C[i,j] += A[i,k] * B[k,j]`.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_EXPLAINTASK_H
#define CAMEO_UTILS_DRIVER_INSPECT_EXPLAINTASK_H

#include "dialects/Task/TaskDialect.h"

#include <string>
#include <vector>

namespace cameo {

struct TaskExplanation {
  std::vector<std::string> inputs; // "A: float32 1x56x56x64", in the order of the arguments
  std::vector<std::string> steps;  // one line per computation
  std::string outputs;             // the names of the results
};

/// Explains a task whose body is linalg, tensor and scalar operations. An operation without a formula is shown by its
/// name.
TaskExplanation explainTask(task::DefOp def);

} // namespace cameo

#endif
