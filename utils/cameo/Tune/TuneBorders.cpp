#include "utils/cameo/Tune/TuneBorders.h"

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Partition/TaskCost.h"
#include "passes/Partition/TaskCuts.h"
#include "passes/Partition/TaskNeighbours.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/PhaseRunner.h"
#include "utils/Driver/Records/ApplyBorders.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/cameo/Bench/BenchSide.h"
#include "utils/cameo/Bench/MeasureCopies.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/Tune/CompareTuned.h"

#include "llvm/ADT/MapVector.h"
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

struct BorderOutcome {
  unsigned tried = 0;
  std::vector<std::string> kept; ///< "mat_mul_gelu_0 behind MatMul", "conv_0 with conv_1"
};

/// A task that may be split, or two tasks that may be merged.
struct BorderCandidate {
  TuningRecord record; ///< without costs
  std::string text;    ///< description for messages
  unsigned rank;       ///< among the splits of its task
  double promise;      ///< in all calls: operations of a task to split, or bytes that merged tasks pass on
};

class BorderSearch {
public:
  BorderSearch(const CompileOptions &options, StringRef records, DimensionSizes sizes)
      : options(options), records(records), runs{options.threads, "", std::move(sizes)} {}

  llvm::Expected<BorderOutcome> run(unsigned trials, llvm::function_ref<bool()> isInterrupted);

private:
  llvm::Error findCandidates(const TuningRecord *found);
  void findSplits(mlir::ModuleOp module, const TargetInfo &target);
  void findMerges(mlir::ModuleOp module, const TargetInfo &target);
  llvm::Error findKnown();
  bool isKnown(const TuningRecord &record) const;
  llvm::Expected<bool> sharesLoops(const TuningRecord &merge) const;
  llvm::Expected<std::optional<BorderCandidate>> takeNext();
  llvm::Error prepare();
  llvm::Expected<bool> isFaster(const BorderCandidate &candidate, const UnnamedFile &with);
  llvm::Expected<bool> tryBorder(const BorderCandidate &candidate);
  CompileOptions with(const TuningRecord &border) const;

  CompileOptions options; ///< with the boundaries that were kept so far
  std::string records;
  RunOptions runs;
  std::vector<BorderCandidate> splits, merges; ///< most promising last
  bool isMergeNext = false;
  std::vector<TuningRecord> known; ///< measurements of earlier sessions and of this one
  std::set<std::string> tasks;     ///< keys of the model's tasks
  std::set<std::string> parts;     ///< keys of the tasks that a split of this session made
  std::set<std::string> merged;    ///< keys of the tasks that a merge of this session made
  int64_t groups = 0;              ///< number of groups of nests in all calls
  UnnamedFile library;             ///< the model with the boundaries that were kept so far
  std::vector<Tensor> inputs;
  CopyTimes times;
  std::unique_ptr<RecordWriter> writer; ///< null before the first measurement
};

} // namespace

/// Returns a record with the fields that all measurements of a boundary share.
static TuningRecord recordOf(task::DefOp def, const CompileOptions &options, const TargetInfo &target) {
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
  return record;
}

/// Returns the number of groups of nests that run one after the other in all calls, with the default schedules.
static llvm::Expected<int64_t> countGroups(PhaseRunner &phases) {
  if (llvm::failed(phases.chooseSchedules()))
    return llvm::make_error<AlreadyReported>();
  int64_t all = 0;
  for (auto def : phases.module().getOps<task::DefOp>()) {
    if (!schedule::programOf(def))
      continue;
    schedule::TaskProgram program = schedule::readNests(def);
    if (auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule")) {
      llvm::Expected<schedule::ScheduledProgram> scheduled =
          schedule::applySteps(steps, std::move(program), Machine(phases.target()));
      if (!scheduled)
        return scheduled.takeError();
      program = std::move(scheduled->program);
    }
    auto weight = def->getAttrOfType<mlir::IntegerAttr>("weight");
    all += (weight ? weight.getInt() : 1) *
           llvm::count_if(program.groups, [](const schedule::NestGroup &group) { return !group.continues; });
  }
  return all;
}

