// Trains cost models from records, and loads them for searches.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TRAINCOSTMODEL_H
#define CAMEO_UTILS_DRIVER_TUNE_TRAINCOSTMODEL_H

#include "autotune/CostModel/CostModel.h"
#include "autotune/Records/TuningRecord.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileOptions.h"

#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

namespace cameo {

struct TrainOptions {
  CompileOptions compile; ///< target, sizes, threads
  std::vector<std::string>
      models;         ///< models with the tasks of the records: records hold keys, and features are computed from tasks
  std::string output; ///< file of the cost model
  uint64_t seed = 0;
  std::string start = "none"; ///< cost model of similar machines to start from, as for loadCostModel
};

/// Trains a cost model from the records of brief measurements on the target of `options`, and reports on `log` for each
/// task how well it orders held-out candidates. Fails after a reported error and then writes no file.
llvm::LogicalResult trainCostModel(const TrainOptions &options, llvm::ArrayRef<autotune::TuningRecord> records,
                                   llvm::raw_ostream &log);

/// Loads `model` from `from`: "shipped", the embedded trees for the target's architecture, if there are any; "none"; or
/// a file. Fails after a reported error.
llvm::LogicalResult loadCostModel(llvm::StringRef from, const TargetInfo &target, autotune::CostModel &model);

} // namespace cameo

#endif
