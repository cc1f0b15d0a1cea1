// The form of a task for builders: bytecode of the IR, so that each thread parses it into its own context, and the data
// for checking its results.
#ifndef CAMEO_AUTOTUNE_MEASURE_TASKSOURCE_H
#define CAMEO_AUTOTUNE_MEASURE_TASKSOURCE_H

#include "autotune/Measure/PackageFormat.h"
#include "autotune/Search/SearchTask.h"
#include "utils/Driver/Run/Tensor.h"

#include "llvm/Support/Error.h"

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace cameo::autotune {

struct TaskSource {
  std::string key, name;
  double flops = 0;
  unsigned threads = 1;
  schedule::NestDigest nests;
  std::string bytecode; ///< a module whose @main calls the task once, or, for a task with dynamic sizes, one copy of it
                        ///< for each run; constant arguments are splat constants
  std::string sizes;    ///< sizes of these runs, as in records
  std::vector<std::string> runSizes; ///< values of all names, in the form of --fix-run-sizes
  std::vector<bool> constant;        ///< whether each argument of the task is a constant
  uint64_t inputBytes = 0;           ///< total size of the arguments that are no constants, each rounded up to 64
  uint64_t constantBytes = 0;        ///< total size of the constants in the model
  int64_t mostCodeBytes = std::numeric_limits<int64_t>::max(); ///< limit for the kernels of a candidate
  cameo_element_type weightsType = CAMEO_FLOAT32;              ///< element type of the largest constant
  double leastTolerance = 0; ///< least tolerance for floats, relative to the largest expected value
};

/// Returns the source of a task whose sizes are static, or at least those of its runs. No two of its constants are
/// equal, because equal ones would share memory.
TaskSource makeTaskSource(const SearchTask &task);

/// The data that results are compared on: random for `seed`, and the same on every machine.
struct CheckData {
  uint64_t seed = 0;
  std::vector<std::shared_ptr<const Tensor>> arguments; ///< values of the constants; null for other arguments
  std::vector<cameo_package_input> inputs; ///< the other arguments, run after run, which the machine generates itself
};
CheckData makeCheckData(const SearchTask &task, uint64_t seed);

/// Returns the type whose precision float32 products have on a GPU with `math`.
cameo_element_type precisionOf(GpuMath math);

/// Returns the element type as a cameo_element_type. Signless integers count as signed, because lowering makes signed
/// integers signless.
cameo_element_type elementTypeOf(mlir::Type type);

} // namespace cameo::autotune

#endif
