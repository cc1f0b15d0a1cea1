// cameo records: shows files of tuning records, and makes new files from them.
#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "dialects/Files/PrintableText.h"
#include "passes/Target/TargetInfo.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/FindMachine.h"
#include "utils/Driver/Inspect/InspectModel.h"
#include "utils/Driver/Link/OutputFiles.h"
#include "utils/Driver/Records/ApplyBorders.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Tune/ImportTvm.h"
#include "utils/Driver/Tune/SyncRecords.h"
#include "utils/Driver/Tune/TrainCostModel.h"
#include "utils/Driver/Tune/TuneModel.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/FarmAccess.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <set>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

class RecordsCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  llvm::Error read();
  void show() const;
  void showMachines() const;
  static void showRanges(llvm::ArrayRef<const TuningRecord *> group);
  void showTask() const;
  void showBest() const;
  llvm::Error write(llvm::ArrayRef<TuningRecord> written) const;
  std::vector<TuningRecord> merge() const;
  std::vector<TuningRecord> distillAll() const;
  llvm::Error takeBorders();
  llvm::Error takeOnlyModel();
  llvm::Error migrate();
  llvm::Error train();
  llvm::Error importTvm();
  llvm::Error sync() const;
  llvm::Expected<bool> check();

  std::string action, task, farm, start = "none", output = "-";
  FarmAccess access;
  std::vector<std::string> files, models, keys;
  CompileOptions options;
  int64_t threads = 1, seed = 0;
  std::vector<TuningRecord> records, seeds, borders; // of all files, in order
};

} // namespace

void RecordsCommand::declare(CommandLine &line) {
  line.description(
      "Works on files of tuning records, which 'cameo tune' writes: one JSON object per line.\n  show     prints the "
      "measurements, failures and the best record of each task; with --task all records of a task\n  best     prints "
      "the schedule of each task that compiling would use, and how it was verified\n  distill  writes only the best "
      "record of each task, processor, number of threads and version of its loops; keep this file beside the model\n  "
      "merge    writes the records of all files, without duplicates\n  migrate  with --model, renumbers records whose "
      "loop nests have other numbers now, or says why it cannot. Then tries records of tasks that the model no longer "
      "has on tasks without a record: compiles, verifies and measures them again. Writes all records\n  train    with "
      "--model, trains a cost model for 'cameo tune --cost-model', and prints how well it orders candidates that it "
      "was not trained on\n  import-tvm  with --model, reads logs of TVM's AutoTVM and auto-scheduler and writes "
      "schedules with their tiles as seeds, which the next 'cameo tune' measures first; the costs in the logs are not "
      "used\n  sync     with --farm, uploads the best records of a file to a server of 'cameo farm', and adds the "
      "schedules of others to the file as seeds; 'cameo tune' measures and verifies them like its own\n  check    "
      "checks that all lines are complete and valid and, with --model, that every task without dynamic sizes has a "
      "record");
  line.positional("ACTION", "What to do.", action,
                  {"show", "best", "distill", "merge", "migrate", "train", "import-tvm", "sync", "check"});
  line.positionals("FILE...", "Files of records; for import-tvm, logs.", files);
  line.group("options");
  line.text(
      "-o", "FILE",
      "Output file of distill, merge, migrate and import-tvm (default: standard output), and of train (required).",
      output, Completes::File);
  line.text("--task", "KEY", "Only the task of this name, or whose key begins so.", task);
  declareModels(line, "The model of the records, for check, migrate, train and import-tvm; for train several times.",
                models, options);
  line.integer("--threads", "N",
               "For check, migrate, train and import-tvm: number of threads to schedule for. Default: 1.", threads, 1,
               CAMEO_MAX_THREADS);
  line.integer("--seed", "N", "For train: chooses the candidates that are held out. Default: 0.", seed, 0,
               INT64_MAX / 2);
  line.names("--from", "KEY,...",
             "For train: use only records with one of these keys ('cameo tune --key'). Default: all.", keys);
  line.text(
      "--start", "FILE",
      "For train: a model to start from, a file or 'shipped'; the new model corrects its predictions. Default: none.",
      start, Completes::File);
  line.text("--farm", "URL", "For sync: the server, or a file that has its URL.", farm, Completes::File);
  access.declare(line);
  line.example("cameo records distill tuning.jsonl -o net.jsonl", "The few lines that compiling needs.");
  line.example("cameo records check net.jsonl --model net.onnx", "Whether all tasks still have a record.");
  line.example("cameo records train a.jsonl b.jsonl --model a.onnx --model b.onnx -o net.model",
               "A cost model for networks like these.");
  line.example("cameo records train board.jsonl --from rk3588 --start rk3399.model --model net.onnx -o rk3588.model",
               "One for a kind of board, from that of another kind.");
  line.exitStatus("0 on success; 1 on any error, and when check finds something.");
}

