#include "utils/cameo/CompareTuned.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/CompileModel.h"
#include "utils/cameo/Command.h"

#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <ctime>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

/// Turns of the two models, a cost of each task per turn: enough for an interval that excludes chance.
constexpr unsigned turns = 15;
constexpr double turnSeconds = 0.01;
constexpr int runs = 30;

/// A compiled model, ready to run and to be profiled.
struct Side {
  std::unique_ptr<ModelLibrary> library;
  std::unique_ptr<ModelRunner> runner;
};

} // namespace

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
  llvm::Expected<TunedComparison> run();

private:
  llvm::Error compile(StringRef path, StringRef recordFile) const;
  llvm::Error compileUntuned();
  llvm::Expected<Side> open(StringRef path) const;
  llvm::Error profile();
  llvm::Error judge();
  llvm::Error measureModels();

  CompileOptions options;
  std::string records;
  int untunedFile = -1;
  std::string untunedPath; ///< of that file
  llvm::SmallString<128> tunedPath;
  llvm::FileRemover removeTuned;
  std::vector<Tensor> inputs;
  double compileSeconds = 0, runSeconds = 0; ///< of the model without records
  llvm::StringMap<std::vector<double>> untunedCosts, tunedCosts; ///< seconds of one call per turn, by task key
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

llvm::Expected<Side> ModelComparison::Models::open(StringRef path) const {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(path);
  if (!library)
    return library.takeError();
  llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(**library, {options.threads, "", options.sizes});
  if (!runner)
    return runner.takeError();
  if (llvm::Error error = (*runner)->bindInputs(inputs))
    return std::move(error);
  return Side{std::move(*library), std::move(*runner)};
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
  llvm::Expected<Side> untuned = open(untunedPath);
  if (!untuned)
    return untuned.takeError();
  begin = cameo_now();
  if (llvm::Error error = untuned->runner->run())
    return error;
  runSeconds = static_cast<double>(cameo_now() - begin) * 1e-9;
  return llvm::Error::success();
}

/// The model with records is compiled once, and again where some of them are refused.
double ModelComparison::Models::expectedSeconds() const {
  constexpr double margin = 1.25;
  double profiled = 2 * (turns + 2) * std::max(turnSeconds, runSeconds), compared = 2 * (runs + 2) * runSeconds;
  return margin * (2 * compileSeconds + profiled + compared);
}

/// One turn of a side, which adds a cost for each of its tasks.
static llvm::Error takeTurn(Side &side, unsigned count, llvm::StringMap<std::vector<double>> &costs) {
  llvm::ArrayRef<cameo_task_profile> times = side.runner->startProfile();
  for (unsigned run = 0; run < count; ++run)
    if (llvm::Error error = side.runner->run())
      return error;
  side.runner->stopProfile();
  for (auto [task, time] : llvm::zip_equal(side.library->tasks(), times))
    if (time.count > 0)
      costs[task.key].push_back(static_cast<double>(time.nanoseconds) * 1e-9 / static_cast<double>(time.count));
  return llvm::Error::success();
}

llvm::Error ModelComparison::Models::profile() {
  llvm::Expected<Side> untuned = open(untunedPath);
  if (!untuned)
    return untuned.takeError();
  llvm::Expected<Side> tuned = open(tunedPath);
  if (!tuned)
    return tuned.takeError();
  for (Side *side : {&*untuned, &*tuned})
    if (llvm::Error error = side->runner->run())
      return error;
  uint64_t begin = cameo_now();
  if (llvm::Error error = untuned->runner->run())
    return error;
  double seconds = std::max(1e-6, static_cast<double>(cameo_now() - begin) * 1e-9);
  auto count = static_cast<unsigned>(std::clamp(turnSeconds / seconds, 1.0, 1000.0));
  for (unsigned turn = 0; turn < turns; ++turn) {
    if (llvm::Error error = takeTurn(*untuned, count, untunedCosts))
      return error;
    if (llvm::Error error = takeTurn(*tuned, count, tunedCosts))
      return error;
  }
  return llvm::Error::success();
}

/// Appends a record of each task that has another schedule than the default: what it took in the model.
llvm::Error ModelComparison::Models::judge() {
  llvm::Expected<TargetInfo> target = resolveTarget(options.target, options.cpu);
  if (!target)
    return target.takeError();
  llvm::Expected<RecordFile> file = readRecords(records);
  if (!file)
    return file.takeError();
  llvm::Expected<std::unique_ptr<RecordWriter>> writer = RecordWriter::open(records);
  if (!writer)
    return writer.takeError();
  BestRecords bests(file->records);
  RecordTarget wanted{target->triple, target->cpu, vectorExtensions(*target), static_cast<unsigned>(options.threads)};
  for (const auto &entry : tunedCosts) {
    const TuningRecord *best = bests.find(entry.first(), wanted).record;
    if (!best || best->defaultCosts.empty() || untunedCosts.lookup(entry.first()).size() != entry.second.size())
      continue;
    TuningRecord record = *best;
    record.isInModel = true;
    record.costs = entry.second;
    record.defaultCosts = untunedCosts.lookup(entry.first());
    record.time = llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
    ++result.compared;
    result.refused += !isAtLeastDefault(record);
    if (llvm::Error error = (*writer)->append(record))
      return error;
  }
  return (*writer)->flush();
}

llvm::Error ModelComparison::Models::measureModels() {
  llvm::SmallVector<std::unique_ptr<BenchSide>, 2> sides;
  for (StringRef path : {StringRef(untunedPath), StringRef(tunedPath)}) {
    llvm::Expected<std::unique_ptr<BenchSide>> side = createOurSide(path, {options.threads, "", options.sizes}, inputs);
    if (!side)
      return side.takeError();
    sides.push_back(std::move(*side));
  }
  llvm::Expected<std::vector<SideTimes>> times = measureInTurns({sides[0].get(), sides[1].get()}, runs);
  if (!times)
    return times.takeError();
  result.untuned = (*times)[0];
  result.tuned = (*times)[1];
  return llvm::Error::success();
}

llvm::Expected<TunedComparison> ModelComparison::Models::run() {
  if (llvm::Error error = makeTemporary(tunedPath, removeTuned))
    return std::move(error);
  if (llvm::Error error = compile(tunedPath, records))
    return std::move(error);
  (void)pinToCpus(options.threads); // fewer CPUs than threads: both models have to share them
  if (llvm::Error error = profile())
    return std::move(error);
  if (llvm::Error error = judge())
    return std::move(error);
  if (result.refused > 0)
    if (llvm::Error error = compile(tunedPath, records))
      return std::move(error);
  if (llvm::Error error = measureModels())
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

llvm::Expected<TunedComparison> ModelComparison::run() { return models->run(); }
