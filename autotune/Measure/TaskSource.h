// A task as builders take it: text of the IR, so that each thread parses it into a context of its own, and the data
// that its results are checked with.
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
  std::string bytecode; ///< a module: @main calls the task once, or in each of the runs of an open task, a copy for
                        ///< each; constant arguments are constants of one value
  std::string sizes;    ///< of these runs, as records have them
  std::vector<std::string> runSizes; ///< the values of all names, as --fix-run-sizes takes them
  std::vector<bool> constant;        ///< per argument of the task
  uint64_t inputBytes = 0;           ///< of the arguments that are no constants, each rounded up to 64
  uint64_t constantBytes = 0;        ///< of the others, as the model has them
  int64_t mostCodeBytes = std::numeric_limits<int64_t>::max(); ///< of the kernels of a candidate
  cameo_element_type weightsType = CAMEO_FLOAT32;              ///< of the largest constant
  double leastTolerance = 0; ///< how far floats may be off at least, as a part of the largest one that is expected
};

/// The source of a task whose sizes are all known, at least those of its runs. Two constants of it never count as
/// equal: both would lie in one place.
TaskSource makeTaskSource(const SearchTask &task);

/// What results are compared on: random for `seed`, the same on every machine.
struct CheckData {
  uint64_t seed = 0;
  std::vector<std::shared_ptr<const Tensor>> arguments; ///< values of constants; null for inputs
  std::vector<cameo_package_input>
      inputs; ///< of the arguments that are no constants, of one run behind the other, which the machine makes itself
};
CheckData makeCheckData(const SearchTask &task, uint64_t seed);

/// The type of the precision that products of float32 have on a GPU with `math`.
cameo_element_type precisionOf(GpuMath math);

/// The type of the elements as the runtime numbers it. Integers without a sign count as signed, as lowering leaves
/// them.
cameo_element_type elementTypeOf(mlir::Type type);

} // namespace cameo::autotune

#endif
