// Cost models of files: trained from records, and where searches get theirs.
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
      models;         ///< whose tasks the records are of: records hold keys, and features are taken from tasks
  std::string output; ///< the model's file
  uint64_t seed = 0;
  std::string start = "none"; ///< the model that it begins with, as loadCostModel names it: of machines like these
};

/// Trains a model from the records of quick compilations on the target of `options`, and says on `log` per task how
/// well it orders candidates that it has not seen. Fails after a reported error; then there is no file.
llvm::LogicalResult trainCostModel(const TrainOptions &options, llvm::ArrayRef<autotune::TuningRecord> records,
                                   llvm::raw_ostream &log);

/// Gives `model` what `from` names: "shipped", the trees that this program holds for the target's architecture, if it
/// has any; "none"; or a file. Fails after a reported error.
llvm::LogicalResult loadCostModel(llvm::StringRef from, const TargetInfo &target, autotune::CostModel &model);

} // namespace cameo

#endif
