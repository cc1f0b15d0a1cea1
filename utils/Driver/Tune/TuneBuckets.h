// Tunes schedules for ranges of sizes, in addition to those for all sizes.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNEBUCKETS_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNEBUCKETS_H

#include "autotune/Records/BestRecord.h"
#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// Keeps those of `tasks` whose sizes depend on the dimension of the bucket, to be measured in the runs of the bucket.
void keepBucket(const SizeBucket &bucket, std::vector<autotune::SessionTask> &tasks);

/// Returns the schedules, by task key, that compiling for `target` would choose from `records` for all sizes. Tasks
/// without a record are left out.
llvm::StringMap<std::string> bestSchedules(llvm::ArrayRef<autotune::SessionTask> tasks,
                                           llvm::ArrayRef<autotune::TuningRecord> records,
                                           const autotune::RecordTarget &target);

/// Fails if `options` have no sizes to divide into `count` buckets, or a way of measuring that does not support
/// buckets.
llvm::Error checkBuckets(const TuneOptions &options, int64_t count);

/// Removes half of the trials and seconds from `options` for up to `count` buckets, and returns the share of each
/// bucket.
autotune::SessionOptions takeBucketBudget(TuneOptions &options, int64_t count);

/// Searches schedules for up to `count` buckets of `options.sizes`, after tuneModel. Each is measured alternating with
/// the best schedule for all sizes, so that records show which is faster in a range of sizes. `begin` is called with
/// each bucket before its search. Fails after a reported error.
llvm::LogicalResult tuneBuckets(const TuneOptions &options, int64_t count,
                                llvm::function_ref<void(const SizeBucket &)> begin,
                                const autotune::TuningSession::Observer &observer,
                                const std::function<bool()> &isInterrupted);

} // namespace cameo

#endif
