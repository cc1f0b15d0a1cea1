// Options and output of 'cameo tune' for schedules that are used for ranges of sizes.
#ifndef CAMEO_UTILS_CAMEO_TUNE_SIZEBUCKETS_H
#define CAMEO_UTILS_CAMEO_TUNE_SIZEBUCKETS_H

#include "utils/Driver/Tune/TuneBuckets.h"
#include "utils/cameo/CommandLine/CommandLine.h"
#include "utils/cameo/Tune/TuneProgress.h"

namespace cameo {

/// Adds --tune-dim and --buckets. `sizes` and `buckets` must outlive `line`.
void declareTunedSizes(CommandLine &line, std::vector<TunedDim> &sizes, int64_t &buckets);

/// Tunes up to `count` buckets, each within `budget`, and shows their progress. Runs after the comparison of the whole
/// model, because schedules for ranges must be faster than the schedules for all sizes that are still used. Returns the
/// exit status.
int showBuckets(TuneOptions options, int64_t count, const autotune::SessionOptions &budget, TuneProgress &display,
                const std::function<bool()> &isInterrupted);

} // namespace cameo

#endif
