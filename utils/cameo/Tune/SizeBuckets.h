// Schedules for ranges of sizes: what 'cameo tune' is told of them, and shows.
#ifndef CAMEO_UTILS_CAMEO_TUNE_SIZEBUCKETS_H
#define CAMEO_UTILS_CAMEO_TUNE_SIZEBUCKETS_H

#include "utils/Driver/Tune/TuneBuckets.h"
#include "utils/cameo/CommandLine/CommandLine.h"
#include "utils/cameo/Tune/TuneProgress.h"

namespace cameo {

/// --tune-dim and --buckets; both must outlive `line`.
void declareTunedSizes(CommandLine &line, std::vector<TunedDim> &sizes, int64_t &buckets);

/// Tunes up to `count` buckets, each within `budget`, and shows how far each is. Behind the comparison of the whole
/// model, which is about the schedules for all sizes: those of ranges have to be faster than what it left. The exit
/// status.
int showBuckets(TuneOptions options, int64_t count, const autotune::SessionOptions &budget, TuneProgress &display,
                const std::function<bool()> &isInterrupted);

} // namespace cameo

#endif