llvm::Error RecordsCommand::read() {
  for (const std::string &path : files) {
    llvm::Expected<RecordFile> file = readRecords(path);
    if (!file)
      return file.takeError();
    if (file->endsTorn)
      report(Severity::Warning, path + ": the last line is incomplete and ignored");
    llvm::append_range(seeds, file->seeds);
    llvm::append_range(borders, file->borders);
    for (TuningRecord &record : file->records)
      if (task.empty() || record.name == task || (task.size() >= 4 && StringRef(record.task).starts_with(task)))
        records.push_back(std::move(record));
  }
  return llvm::Error::success();
}

// ---- reading ----

static std::string milliseconds(double seconds) { return llvm::formatv("{0:F4} ms", seconds * 1e3); }

static std::string resultText(const TuningRecord &record) {
  if (!record.isValid())
    return errorKindName(record.error.kind).str() + ": " + printable(record.error.message);
  CostInterval interval = costInterval(record.costs);
  return llvm::formatv("{0} [{1}, {2}]{3}{4}", milliseconds(interval.median), milliseconds(interval.low),
                       milliseconds(interval.high), record.proof ? ", compared with the naive path" : "",
                       record.isDisturbed ? ", disturbed" : "");
}

/// The ratio to the default schedule comes last: costs differ from hour to hour, but the ratio is comparable.
static std::string bestText(const TuningRecord &record) {
  std::string text =
      milliseconds(record.cost()) + llvm::formatv(", {0:F1} GFLOPS", record.flops / record.cost() * 1e-9).str();
  return record.defaultCosts.empty()
             ? text
             : text + llvm::formatv(", {0:F3} of the {1}", record.relativeCost().median,
                                    record.ranges.empty() ? "default schedule" : "schedule for all sizes")
                          .str();
}

/// Returns the records of each task, in the order of the tasks' first records.
static llvm::MapVector<StringRef, std::vector<const TuningRecord *>> groupByTask(llvm::ArrayRef<TuningRecord> records) {
  llvm::MapVector<StringRef, std::vector<const TuningRecord *>> tasks;
  for (const TuningRecord &record : records)
    tasks[record.task].push_back(&record);
  return tasks;
}

/// Lists the machines if there are several, because their costs do not compare.
void RecordsCommand::showMachines() const {
  struct Machine {
    size_t count = 0;
    std::set<StringRef> keys, devices;
  };
  llvm::MapVector<StringRef, Machine> machines;
  for (const TuningRecord &record : records) {
    if (record.machine.empty())
      continue;
    Machine &machine = machines[record.machine];
    ++machine.count;
    if (!record.key.empty())
      machine.keys.insert(record.key);
    if (!record.device.empty())
      machine.devices.insert(record.device);
  }
  for (const auto &[identity, machine] : machines) {
    llvm::outs() << "  " << machine.count << " on " << printable(identity);
    if (!machine.keys.empty())
      llvm::outs() << "; key " << printable(llvm::join(machine.keys, ", "));
    if (!machine.devices.empty())
      llvm::outs() << "; " << machine.devices.size() << (machine.devices.size() == 1 ? " device" : " devices");
    llvm::outs() << '\n';
  }
}

/// Prints the best schedules for ranges of sizes. `group` are the records of one task.
void RecordsCommand::showRanges(llvm::ArrayRef<const TuningRecord *> group) {
  std::vector<TuningRecord> own;
  for (const TuningRecord *record : group)
    own.push_back(*record);
  for (const TuningRecord &record : distill(own))
    if (!record.ranges.empty() && !record.defaultCosts.empty())
      llvm::outs() << "  where " << printable(rangesText(record.ranges)) << ": best " << bestText(record) << '\n';
}

void RecordsCommand::show() const {
  auto tasks = groupByTask(records);
  llvm::StringMap<const TuningRecord *> bests;
  for (const TuningRecord *record : decisive(records))
    if (record->ranges.empty())
      keepFaster(bests[record->task], *record);
  llvm::outs() << records.size() << (records.size() == 1 ? " record, " : " records, ") << tasks.size()
               << (tasks.size() == 1 ? " task" : " tasks");
  if (!seeds.empty())
    llvm::outs() << ", " << seeds.size() << (seeds.size() == 1 ? " seed" : " seeds") << " that were not measured";
  if (!borders.empty())
    llvm::outs() << ", " << borders.size() << (borders.size() == 1 ? " border" : " borders") << " of tasks";
  llvm::outs() << '\n';
  showMachines();
  for (const auto &[key, group] : tasks) {
    std::map<ErrorKind, unsigned> failures;
    for (const TuningRecord *record : group)
      if (!record->isValid())
        ++failures[record->error.kind];
    const TuningRecord *best = bests.lookup(key);
    llvm::outs() << printable(group.front()->name) << "  key " << printable(key) << "  " << group.size()
                 << " records  best " << (best ? bestText(*best) : "none") << '\n';
    for (auto [kind, count] : failures)
      llvm::outs() << "  " << count << ' ' << errorKindName(kind) << '\n';
    showRanges(group);
  }
}

