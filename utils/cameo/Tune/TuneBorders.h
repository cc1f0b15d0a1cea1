// Moves the boundaries of tasks if the whole model is faster with them than with those of the partition rules.
#ifndef CAMEO_UTILS_CAMEO_TUNE_TUNEBORDERS_H
#define CAMEO_UTILS_CAMEO_TUNE_TUNEBORDERS_H

#include "utils/Driver/Tune/TuneModel.h"

#include <functional>

namespace cameo {

/// Makes tuning use the tasks that the model has with the boundaries of its records, if there are any.
void takeBorders(TuneOptions &options);

/// Splits fused tasks and merges neighbours, one boundary at a time, alternating between splits and merges. Splits of
/// the tasks with the most work and merges that pass on the most bytes come first. The whole model is measured in turns
/// with and without the new boundary, both with default schedules. A merge that does not make more loops run together
/// is not measured. A boundary is kept if the model is clearly faster with it in two measurements: see takeBorders().
/// Each measurement is appended to the records, and known measurements of this model and target are not repeated. At
/// most `trials` boundaries are tried. The time counts towards the session's time limit. Prints one line about the
/// result to standard output in the form `progress` ("table", "json" or "none"). Pins this thread to CPUs.
llvm::Error tuneBorders(TuneOptions &options, unsigned trials, llvm::StringRef progress,
                        std::function<bool()> isInterrupted);

} // namespace cameo

#endif
