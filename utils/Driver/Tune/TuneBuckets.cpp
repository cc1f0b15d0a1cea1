#include "utils/Driver/Tune/TuneBuckets.h"

#include "autotune/Measure/OpenTask.h"

#include "llvm/Support/MathExtras.h"

using namespace cameo;
using namespace cameo::autotune;

static double countRuns(const SearchTask &task) {
  double count = 0;
  for (const RunSizes &run : task.runs)
    count += run.times;
  return count;
}

void cameo::keepBucket(const SizeBucket &bucket, std::vector<SessionTask> &tasks) {
  llvm::erase_if(tasks, [&](const SessionTask &each) {
    return llvm::none_of(sizeNamesOf(each.task.def), [&](mlir::StringAttr name) { return name == bucket.range.name; });
  });
  for (SessionTask &each : tasks) {
    double before = countRuns(each.task);
    each.task.runs = runsOfTask(each.task.def, bucket.dims);
    each.task.runFlops = flopsOf(each.task);
    each.weight *= before / countRuns(each.task);
  }
}

llvm::StringMap<std::string> cameo::bestSchedules(llvm::ArrayRef<SessionTask> tasks,
                                                  llvm::ArrayRef<TuningRecord> records, const RecordTarget &target) {
  BestRecords bests(records);
  llvm::StringMap<std::string> schedules;
  for (const SessionTask &each : tasks)
    if (const TuningRecord *best = bests.find(each.task.key, target).record)
      schedules[each.task.key] = best->schedule;
  return schedules;
}

llvm::Error cameo::checkBuckets(const TuneOptions &options, int64_t count) {
  if (count > 1 && options.sizes.empty())
    return llvm::createStringError("--buckets: expected --tune-dim NAME=SIZE,..., whose sizes they divide");
  if (count > 1 && !options.bundles.empty())
    return llvm::createStringError("--buckets: expected another --measure than bundle, got 'bundle:" + options.bundles +
                                   "'");
  if (count > 1 && !options.compile.gpu.empty())
    return llvm::createStringError("--buckets: expected no --gpu: models for GPUs have one schedule for all sizes");
  return llvm::Error::success();
}

SessionOptions cameo::takeBucketBudget(TuneOptions &options, int64_t count) {
  SessionOptions &whole = options.session, part = whole;
  size_t parts = divideSizes(options.sizes, count).size();
  if (parts == 0)
    return part;
  // Rounded up, because 0 trials would mean no limit.
  part.trials = static_cast<unsigned>(llvm::divideCeil(whole.trials, 2 * parts));
  part.seconds = whole.seconds / 2 / static_cast<double>(parts);
  whole.trials = static_cast<unsigned>(llvm::divideCeil(whole.trials, 2));
  whole.seconds /= 2;
  return part;
}

llvm::LogicalResult cameo::tuneBuckets(const TuneOptions &options, int64_t count,
                                       llvm::function_ref<void(const SizeBucket &)> begin,
                                       const TuningSession::Observer &observer,
                                       const std::function<bool()> &isInterrupted) {
  for (SizeBucket &bucket : divideSizes(options.sizes, count)) {
    if (isInterrupted())
      break;
    begin(bucket);
    TuneOptions own = options;
    own.bucket = std::move(bucket);
    if (llvm::failed(tuneModel(own, observer, isInterrupted)))
      return llvm::failure();
  }
  return llvm::success();
}