/// Collects the splits: the first split of each task, which follows its first operation, then the second one of each,
/// and so on. Among splits of the same rank, tasks with the most work come first.
void BorderSearch::findSplits(mlir::ModuleOp module, const TargetInfo &target) {
  splits.clear();
  for (auto def : module.getOps<task::DefOp>()) {
    TuningRecord record = recordOf(def, options, target);
    // Do not split what was just merged.
    if (merged.contains(record.task))
      continue;
    auto weight = def->getAttrOfType<mlir::IntegerAttr>("weight");
    double work = record.flops * (weight ? static_cast<double>(weight.getInt()) : 1);
    auto &body = def.getBody().front();
    for (auto [rank, number] : llvm::enumerate(partition::findCuts(body))) {
      StringRef operation = std::next(body.begin(), number)->getName().stripDialect();
      record.split = number;
      if (!isKnown(record))
        splits.push_back({record, record.name + " behind " + operation.str(), static_cast<unsigned>(rank), work});
    }
  }
  llvm::sort(splits, [](const BorderCandidate &a, const BorderCandidate &b) {
    return std::tuple(a.rank, -a.promise, StringRef(a.record.task)) >
           std::tuple(b.rank, -b.promise, StringRef(b.record.task));
  });
}

/// Collects the merges: each pair of tasks once for each operand that the first task computes for the second one. If it
/// computes several, the first operand counts.
void BorderSearch::findMerges(mlir::ModuleOp module, const TargetInfo &target) {
  mlir::SymbolTable symbols(module);
  llvm::MapVector<mlir::Block *, std::vector<task::CallOp>> callsIn;
  module.walk([&](task::CallOp call) { callsIn[call->getBlock()].push_back(call); });
  llvm::MapVector<std::tuple<mlir::Operation *, mlir::Operation *, unsigned>, double> passed;
  for (const auto &[block, calls] : callsIn) {
    partition::TaskNeighbours neighbours(*block, symbols);
    for (task::CallOp second : calls) {
      std::set<mlir::Operation *> seen;
      for (unsigned operand = 0; operand < second.getNumOperands(); ++operand)
        if (task::CallOp first = neighbours.findFirst(second, operand); first && seen.insert(first).second)
          passed[{symbols.lookup(first.getCallee()), symbols.lookup(second.getCallee()), operand}] +=
              partition::countBytes(second.getOperand(operand).getType());
    }
  }
  merges.clear();
  for (const auto &[place, bytes] : passed) {
    auto first = llvm::cast<task::DefOp>(std::get<0>(place)), second = llvm::cast<task::DefOp>(std::get<1>(place));
    TuningRecord record = recordOf(first, options, target), other = recordOf(second, options, target);
    record.merge = std::get<2>(place);
    record.with = other.task;
    // Do not merge what was just split.
    if (!(parts.contains(record.task) && parts.contains(record.with)) && !isKnown(record))
      merges.push_back({record, record.name + " with " + other.name, 0, bytes});
  }
  llvm::sort(merges, [](const BorderCandidate &a, const BorderCandidate &b) {
    return std::tuple(-a.promise, StringRef(a.record.task), StringRef(a.record.with), *a.record.merge) >
           std::tuple(-b.promise, StringRef(b.record.task), StringRef(b.record.with), *b.record.merge);
  });
}

/// Collects the candidates for the model with the current boundaries. `found` is the last one that was kept; null if
/// none was in this session.
llvm::Error BorderSearch::findCandidates(const TuningRecord *found) {
  PhaseRunner phases(options);
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()) ||
      llvm::failed(phases.runUntil(Phase::Partition)))
    return llvm::make_error<AlreadyReported>();
  std::set<std::string> before = std::exchange(tasks, {});
  for (auto def : phases.module().getOps<task::DefOp>()) {
    std::string key = def->getAttrOfType<mlir::StringAttr>("key").str();
    tasks.insert(key);
    if (found && !before.contains(key))
      (found->split ? parts : merged).insert(key);
  }
  findSplits(phases.module(), phases.target());
  findMerges(phases.module(), phases.target());
  llvm::Expected<int64_t> counted = countGroups(phases);
  if (!counted)
    return counted.takeError();
  groups = *counted;
  return llvm::Error::success();
}

/// Whether the merge makes loops run together. Otherwise the merged task takes as long as two tasks, or longer: after a
/// product, a normalisation cannot run row by row any more.
llvm::Expected<bool> BorderSearch::sharesLoops(const TuningRecord &merge) const {
  PhaseRunner phases(with(merge));
  if (llvm::failed(phases.resolveTarget()) || llvm::failed(phases.import()))
    return llvm::make_error<AlreadyReported>();
  llvm::Expected<int64_t> counted = countGroups(phases);
  if (!counted)
    return counted.takeError();
  return *counted < groups;
}

llvm::Error BorderSearch::findKnown() {
  if (!llvm::sys::fs::exists(records))
    return llvm::Error::success();
  llvm::Expected<RecordFile> file = readRecords(records);
  if (!file)
    return file.takeError();
  known = std::move(file->borders);
  return llvm::Error::success();
}

