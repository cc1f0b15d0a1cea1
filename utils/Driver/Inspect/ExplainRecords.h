// Explains the records of tasks with the help of their models, for reports.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_EXPLAINRECORDS_H
#define CAMEO_UTILS_DRIVER_INSPECT_EXPLAINRECORDS_H

#include "autotune/Records/TuningRecord.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/LogicalResult.h"

#include <map>

namespace cameo {

struct TaskInsight {
  double bytes = 0;               ///< bytes read and written by one call
  std::vector<std::string> loops; ///< loops of the best schedule, indented by depth; empty if no record can be used
  /// For each measured candidate: its score by the cost model minus the lowest score, and its speed relative to the
  /// fastest one.
  std::vector<std::pair<double, double>> predictions;
};

/// Returns the insights by task key. `models` are the models of the records, which are compiled with the other options
/// of `compile`; `costModel` is as for loadCostModel. Fails after a reported error.
llvm::FailureOr<std::map<std::string, TaskInsight>> explainRecords(const CompileOptions &compile,
                                                                   llvm::ArrayRef<std::string> models,
                                                                   llvm::StringRef costModel,
                                                                   llvm::ArrayRef<autotune::TuningRecord> records);

} // namespace cameo

#endif
