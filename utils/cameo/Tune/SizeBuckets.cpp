#include "utils/cameo/Tune/SizeBuckets.h"

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

void cameo::declareTunedSizes(CommandLine &line, std::vector<TunedDim> &sizes, int64_t &buckets) {
  line.repeated("--tune-dim", "NAME=SIZE[*TIMES],...",
                "Sizes of the symbolic dimension NAME at which its tasks are measured, and how often each size counts, "
                "such as seq=16,128*3,512. Each task gets one schedule, the fastest for all these runs together. For "
                "several dimensions all combinations are measured. May be given several times. Default: none; tasks "
                "with dynamic sizes keep their default schedules.",
                [&sizes](StringRef text) { return parseTunedDim(text, sizes); });
  line.integer("--buckets", "N",
               "With --tune-dim: largest number of schedules per task, each for a range of sizes of the dimension "
               "whose sizes differ most. Half of --trials or --tune-time is used for searches in each range. A "
               "schedule that is clearly faster in its range than the one for all sizes is used for runs in this "
               "range; all schedules are in one object. Not with --measure=bundle or --gpu. Default: 1, no ranges.",
               buckets, 1, 8);
}

int cameo::showBuckets(TuneOptions options, int64_t count, const SessionOptions &budget, TuneProgress &display,
                       const std::function<bool()> &isInterrupted) {
  options.session = budget;
  llvm::LogicalResult tuned = tuneBuckets(
      options, count, [&](const SizeBucket &bucket) { display.begin(bucket.range); },
      [&](const SessionState &state) { display.show(state); }, isInterrupted);
  return llvm::succeeded(tuned) ? 0 : 1;
}
