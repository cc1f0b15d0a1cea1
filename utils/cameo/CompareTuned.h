// What tuning is worth to the whole model.
#ifndef CAMEO_UTILS_CAMEO_COMPARETUNED_H
#define CAMEO_UTILS_CAMEO_COMPARETUNED_H

#include "utils/Driver/CompileOptions.h"
#include "utils/cameo/BenchSide.h"

namespace cameo {

struct TunedComparison {
  SideTimes untuned, tuned; ///< of whole models
  unsigned compared = 0;    ///< tasks whose schedule is another one than the default
  unsigned refused = 0;     ///< of these: no faster than the default inside the model
};

/// Compiles the model with the file of records and without, runs both in turns on random inputs, and times their tasks: what these took is appended to
/// the records and overrules what the tasks took alone. Then compares whole models, with what is left. Pins this thread to CPUs.
llvm::Expected<TunedComparison> compareTuned(const CompileOptions &options, llvm::StringRef records);

} // namespace cameo

#endif
