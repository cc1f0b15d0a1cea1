#include "utils/cameo/Tune/CompareTuned.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/Inspect/InspectModel.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Run/UnnamedFile.h"
#include "utils/cameo/Bench/BenchSide.h"
#include "utils/cameo/Bench/MeasureCopies.h"
#include "utils/cameo/CommandLine/Command.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <ctime>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

llvm::Expected<UnnamedFile> cameo::compileToCompare(CompileOptions options) {
  return UnnamedFile::create([&](StringRef path) -> llvm::Error {
    options.emit = EmitKind::Lib;
    options.output = path.str();
    llvm::Expected<UnnamedFile> weights =
        compileWithLargeWeights(options, [](const CompileOptions &each) -> llvm::Error {
          return llvm::succeeded(compileModel(each)) ? llvm::Error::success() : llvm::make_error<AlreadyReported>();
        });
    if (!weights)
      return weights.takeError();
    return weights->isEmpty()
               ? llvm::Error::success()
               : llvm::createStringError("its weights are too large for a library, which is copied to compare");
  });
}

class ModelComparison::Models {
public:
  Models(const CompileOptions &options, StringRef records, DimensionSizes sizes)
      : options(options), records(records), sizes(std::move(sizes)) {}

  llvm::Error prepare();
  double expectedSeconds(double tuningSeconds) const;
  double untunedSeconds() const { return untuned.runSeconds; }
  llvm::Expected<TunedComparison> run(double tuningSeconds);

private:
  RunOptions runOptions() const { return {options.threads, "", sizes}; }
  llvm::Expected<BothCosts> measure() const;
  llvm::Error judgeTasks(const BothCosts &costs);
  llvm::Error judgeModel(BothCosts costs);
  bool isFaster(const BothCosts &costs);
  llvm::Error leaveOut(size_t count, const BothCosts &costs);

  CompileOptions options;
  std::string records;
  DimensionSizes sizes; ///< sizes of the runs
  UnnamedFile untunedLibrary;
  std::vector<Tensor> inputs;
  double compileSeconds = 0; ///< time to compile the model without records
  CopyTimes untuned;         ///< times of the model without records
  unsigned copies = 0;       ///< number of copies to compare
  std::unique_ptr<RecordWriter> writer;
  std::vector<TuningRecord> kept; ///< records of the tasks that are faster inside the model, most certain first
  TunedComparison result;
};

llvm::Error ModelComparison::Models::prepare() {
  uint64_t begin = cameo_now();
  llvm::Expected<UnnamedFile> compiled = compileToCompare(options);
  if (!compiled)
    return compiled.takeError();
  untunedLibrary = std::move(*compiled);
  compileSeconds = static_cast<double>(cameo_now() - begin) * 1e-9;
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(untunedLibrary.path());
  if (!library)
    return library.takeError();
  llvm::Expected<std::vector<Tensor>> made = makeInputs(**library, InputSource(), sizes);
  if (!made)
    return made.takeError();
  inputs = std::move(*made);
  llvm::Expected<CopyTimes> times = timeCopy(untunedLibrary.path(), runOptions(), inputs);
  if (!times)
    return times.takeError();
  untuned = *times;
  return llvm::Error::success();
}

/// Returns the time limit of one comparison, which is a fraction of the tuning time.
static double secondsToCompare(double tuningSeconds) { return 0.02 * tuningSeconds; }

/// Expects two compilations and two measurements: with all records, and after some of them are refused. Further
/// comparisons are rare.
double ModelComparison::Models::expectedSeconds(double tuningSeconds) const {
  constexpr double margin = 1.25;
  return margin * 2 *
         (compileSeconds + secondsOfTurns(copiesWithin(secondsToCompare(tuningSeconds), untuned), untuned));
}

