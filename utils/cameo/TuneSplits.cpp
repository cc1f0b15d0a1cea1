#include "utils/cameo/TuneSplits.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Partition/TaskCuts.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/cameo/BenchSide.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/CompareTuned.h"
#include "utils/cameo/MeasureCopies.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <ctime>
#include <set>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

struct SplitOutcome {
  unsigned tried = 0;
  std::vector<std::string> kept; ///< "mat_mul_gelu_0 behind MatMul"
};

/// A task and the operation behind which it may become two.
struct SplitCandidate {
  TuningRecord record; ///< without costs
  std::string operation;
  unsigned rank; ///< among the splits of its task
  double work;   ///< of all calls of the task
};

class SplitSearch {
public:
  SplitSearch(const CompileOptions &options, StringRef records, DimensionSizes sizes)
      : options(options), records(records), runs{options.threads, "", std::move(sizes)} {}

  llvm::Error prepare();
  llvm::Expected<SplitOutcome> run(unsigned trials, llvm::function_ref<bool()> isInterrupted);

private:
  llvm::Error findCandidates();
  llvm::Error dropKnown();
  llvm::Expected<bool> isFaster(const SplitCandidate &candidate, const UnnamedFile &with);

  CompileOptions options;
  std::string records;
  RunOptions runs;
  std::vector<SplitCandidate> candidates; ///< most promising first
  UnnamedFile library;                    ///< with the splits that were found so far
  std::vector<Tensor> inputs;
  CopyTimes times;
  std::unique_ptr<RecordWriter> writer;
};

} // namespace

/// What is true of all measurements of one split.
static TuningRecord recordOf(task::DefOp def, unsigned number, const CompileOptions &options,
                             const TargetInfo &target) {
  TuningRecord record;
  record.task = def->getAttrOfType<mlir::StringAttr>("key").str();
  record.name = def.getSymName().str();
  if (auto flops = def->getAttrOfType<mlir::FloatAttr>("flops"))
    record.flops = flops.getValueAsDouble();
  RecordTarget place = recordTarget(target, static_cast<unsigned>(options.threads));
  record.triple = place.triple;
  record.cpu = place.cpu;
  record.extensions = place.extensions;
  record.threads = place.threads;
  record.split = number;
  return record;
}

/// The first split of each task, behind what comes first in it, then the second of each; of these the tasks with most
/// work first.
llvm::Error SplitSearch::findCandidates() {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()) ||
      llvm::failed(phases.runUntil(Phase::Partition)))
    return llvm::make_error<AlreadyReported>();
  for (auto def : phases.module().getOps<task::DefOp>()) {
    auto weight = def->getAttrOfType<mlir::IntegerAttr>("weight");
    auto &body = def.getBody().front();
    for (auto [rank, number] : llvm::enumerate(partition::findCuts(body))) {
      TuningRecord record = recordOf(def, number, options, phases.target());
      double work = record.flops * (weight ? static_cast<double>(weight.getInt()) : 1);
      StringRef operation = std::next(body.begin(), number)->getName().stripDialect();
      candidates.push_back({std::move(record), operation.str(), static_cast<unsigned>(rank), work});
    }
  }
  llvm::sort(candidates, [](const SplitCandidate &a, const SplitCandidate &b) {
    return std::tuple(a.rank, -a.work, StringRef(a.record.task)) <
           std::tuple(b.rank, -b.work, StringRef(b.record.task));
  });
  return llvm::Error::success();
}

/// What was measured on such a processor before is known.
llvm::Error SplitSearch::dropKnown() {
  if (!llvm::sys::fs::exists(records))
    return llvm::Error::success();
  llvm::Expected<RecordFile> file = readRecords(records);
  if (!file)
    return file.takeError();
  llvm::erase_if(candidates, [&](const SplitCandidate &each) {
    return llvm::any_of(file->splits, [&](const TuningRecord &known) {
      return known.task == each.record.task && known.split == each.record.split && known.cpu == each.record.cpu &&
             known.threads == each.record.threads;
    });
  });
  return llvm::Error::success();
}