/// Returns the sizes that a record is for; empty if it is for all.
static std::string whereText(const TuningRecord &record) {
  return record.ranges.empty() ? "" : ", where " + printable(rangesText(record.ranges));
}

void RecordsCommand::showTask() const {
  for (const TuningRecord &record : records)
    llvm::outs() << printable(record.name) << "  " << printable(record.time) << "  round " << record.round << "  "
                 << levelName(record) << "  " << printable(record.cpu) << ", " << record.threads
                 << (record.threads == 1 ? " thread" : " threads") << whereText(record) << "\n  " << resultText(record)
                 << "\n  " << printable(record.schedule) << (record.target.empty() ? "" : "\n  on ")
                 << printable(record.target) << (record.machine.empty() ? "" : "\n  measured on ")
                 << printable(record.machine) << (record.device.empty() ? "" : ", device ") << printable(record.device)
                 << '\n';
}

void RecordsCommand::showBest() const {
  for (const TuningRecord &record : distill(records)) {
    llvm::outs() << printable(record.name) << "  key " << printable(record.task) << "  " << printable(record.cpu)
                 << ", " << record.threads << (record.threads == 1 ? " thread" : " threads") << whereText(record)
                 << "\n  " << resultText(record)
                 << llvm::formatv(", {0:F1} GFLOPS\n", record.flops / record.cost() * 1e-9)
                 << llvm::formatv("  off by {0:e1} at most, allowed {1:e1} (seed {2})\n", record.proof->maxAbsolute,
                                  record.proof->bound, record.proof->seed)
                 << "  " << printable(record.schedule) << '\n';
  }
}

// ---- writing ----

std::vector<TuningRecord> RecordsCommand::merge() const {
  llvm::StringSet<> seen;
  std::vector<TuningRecord> merged;
  for (const TuningRecord &record : llvm::concat<const TuningRecord>(seeds, borders, records))
    if (seen.insert(toJsonLine(record)).second)
      merged.push_back(record);
  return merged;
}

std::vector<TuningRecord> RecordsCommand::distillAll() const {
  std::vector<TuningRecord> kept = distillBorders(borders);
  llvm::append_range(kept, distill(records));
  return kept;
}

/// Adds the boundaries of the records to the options, so that models have the tasks that they are compiled with.
llvm::Error RecordsCommand::takeBorders() {
  llvm::Expected<TargetInfo> target = resolveTarget(options.target, options.cpu);
  if (!target)
    return target.takeError();
  for (const TuningRecord *border : findBorders(borders, recordTarget(*target, static_cast<unsigned>(threads))))
    addBorder(*border, options.records);
  return llvm::Error::success();
}

llvm::Error RecordsCommand::write(llvm::ArrayRef<TuningRecord> written) const {
  OutputFiles outputs;
  llvm::Expected<llvm::raw_pwrite_stream *> os = outputs.open(output);
  if (!os)
    return os.takeError();
  for (const TuningRecord &record : written)
    **os << toJsonLine(record) << '\n';
  return outputs.commit();
}

llvm::Error RecordsCommand::takeOnlyModel() {
  if (models.size() != 1)
    return llvm::createStringError(action + ": expected one --model MODEL.onnx");
  options.model = models.front();
  return llvm::Error::success();
}

llvm::Error RecordsCommand::migrate() {
  if (llvm::Error error = takeOnlyModel())
    return error;
  TuneOptions tune;
  tune.compile = options;
  PrintableStream log(llvm::errs());
  if (llvm::failed(migrateRecords(tune, records, log)))
    return llvm::make_error<AlreadyReported>();
  return write(merge());
}