/// Whether the boundary was measured on such a processor before.
bool BorderSearch::isKnown(const TuningRecord &record) const {
  return llvm::any_of(known, [&](const TuningRecord &other) {
    return other.task == record.task && other.split == record.split && other.merge == record.merge &&
           other.with == record.with && other.cpu == record.cpu && other.threads == record.threads;
  });
}

CompileOptions BorderSearch::with(const TuningRecord &border) const {
  CompileOptions all = options;
  addBorder(border, all.records);
  return all;
}

/// Returns the next candidate, alternating between splits and merges.
llvm::Expected<std::optional<BorderCandidate>> BorderSearch::takeNext() {
  while (!splits.empty() || !merges.empty()) {
    bool isMerge = splits.empty() || (isMergeNext && !merges.empty());
    std::vector<BorderCandidate> &candidates = isMerge ? merges : splits;
    BorderCandidate next = std::move(candidates.back());
    candidates.pop_back();
    if (isMerge) {
      llvm::Expected<bool> shares = sharesLoops(next.record);
      if (!shares)
        return shares.takeError();
      if (!*shares)
        continue;
    }
    isMergeNext = !isMerge;
    return next;
  }
  return std::nullopt;
}

/// Runs before the first measurement.
llvm::Error BorderSearch::prepare() {
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

/// Measures whether the model is clearly faster with the boundary, and appends the record to the file.
llvm::Expected<bool> BorderSearch::isFaster(const BorderCandidate &candidate, const UnnamedFile &with) {
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
  bool isFaster = record.relativeCost().high < 1;
  known.push_back(std::move(record));
  return isFaster;
}

/// Returns whether the boundary is kept. If so, adds it to `library` and the options.
llvm::Expected<bool> BorderSearch::tryBorder(const BorderCandidate &candidate) {
  if (!writer)
    if (llvm::Error error = prepare())
      return std::move(error);
  CompileOptions moved = this->with(candidate.record);
  llvm::Expected<UnnamedFile> with = compileToCompare(moved);
  if (!with)
    return with.takeError();
  // Measured twice, because a difference by chance rarely repeats.
  for (unsigned time = 0; time < 2; ++time) {
    llvm::Expected<bool> faster = isFaster(candidate, *with);
    if (!faster || !*faster)
      return faster;
  }
  options = std::move(moved);
  library = std::move(*with);
  return true;
}

llvm::Expected<BorderOutcome> BorderSearch::run(unsigned trials, llvm::function_ref<bool()> isInterrupted) {
  BorderOutcome outcome;
  if (llvm::Error error = findKnown())
    return std::move(error);
  if (llvm::Error error = findCandidates(nullptr))
    return std::move(error);
  while (outcome.tried < trials && !isInterrupted()) {
    llvm::Expected<std::optional<BorderCandidate>> next = takeNext();
    if (!next)
      return next.takeError();
    if (!*next)
      break;
    llvm::Expected<bool> isBetter = tryBorder(**next);
    if (!isBetter)
      return isBetter.takeError();
    ++outcome.tried;
    if (!*isBetter)
      continue;
    outcome.kept.push_back((*next)->text);
    // The new tasks have other neighbours.
    if (llvm::Error error = findCandidates(&(*next)->record))
      return std::move(error);
  }
  return outcome;
}

static void printOutcome(const BorderOutcome &found) {
  llvm::outs() << llvm::formatv("Borders of tasks: {0} tried, {1} kept", found.tried, found.kept.size())
               << (found.kept.empty() ? "" : ": " + llvm::join(found.kept, ", ")) << '\n';
}

static llvm::json::Value outcomeJson(const BorderOutcome &found) {
  return llvm::json::Object{{"borders_tried", static_cast<int64_t>(found.tried)},
                            {"borders_kept", llvm::json::Array(found.kept)}};
}

void cameo::takeBorders(TuneOptions &options) {
  if (llvm::sys::fs::exists(options.records))
    options.compile.records = {options.records, RecordsPolicy::Borders, {}, {}};
}

llvm::Error cameo::tuneBorders(TuneOptions &options, unsigned trials, StringRef progress,
                               std::function<bool()> isInterrupted) {
  uint64_t begin = cameo_now();
  BorderSearch search(options.compile, options.records, mostFrequentSizes(options.compile.sizes, options.sizes));
  llvm::Expected<BorderOutcome> found = search.run(trials, isInterrupted);
  if (!found)
    return found.takeError();
  if (progress == "json")
    llvm::outs() << outcomeJson(*found) << '\n';
  else if (progress == "table")
    printOutcome(*found);
  takeBorders(options);
  constexpr double least = 0.01; // 0 would mean no limit
  if (double &seconds = options.session.seconds; seconds > 0)
    seconds = std::max(least, seconds - static_cast<double>(cameo_now() - begin) * 1e-9);
  return llvm::Error::success();
}