/// Compiles the model with the current records, and measures it in turns with the untuned one.
llvm::Expected<BothCosts> ModelComparison::Models::measure() const {
  CompileOptions tuned = options;
  tuned.records.file = records;
  // Tuning has reported the tasks without a result.
  tuned.records.policy = RecordsPolicy::Silent;
  tuned.records.withVariants = false; // schedules for ranges are judged for their own sizes
  llvm::Expected<UnnamedFile> tunedLibrary = compileToCompare(std::move(tuned));
  if (!tunedLibrary)
    return tunedLibrary.takeError();
  (void)pinToCpus(options.threads); // fewer CPUs than threads: both models have to share them
  return measureInCopies(untunedLibrary.path(), tunedLibrary->path(), copies, runOptions(), inputs, untuned.runSeconds);
}

static std::string timeNow() {
  return llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
}

/// Appends a record with the cost inside the model, for each task whose schedule differs from the default.
llvm::Error ModelComparison::Models::judgeTasks(const BothCosts &costs) {
  llvm::Expected<TargetInfo> target = resolveTarget(options.target, options.cpu);
  if (!target)
    return target.takeError();
  llvm::Expected<RecordFile> file = readRecords(records);
  if (!file)
    return file.takeError();
  // Compiling ignored records for other loops.
  std::optional<std::vector<TaskSummary>> tasks = listTasks(options);
  if (!tasks)
    return llvm::make_error<AlreadyReported>();
  llvm::StringMap<std::string> nests;
  for (const TaskSummary &task : *tasks)
    nests[task.key] = task.nests;
  takeForeign(file->records, nests);
  BestRecords bests(file->records);
  RecordTarget wanted = recordTarget(*target, static_cast<unsigned>(options.threads));
  for (const auto &entry : costs.tuned.tasks) {
    const TuningRecord *best = bests.find(entry.first(), wanted).record;
    std::vector<double> untuned = costs.untuned.tasks.lookup(entry.first());
    if (!best || best->defaultCosts.empty() || untuned.size() != entry.second.size())
      continue;
    TuningRecord record = *best;
    record.isInModel = true;
    record.costs = entry.second;
    record.defaultCosts = std::move(untuned);
    record.time = timeNow();
    if (llvm::Error error = writer->append(record))
      return error;
    ++result.compared;
    if (isAtLeastDefault(record))
      kept.push_back(std::move(record));
    else
      ++result.refused;
  }
  return writer->flush();
}

/// Returns the costs of the whole model as a record.
static TuningRecord wholeRecord(const BothCosts &costs) {
  TuningRecord whole;
  whole.isRelease = true;
  whole.costs = costs.tuned.whole;
  whole.defaultCosts = costs.untuned.whole;
  return whole;
}

/// Whether the whole model is clearly faster with the kept schedules. The result holds the costs with all of them, or
/// with the part that is faster.
bool ModelComparison::Models::isFaster(const BothCosts &costs) {
  TuningRecord whole = wholeRecord(costs);
  bool isFaster = isAtLeastDefault(whole);
  if (isFaster || result.leftOut == 0) {
    result.untunedSeconds = costInterval(whole.defaultCosts).median;
    result.tunedSeconds = whole.cost();
    result.ratio = whole.relativeCost();
    result.used.clear();
    for (const TuningRecord &record : kept)
      result.used.insert(record.task);
  }
  return isFaster;
}

/// Leaves out the last `count` kept schedules, by records that say that the model was no faster with them.
llvm::Error ModelComparison::Models::leaveOut(size_t count, const BothCosts &costs) {
  TuningRecord whole = wholeRecord(costs);
  for (; count > 0; --count, ++result.leftOut) {
    TuningRecord record = std::move(kept.back());
    kept.pop_back();
    record.isInModel = false;
    record.isOfModel = true;
    record.costs = whole.costs;
    record.defaultCosts = whole.defaultCosts;
    record.time = timeNow();
    if (llvm::Error error = writer->append(record))
      return error;
  }
  return writer->flush();
}

