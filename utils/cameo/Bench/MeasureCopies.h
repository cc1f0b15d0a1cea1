// Measures two compiled models and their tasks in turns, with several copies of each.
#ifndef CAMEO_UTILS_CAMEO_BENCH_MEASURECOPIES_H
#define CAMEO_UTILS_CAMEO_BENCH_MEASURECOPIES_H

#include "utils/Driver/Run/ModelRunner.h"

namespace cameo {

/// Costs of a model in seconds, one per turn.
struct ModelCosts {
  llvm::StringMap<std::vector<double>> tasks; ///< of one call, by task key
  std::vector<double> whole;
};

struct BothCosts {
  ModelCosts untuned, tuned;
};

/// Durations for one copy of a model, in seconds.
struct CopyTimes {
  double openSeconds = 0; ///< to copy and open it, and for its first run
  double runSeconds = 0;  ///< median of a few runs
};

llvm::Expected<CopyTimes> timeCopy(llvm::StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs);

/// Returns the number of copies of two models that can be measured in `seconds`, limited to a useful range.
unsigned copiesWithin(double seconds, const CopyTimes &times);

/// Returns the expected duration of measureInCopies() for two models with these times.
double secondsOfTurns(unsigned copies, const CopyTimes &times);

/// Runs `copies` copies of two libraries in turns on `inputs`. `runSeconds` is the approximate time of one run.
llvm::Expected<BothCosts> measureInCopies(llvm::StringRef untunedPath, llvm::StringRef tunedPath, unsigned copies,
                                          const RunOptions &options, llvm::ArrayRef<Tensor> inputs, double runSeconds);

} // namespace cameo

#endif
