// Splits of fused tasks that make the whole model faster.
#ifndef CAMEO_UTILS_CAMEO_TUNESPLITS_H
#define CAMEO_UTILS_CAMEO_TUNESPLITS_H

#include "utils/Driver/Tune/TuneModel.h"

#include <functional>

namespace cameo {

/// From now on tasks of the model are those that it has with the splits of its records, if there are any.
void takeSplits(TuneOptions &options);

/// Splits fused tasks of the model, one at a time, those with most work first, and runs the whole model in turns with
/// and without the split; both have default schedules. A split that makes the model clearly faster, and does so when it
/// is measured again, stays: see takeSplits(). Each measurement is appended to the records; what these hold of this
/// model and target is not measured again. At most `trials` splits are tried. What that takes is a part of the
/// session's time; what was found is one line on standard output, as `progress` ("table", "json" or "none") says. Pins
/// this thread to CPUs.
llvm::Error tuneSplits(TuneOptions &options, unsigned trials, llvm::StringRef progress,
                       std::function<bool()> isInterrupted);

} // namespace cameo

#endif