/// As long as the whole model is not faster with the kept schedules, keeps only the more certain half of them.
llvm::Error ModelComparison::Models::judgeModel(BothCosts costs) {
  if (kept.empty()) {
    result.untunedSeconds = result.tunedSeconds = costInterval(costs.untuned.whole).median;
    result.ratio = {1, 1, 1, 1};
  }
  llvm::sort(kept, [](const TuningRecord &a, const TuningRecord &b) {
    return std::pair(a.relativeCost().high, StringRef(a.task)) < std::pair(b.relativeCost().high, StringRef(b.task));
  });
  while (!kept.empty()) {
    // Schedules that were selected by the last measurement need a new one.
    if (result.refused + result.leftOut > 0) {
      llvm::Expected<BothCosts> again = measure();
      if (!again)
        return again.takeError();
      costs = std::move(*again);
    }
    if (isFaster(costs))
      return llvm::Error::success();
    if (llvm::Error error = leaveOut(llvm::divideCeil(kept.size(), 2), costs))
      return error;
  }
  result.isDropped = result.leftOut > 0;
  return llvm::Error::success();
}

llvm::Expected<TunedComparison> ModelComparison::Models::run(double tuningSeconds) {
  copies = copiesWithin(secondsToCompare(tuningSeconds), untuned);
  llvm::Expected<std::unique_ptr<RecordWriter>> opened = RecordWriter::open(records);
  if (!opened)
    return opened.takeError();
  writer = std::move(*opened);
  llvm::Expected<BothCosts> costs = measure();
  if (!costs)
    return costs.takeError();
  if (llvm::Error error = judgeTasks(*costs))
    return std::move(error);
  if (llvm::Error error = judgeModel(std::move(*costs)))
    return std::move(error);
  return result;
}

llvm::Expected<std::unique_ptr<ModelComparison>> ModelComparison::create(const CompileOptions &options,
                                                                         StringRef records, DimensionSizes sizes) {
  auto models = std::make_unique<Models>(options, records, std::move(sizes));
  if (llvm::Error error = models->prepare())
    return std::move(error);
  return std::unique_ptr<ModelComparison>(new ModelComparison(std::move(models)));
}

ModelComparison::ModelComparison(std::unique_ptr<Models> models) : models(std::move(models)) {}

ModelComparison::~ModelComparison() = default;

double ModelComparison::expectedSeconds(double tuningSeconds) const { return models->expectedSeconds(tuningSeconds); }

double ModelComparison::untunedSeconds() const { return models->untunedSeconds(); }

llvm::Expected<TunedComparison> ModelComparison::run(double tuningSeconds) { return models->run(tuningSeconds); }

void cameo::print(const TunedComparison &found, double estimatedSeconds) {
  llvm::outs() << llvm::format("Whole model: %.4g ms untuned, %.4g ms tuned", found.untunedSeconds * 1e3,
                               found.tunedSeconds * 1e3);
  if (estimatedSeconds > 0)
    llvm::outs() << llvm::format(" (estimated: %.4g ms)", estimatedSeconds * 1e3);
  llvm::outs()
      << llvm::format(", ratio %.3f [%.3f, %.3f]", found.ratio.median, found.ratio.low, found.ratio.high)
      << llvm::formatv(
             "; of {0} tasks with other schedules than the default, {1} are no faster inside the model and keep it",
             found.compared, found.refused);
  if (found.isDropped)
    llvm::outs() << "; with the others the model is not clearly faster: they keep it, too";
  else if (found.leftOut > 0)
    llvm::outs() << llvm::formatv("; with {0} of the others the model was not clearly faster: they keep it, too",
                                  found.leftOut);
  llvm::outs() << '\n';
}

llvm::json::Value cameo::toJson(const TunedComparison &found, double estimatedSeconds) {
  return llvm::json::Object{
      {"untuned_ms", found.untunedSeconds * 1e3},
      {"estimated_ms", estimatedSeconds > 0 ? llvm::json::Value(estimatedSeconds * 1e3) : llvm::json::Value(nullptr)},
      {"tuned_ms", found.tunedSeconds * 1e3},
      {"ratio", found.ratio.median},
      {"ratio_interval", llvm::json::Array{found.ratio.low, found.ratio.high}},
      {"tasks_with_other_schedules", static_cast<int64_t>(found.compared)},
      {"refused_in_model", static_cast<int64_t>(found.refused)},
      {"left_out", static_cast<int64_t>(found.leftOut)},
      {"dropped", found.isDropped}};
}