llvm::Error RecordsCommand::train() {
  if (models.empty())
    return llvm::createStringError("train: expected --model MODEL.onnx, whose tasks the records are of");
  if (output == "-")
    return llvm::createStringError("train: expected -o FILE");
  if (!keys.empty()) {
    llvm::erase_if(records, [this](const TuningRecord &record) { return !llvm::is_contained(keys, record.key); });
    if (records.empty())
      return llvm::createStringError("--from: none of the records has the key " + llvm::join(keys, " or "));
  }
  PrintableStream log(llvm::outs());
  if (llvm::failed(trainCostModel({options, models, output, static_cast<uint64_t>(seed), start}, records, log)))
    return llvm::make_error<AlreadyReported>();
  return llvm::Error::success();
}

llvm::Error RecordsCommand::importTvm() {
  if (llvm::Error error = takeOnlyModel())
    return error;
  std::vector<TuningRecord> imported;
  PrintableStream log(llvm::errs());
  if (llvm::failed(importTvmLogs(options, files, imported, log)))
    return llvm::make_error<AlreadyReported>();
  return write(imported);
}

llvm::Error RecordsCommand::sync() const {
  if (farm.empty() || files.size() != 1)
    return llvm::createStringError("sync: expected one file and --farm URL");
  llvm::Expected<std::string> program = findFarmProgram();
  if (!program)
    return program.takeError();
  std::vector<std::string> words = {*program, "--server", farm};
  llvm::append_range(words, access.arguments());
  llvm::Expected<SyncOutcome> outcome = syncRecords(files.front(), words);
  if (!outcome)
    return outcome.takeError();
  llvm::outs() << outcome->given << (outcome->given == 1 ? " record" : " records") << " given, " << outcome->taken
               << (outcome->taken == 1 ? " schedule" : " schedules") << " taken as seeds\n";
  return llvm::Error::success();
}

/// Returns whether no problem was found.
llvm::Expected<bool> RecordsCommand::check() {
  if (models.empty()) {
    llvm::outs() << records.size() << " valid records\n";
    return true;
  }
  if (llvm::Error error = takeOnlyModel())
    return std::move(error);
  llvm::Expected<TargetInfo> target = resolveTarget(options.target, options.cpu);
  if (!target)
    return target.takeError();
  std::optional<std::vector<TaskSummary>> tasks = listTasks(options, /*withSchedules=*/true);
  if (!tasks)
    return llvm::make_error<AlreadyReported>();
  llvm::StringMap<std::string> nests;
  for (const TaskSummary &each : *tasks)
    nests[each.key] = each.nests;
  ForeignRecords foreign = takeForeign(records, nests);
  TunedNames tuned(records);
  BestRecords bests(records);
  RecordTarget wanted = recordTarget(*target, static_cast<unsigned>(threads));
  unsigned found = 0, missing = 0;
  for (const TaskSummary &each : *tasks) {
    // Plain loops have no schedule to record. A task with dynamic sizes needs a record only if the user gave sizes for
    // it, because otherwise it is not measured.
    if (each.schedule->steps.empty() || (!each.hasKnownSizes && !tuned.hasAll(each.sizeNames) && !bests.has(each.key)))
      continue;
    BestAnswer answer = bests.find(each.key, wanted);
    ++(answer.record ? found : missing);
    if (auto reason = foreign.reasons.find(each.key); !answer.record && reason != foreign.reasons.end())
      answer.reason = "its records were " + reason->second;
    if (!answer.record)
      llvm::outs() << printable(each.name) << "  key " << printable(each.key) << ": " << printable(answer.reason)
                   << '\n';
  }
  llvm::outs() << found << (found == 1 ? " task has a record, " : " tasks have a record, ") << missing << " without\n";
  return missing == 0;
}

int RecordsCommand::run() {
  options.threads = static_cast<int>(threads);
  if (action == "import-tvm") {
    llvm::Error error = importTvm();
    return error ? fail(std::move(error)) : 0;
  }
  if (action == "sync") {
    llvm::Error error = sync();
    return error ? fail(std::move(error)) : 0;
  }
  if (llvm::Error error = read())
    return fail(std::move(error));
  if (!models.empty() && !borders.empty())
    if (llvm::Error error = takeBorders())
      return fail(std::move(error));
  if (action == "show") {
    task.empty() ? show() : showTask();
  } else if (action == "best") {
    showBest();
  } else if (action == "distill" || action == "merge") {
    if (llvm::Error error = write(action == "distill" ? distillAll() : merge()))
      return fail(std::move(error));
  } else if (action == "migrate" || action == "train") {
    if (llvm::Error error = action == "train" ? train() : migrate())
      return fail(std::move(error));
  } else {
    llvm::Expected<bool> isFine = check();
    if (!isFine)
      return fail(isFine.takeError());
    return *isFine ? 0 : 1;
  }
  return 0;
}

std::unique_ptr<Command> cameo::createRecordsCommand() { return std::make_unique<RecordsCommand>(); }
