// Borders between tasks with which the whole model is faster than with those of the rules.
#ifndef CAMEO_UTILS_CAMEO_TUNE_TUNEBORDERS_H
#define CAMEO_UTILS_CAMEO_TUNE_TUNEBORDERS_H

#include "utils/Driver/Tune/TuneModel.h"

#include <functional>

namespace cameo {

/// From now on tasks of the model are those that it has with the borders of its records, if there are any.
void takeBorders(TuneOptions &options);

/// Splits fused tasks of the model and merges neighbours, one border at a time, a split and a merge in turn: of splits
/// those with most work first, of merges those that pass on most bytes. The whole model runs in turns with and without;
/// both have default schedules, and a merge after which no more loops run together than before is not measured. What
/// makes the model clearly faster, and does so when it is measured again, stays: see takeBorders(). Each measurement is
/// appended to the records; what these hold of this model and target is not measured again. At most `trials` borders
/// are tried. What that takes is a part of the session's time; what was found is one line on standard output, as
/// `progress` ("table", "json" or "none") says. Pins this thread to CPUs.
llvm::Error tuneBorders(TuneOptions &options, unsigned trials, llvm::StringRef progress,
                        std::function<bool()> isInterrupted);

} // namespace cameo

#endif
