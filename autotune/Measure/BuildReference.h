// What results are compared with: the naive path of a task, and the data that both get.
#ifndef CAMEO_AUTOTUNE_MEASURE_BUILDREFERENCE_H
#define CAMEO_AUTOTUNE_MEASURE_BUILDREFERENCE_H

#include "autotune/Measure/BuilderPool.h"

#include "llvm/ADT/StringMap.h"

namespace cameo::autotune {

class ReferenceBuilder {
public:
  ReferenceBuilder(BuilderPool &pool, uint64_t seed) : pool(pool), seed(seed) {}

  /// The data that results of the task are compared on; made once.
  std::shared_ptr<const CheckData> dataOf(const SearchTask &task);
  /// The naive path. It is built whenever it is asked for: once per task, unless the machine loses what it computed.
  BuildResult build(const SearchTask &task, std::shared_ptr<const TaskSource> source);

private:
  BuilderPool &pool;
  uint64_t seed;
  llvm::StringMap<std::shared_ptr<const CheckData>> data; ///< by key
};

} // namespace cameo::autotune

#endif
