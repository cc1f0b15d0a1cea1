// Schedules for ranges of sizes, beside those for all.
#ifndef CAMEO_UTILS_DRIVER_TUNE_TUNEBUCKETS_H
#define CAMEO_UTILS_DRIVER_TUNE_TUNEBUCKETS_H

#include "autotune/Records/BestRecord.h"
#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// Leaves of `tasks` those with sizes of the dimension that the bucket is of, to be measured in its runs.
void keepBucket(const SizeBucket &bucket, std::vector<autotune::SessionTask> &tasks);

/// The schedules that compiling for `target` would take from `records` for all sizes, by key; tasks without one have
/// none.
llvm::StringMap<std::string> bestSchedules(llvm::ArrayRef<autotune::SessionTask> tasks,
                                           llvm::ArrayRef<autotune::TuningRecord> records,
                                           const autotune::RecordTarget &target);

/// An error where `options` have nothing to divide into `count` buckets, or measure in a way that buckets cannot.
llvm::Error checkBuckets(const TuneOptions &options, int64_t count);

/// Takes half of the trials and seconds of `options` for up to `count` buckets, and returns the part of each.
autotune::SessionOptions takeBucketBudget(TuneOptions &options, int64_t count);

/// Searches schedules for up to `count` buckets of `options.sizes`, after tuneModel: each in turns with the best for
/// all sizes, so that records say of a range of sizes what is faster there. `begin` is told of each bucket before its
/// search. Fails after a reported error.
llvm::LogicalResult tuneBuckets(const TuneOptions &options, int64_t count,
                                llvm::function_ref<void(const SizeBucket &)> begin,
                                const autotune::TuningSession::Observer &observer,
                                const std::function<bool()> &isInterrupted);

} // namespace cameo

#endif
