// Builds the naive path of tasks, which results are compared with, and the data that both run on.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDREFERENCE_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDREFERENCE_H

#include "autotune/Measure/BuilderPool.h"

#include "llvm/ADT/StringMap.h"

namespace cameo::autotune {

class ReferenceBuilder {
public:
  ReferenceBuilder(BuilderPool &pool, uint64_t seed) : pool(pool), seed(seed) {}

  /// Returns the data that results of the task are compared on. It is created once.
  std::shared_ptr<const CheckData> dataOf(const SearchTask &task);
  /// Builds the naive path on each call: usually once per task, and again if the machine lost its results.
  BuildResult build(const SearchTask &task, std::shared_ptr<const TaskSource> source);

private:
  BuilderPool &pool;
  uint64_t seed;
  llvm::StringMap<std::shared_ptr<const CheckData>> data; ///< by key
};

} // namespace cameo::autotune

#endif
