// What a model knows about records of its tasks, for reports.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_EXPLAINRECORDS_H
#define CAMEO_UTILS_DRIVER_INSPECT_EXPLAINRECORDS_H

#include "autotune/Records/TuningRecord.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"

#include <map>

namespace cameo {

struct TaskInsight {
  double bytes = 0;               ///< read and written by one call
  std::vector<std::string> loops; ///< of the best schedule, indented by depth; empty: no record may be used
  /// Of each measured candidate: the score that the cost model gives it, above the lowest one, and its speed as a part
  /// of that of the fastest one.
  std::vector<std::pair<double, double>> predictions;
};

/// By key. `models` are those of the records, compiled with the other options of `compile`; `costModel` as for
/// loadCostModel. Fails after a reported error.
llvm::FailureOr<std::map<std::string, TaskInsight>> explainRecords(const CompileOptions &compile,
                                                                   llvm::ArrayRef<std::string> models,
                                                                   llvm::StringRef costModel,
                                                                   llvm::ArrayRef<autotune::TuningRecord> records);

} // namespace cameo

#endif
