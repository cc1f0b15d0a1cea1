// Two compiled models in turns, each in several copies: what they and their tasks take.
#ifndef CAMEO_UTILS_CAMEO_BENCH_MEASURECOPIES_H
#define CAMEO_UTILS_CAMEO_BENCH_MEASURECOPIES_H

#include "utils/Driver/Run/ModelRunner.h"

namespace cameo {

/// Seconds of a model, one of each per turn.
struct ModelCosts {
  llvm::StringMap<std::vector<double>> tasks; ///< of one call, by key
  std::vector<double> whole;
};

struct BothCosts {
  ModelCosts untuned, tuned;
};

/// Seconds of one model.
struct CopyTimes {
  double openSeconds = 0; ///< to copy it, to open it and to run it for the first time
  double runSeconds = 0;  ///< median of a few runs
};

llvm::Expected<CopyTimes> timeCopy(llvm::StringRef path, const RunOptions &options, llvm::ArrayRef<Tensor> inputs);

/// So many copies of two models that take so much can be measured in `seconds`, within what makes sense.
unsigned copiesWithin(double seconds, const CopyTimes &times);

/// What measureInCopies() of two models that take so much will take.
double secondsOfTurns(unsigned copies, const CopyTimes &times);

/// Runs `copies` of two libraries in turns on `inputs`; `runSeconds` are about those of one run.
llvm::Expected<BothCosts> measureInCopies(llvm::StringRef untunedPath, llvm::StringRef tunedPath, unsigned copies,
                                          const RunOptions &options, llvm::ArrayRef<Tensor> inputs, double runSeconds);

} // namespace cameo

#endif
