// Whether a schedule computes what the naive path computes.
#ifndef CAMEO_AUTOTUNE_MEASURE_CHECKCANDIDATE_H
#define CAMEO_AUTOTUNE_MEASURE_CHECKCANDIDATE_H

#include "autotune/Measure/BuilderPool.h"
#include "autotune/Measure/RunCandidate.h"
#include "autotune/Records/TuningRecord.h"

#include "llvm/ADT/StringMap.h"

#include <mutex>
#include <variant>

namespace cameo::autotune {

class CandidateChecker {
public:
  CandidateChecker(BuilderPool &pool, CandidateRunner &runner, const MeasurementPolicy &policy)
      : pool(pool), runner(runner), policy(policy) {}

  /// The data that results of the task are compared on; made once. May be called beside check().
  std::shared_ptr<const CheckData> dataOf(const SearchTask &task);

  /// Builds and runs the naive path if that was not done yet. check() does, too, but may not where no one may build.
  void makeReference(const SearchTask &task, std::shared_ptr<const TaskSource> source) { referenceOf(task, std::move(source)); }

  /// Runs `image`, which was built with dataOf(task), and compares. The naive path is built and run once per task.
  std::variant<Proof, MeasureError> check(const SearchTask &task, std::shared_ptr<const TaskSource> source,
                                          const CandidateImage &image);

private:
  struct Reference {
    std::shared_ptr<const CheckData> data;
    MeasureError error;
    std::vector<Tensor> outputs; ///< empty before the naive path has run
    bool isKnown = false;
  };
  Reference &entryOf(const SearchTask &task);
  const Reference &referenceOf(const SearchTask &task, std::shared_ptr<const TaskSource> source);

  BuilderPool &pool;
  CandidateRunner &runner;
  MeasurementPolicy policy;
  std::mutex adding; ///< guards the map, whose values stay where they are
  llvm::StringMap<Reference> references; ///< by key
};

} // namespace cameo::autotune

#endif
