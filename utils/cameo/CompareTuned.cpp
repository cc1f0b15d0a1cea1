#include "utils/cameo/CompareTuned.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileModel.h"
#include "utils/cameo/BenchSide.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/MeasureCopies.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <ctime>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

class ModelComparison::Models {
public:
  Models(const CompileOptions &options, StringRef records)
      : options(options), records(records), removeTuned(tunedPath) {}
  ~Models() {
    if (untunedFile >= 0)
      llvm::sys::Process::SafelyCloseFileDescriptor(untunedFile);
  }
  Models(const Models &) = delete;
  Models &operator=(const Models &) = delete;

  llvm::Error prepare();
  double expectedSeconds() const;
  double untunedSeconds() const { return untuned.runSeconds; }
  llvm::Expected<TunedComparison> run();

private:
  llvm::Error compile(StringRef path, StringRef recordFile) const;
  llvm::Error compileUntuned();
  RunOptions runOptions() const { return {options.threads, "", options.sizes}; }
  llvm::Expected<BothCosts> measure() const;
  llvm::Error judgeTasks(const BothCosts &costs);
  llvm::Error judgeModel(const BothCosts &costs);

  CompileOptions options;
  std::string records;
  int untunedFile = -1;
  std::string untunedPath; ///< of that file
  llvm::SmallString<128> tunedPath;
  llvm::FileRemover removeTuned;
  std::vector<Tensor> inputs;
  double compileSeconds = 0; ///< of the model without records
  CopyTimes untuned;         ///< of the same
  std::unique_ptr<RecordWriter> writer;
  std::vector<TuningRecord> kept; ///< of the tasks that are faster inside the model
  TunedComparison result;
};

static llvm::Error makeTemporary(llvm::SmallString<128> &path, llvm::FileRemover &remover) {
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("cameo-tune", "so", path))
    return llvm::createStringError(error, "cannot make a temporary file: " + error.message());
  remover.setFile(path);
  return llvm::Error::success();
}

llvm::Error ModelComparison::Models::compile(StringRef path, StringRef recordFile) const {
  CompileOptions library = options;
  library.emit = EmitKind::Lib;
  library.output = path.str();
  library.records.file = recordFile.str();
  // Which tasks have no result tuning itself has said.
  library.records.policy = RecordsPolicy::Silent;
  if (llvm::failed(compileModel(library)))
    return llvm::make_error<AlreadyReported>();
  return llvm::Error::success();
}

/// A library that has no name any more: tuning takes long and may be killed, which leaves nothing behind then.
llvm::Error ModelComparison::Models::compileUntuned() {
  llvm::SmallString<128> path;
  llvm::FileRemover remove;
  if (llvm::Error error = makeTemporary(path, remove))
    return error;
  if (llvm::Error error = compile(path, ""))
    return error;
  if (std::error_code error = llvm::sys::fs::openFileForRead(path, untunedFile))
    return llvm::createStringError(error, path + ": " + error.message());
  untunedPath = llvm::formatv("/proc/self/fd/{0}", untunedFile).str();
  return llvm::Error::success();
}

llvm::Error ModelComparison::Models::prepare() {
  uint64_t begin = cameo_now();
  if (llvm::Error error = compileUntuned())
    return error;
  compileSeconds = static_cast<double>(cameo_now() - begin) * 1e-9;
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(untunedPath);
  if (!library)
    return library.takeError();
  llvm::Expected<std::vector<Tensor>> made = makeInputs(**library, InputSource(), options.sizes);
  if (!made)
    return made.takeError();
  inputs = std::move(*made);
  llvm::Expected<CopyTimes> times = timeCopy(untunedPath, runOptions(), inputs);
  if (!times)
    return times.takeError();
  untuned = *times;
  return llvm::Error::success();
}

/// The model with records is compiled once, and again where some of them are refused; both are measured after each.
double ModelComparison::Models::expectedSeconds() const {
  constexpr double margin = 1.25;
  return margin * 2 * (compileSeconds + secondsOfTurns(untuned));
}

llvm::Expected<BothCosts> ModelComparison::Models::measure() const {
  return measureInCopies(untunedPath, tunedPath, runOptions(), inputs, untuned.runSeconds);
}

static std::string timeNow() { return llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr))); }

/// Appends a record of each task that has another schedule than the default: what it took in the model.
llvm::Error ModelComparison::Models::judgeTasks(const BothCosts &costs) {
  llvm::Expected<TargetInfo> target = resolveTarget(options.target, options.cpu);
  if (!target)
    return target.takeError();
  llvm::Expected<RecordFile> file = readRecords(records);
  if (!file)
    return file.takeError();
  BestRecords bests(file->records);
  RecordTarget wanted{target->triple, target->cpu, vectorExtensions(*target), static_cast<unsigned>(options.threads)};
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

/// Where the whole model is no faster with what is left, records say so of each schedule, which is not used then.
llvm::Error ModelComparison::Models::judgeModel(const BothCosts &costs) {
  TuningRecord whole;
  whole.isRelease = true;
  whole.costs = costs.tuned.whole;
  whole.defaultCosts = costs.untuned.whole;
  result.untunedSeconds = costInterval(whole.defaultCosts).median;
  result.tunedSeconds = whole.cost();
  result.ratio = whole.relativeCost();
  if (kept.empty() || isAtLeastDefault(whole))
    return llvm::Error::success();
  result.isDropped = true;
  for (TuningRecord &record : kept) {
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

llvm::Expected<TunedComparison> ModelComparison::Models::run() {
  if (llvm::Error error = makeTemporary(tunedPath, removeTuned))
    return std::move(error);
  if (llvm::Error error = compile(tunedPath, records))
    return std::move(error);
  llvm::Expected<std::unique_ptr<RecordWriter>> opened = RecordWriter::open(records);
  if (!opened)
    return opened.takeError();
  writer = std::move(*opened);
  (void)pinToCpus(options.threads); // fewer CPUs than threads: both models have to share them
  llvm::Expected<BothCosts> costs = measure();
  if (!costs)
    return costs.takeError();
  if (llvm::Error error = judgeTasks(*costs))
    return std::move(error);
  // The tasks were chosen by these turns: what is left needs others.
  if (result.refused > 0) {
    if (llvm::Error error = compile(tunedPath, records))
      return std::move(error);
    costs = measure();
    if (!costs)
      return costs.takeError();
  }
  if (llvm::Error error = judgeModel(*costs))
    return std::move(error);
  return result;
}

llvm::Expected<std::unique_ptr<ModelComparison>> ModelComparison::create(const CompileOptions &options, StringRef records) {
  auto models = std::make_unique<Models>(options, records);
  if (llvm::Error error = models->prepare())
    return std::move(error);
  return std::unique_ptr<ModelComparison>(new ModelComparison(std::move(models)));
}

ModelComparison::ModelComparison(std::unique_ptr<Models> models) : models(std::move(models)) {}

ModelComparison::~ModelComparison() = default;

double ModelComparison::expectedSeconds() const { return models->expectedSeconds(); }

double ModelComparison::untunedSeconds() const { return models->untunedSeconds(); }

llvm::Expected<TunedComparison> ModelComparison::run() { return models->run(); }
