#include "utils/cameo/Tune/SizeBuckets.h"

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

void cameo::declareTunedSizes(CommandLine &line, std::vector<TunedDim> &sizes, int64_t &buckets) {
  line.repeated("--tune-dim", "NAME=SIZE[*TIMES],...",
                "Sizes of the symbolic dimension NAME, which each run chooses, at which its tasks are measured, and "
                "how often each counts, such as seq=16,128*3,512. They get one schedule, "
                "the fastest for all these runs together; of several dimensions each combination is one. May be given "
                "several times. Default: none, and such tasks keep their default schedules.",
                [&sizes](StringRef text) { return parseTunedDim(text, sizes); });
  line.integer("--buckets", "N",
               "With --tune-dim: schedules that a task may have, each for a range of sizes. Those of the dimension "
               "whose sizes are furthest apart are divided into up to N "
               "ranges, and half of --trials or --tune-time is for searches in each of them. A schedule that is "
               "clearly faster there than the one for all sizes is used in runs of the range; all are in one object. "
               "Not with --measure=bundle. Default: 1, no ranges.",
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