llvm::Error SplitSearch::prepare() {
  if (llvm::Error error = findCandidates())
    return error;
  if (llvm::Error error = dropKnown())
    return error;
  if (candidates.empty())
    return llvm::Error::success();
  llvm::Expected<UnnamedFile> compiled = compileToCompare(options);
  if (!compiled)
    return compiled.takeError();
  library = std::move(*compiled);
  llvm::Expected<std::unique_ptr<ModelLibrary>> opened = ModelLibrary::open(library.path());
  if (!opened)
    return opened.takeError();
  llvm::Expected<std::vector<Tensor>> made = makeInputs(**opened, InputSource(), runs.sizes);
  if (!made)
    return made.takeError();
  inputs = std::move(*made);
  llvm::Expected<CopyTimes> timed = timeCopy(library.path(), runs, inputs);
  if (!timed)
    return timed.takeError();
  times = *timed;
  llvm::Expected<std::unique_ptr<RecordWriter>> open = RecordWriter::open(records);
  if (!open)
    return open.takeError();
  writer = std::move(*open);
  (void)pinToCpus(runs.threads); // fewer CPUs than threads: both models have to share them
  return llvm::Error::success();
}

/// Whether the model is clearly faster with the split than with those so far. What it took is in the file then.
llvm::Expected<bool> SplitSearch::isFaster(const SplitCandidate &candidate, const UnnamedFile &with) {
  llvm::Expected<BothCosts> costs =
      measureInCopies(library.path(), with.path(), copiesWithin(0, times), runs, inputs, times.runSeconds);
  if (!costs)
    return costs.takeError();
  TuningRecord record = candidate.record;
  record.costs = std::move(costs->tuned.whole);
  record.defaultCosts = std::move(costs->untuned.whole);
  record.time = llvm::formatv("{0:%Y-%m-%dT%H:%M:%SZ}", llvm::sys::toUtcTime(std::time(nullptr)));
  if (llvm::Error error = writer->append(record))
    return std::move(error);
  if (llvm::Error error = writer->flush())
    return std::move(error);
  return record.relativeCost().high < 1;
}

llvm::Expected<SplitOutcome> SplitSearch::run(unsigned trials, llvm::function_ref<bool()> isInterrupted) {
  SplitOutcome outcome;
  std::set<std::string> divided; // their parts are other tasks
  for (const SplitCandidate &candidate : candidates) {
    if (outcome.tried == trials || isInterrupted())
      break;
    if (divided.contains(candidate.record.task))
      continue;
    options.records.splits.push_back({candidate.record.task, *candidate.record.split});
    llvm::Expected<UnnamedFile> with = compileToCompare(options);
    if (!with)
      return with.takeError();
    ++outcome.tried;
    // What is faster by chance is not so twice.
    bool isBetter = true;
    for (unsigned time = 0; time < 2 && isBetter; ++time) {
      llvm::Expected<bool> faster = isFaster(candidate, *with);
      if (!faster)
        return faster.takeError();
      isBetter = *faster;
    }
    if (!isBetter) {
      options.records.splits.pop_back();
      continue;
    }
    outcome.kept.push_back(candidate.record.name + " behind " + candidate.operation);
    divided.insert(candidate.record.task);
    library = std::move(*with);
  }
  return outcome;
}

static void printOutcome(const SplitOutcome &found) {
  llvm::outs() << llvm::formatv("Splits of tasks: {0} tried, {1} kept", found.tried, found.kept.size())
               << (found.kept.empty() ? "" : ": " + llvm::join(found.kept, ", ")) << '\n';
}

static llvm::json::Value outcomeJson(const SplitOutcome &found) {
  return llvm::json::Object{{"splits_tried", static_cast<int64_t>(found.tried)},
                            {"splits_kept", llvm::json::Array(found.kept)}};
}

void cameo::takeSplits(TuneOptions &options) {
  if (llvm::sys::fs::exists(options.records))
    options.compile.records = {options.records, RecordsPolicy::Splits, {}};
}

llvm::Error cameo::tuneSplits(TuneOptions &options, unsigned trials, StringRef progress,
                              std::function<bool()> isInterrupted) {
  uint64_t begin = cameo_now();
  SplitSearch search(options.compile, options.records, mostFrequentSizes(options.compile.sizes, options.sizes));
  if (llvm::Error error = search.prepare())
    return error;
  llvm::Expected<SplitOutcome> found = search.run(trials, isInterrupted);
  if (!found)
    return found.takeError();
  if (progress == "json")
    llvm::outs() << outcomeJson(*found) << '\n';
  else if (progress == "table")
    printOutcome(*found);
  takeSplits(options);
  constexpr double least = 0.01; // none would be no limit
  if (double &seconds = options.session.seconds; seconds > 0)
    seconds = std::max(least, seconds - static_cast<double>(cameo_now() - begin) * 1e-9);
  return llvm::Error::success();
}
