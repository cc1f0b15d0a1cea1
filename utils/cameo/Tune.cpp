// cameo tune: searches for schedules of a model's tasks by measuring candidates, and writes records.
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/FindMachine.h"
#include "utils/Driver/Tune/PackSession.h"
#include "utils/cameo/ModelOptions.h"
#include "utils/cameo/Tune/SizeBuckets.h"
#include "utils/cameo/Tune/TuneBorders.h"
#include "utils/cameo/Tune/TuneCommand.h"
#include "utils/cameo/Tune/TuneProgress.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <atomic>
#include <csignal>
#include <thread>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

std::atomic<bool> interrupted = false;

/// The first Ctrl-C ends tuning after the current round, the second one at once. Records are complete either way.
void onInterrupt(int) {
  interrupted = true;
  std::signal(SIGINT, SIG_DFL);
}

} // namespace

int TuneCommand::printStage() {
  SearchStage stage = stopAfter == "sketch"   ? SearchStage::Sketch
                      : stopAfter == "sample" ? SearchStage::Sample
                                              : SearchStage::Evolve;
  constexpr unsigned shown = 16;
  PrintableStream os(llvm::outs());
  return llvm::succeeded(printSearchStage(options, stage, trials > 0 ? static_cast<unsigned>(trials) : shown, os)) ? 0
                                                                                                                   : 1;
}

/// Evaluates --measure and the options that only some of its values allow.
llvm::Error TuneCommand::takeSource() {
  StringRef how = measure;
  bool isFarm = how.consume_front("farm:");
  if (isFarm) {
    if (llvm::Error error = takeFarm(how))
      return error;
  } else if (how.consume_front("replay:")) {
    options.replay = how.str();
  } else if (how.consume_front("command:") && !how.trim().empty()) {
    options.command = how.str();
  } else if (how.consume_front("bundle:") && !how.trim().empty()) {
    options.bundles = how.str();
  } else if (measure != "machine") {
    return llvm::createStringError(
        "--measure: expected machine, command:COMMAND, bundle:DIR, farm:URL or replay:FILE, got '" + measure + "'");
  }
  const std::string &key = options.policy.key;
  if (!llvm::all_of(key, [](char each) { return llvm::isAlnum(each) || each == '-' || each == '_'; }))
    return llvm::createStringError("--key: expected a name of letters, digits, '-' and '_', got '" + key + "'");
  if (!isFarm && (!signingKey.empty() || isUnsigned || priority != "normal" || !access.arguments().empty()))
    return llvm::createStringError(
        "--signing-key, --unsigned, --priority, --credentials, --nkey and --tls-...: expected --measure=farm:URL");
  if (!options.replay.empty() && options.compile.budgets.text)
    return llvm::createStringError(
        "--max-text: expected another --measure than replay, whose records do not contain the code size of candidates");
  if (!options.bundles.empty() && options.session.seconds > 0)
    return llvm::createStringError("--measure=bundle: expected --trials, got --tune-time: the time limit cannot apply "
                                   "to bundles, which run elsewhere");
  if (options.bundles.empty() && rounds > 0)
    return llvm::createStringError("--rounds: expected --measure=bundle:DIR");
  if (check == "all" && (!options.bundles.empty() || !options.replay.empty()))
    return llvm::createStringError("--check=all: expected --measure=machine or command:COMMAND, got '" + measure + "'");
  return llvm::Error::success();
}

llvm::Error TuneCommand::takeFarm(StringRef server) {
  if (server.trim().empty())
    return llvm::createStringError(
        "--measure=farm: expected the URL of a server, such as nats://HOST:4222, or a file that has it");
  if (options.policy.key.empty())
    return llvm::createStringError("--measure=farm: expected --key KEY, the key of the machines that measure");
  llvm::Expected<std::string> program = findFarmProgram();
  if (!program)
    return program.takeError();
  options.farm = {*program, "carry", "--server", server.str(), "--key", options.policy.key};
  if (!signingKey.empty())
    llvm::append_range(options.farm, std::vector<std::string>{"--signing-key", signingKey});
  if (isUnsigned)
    options.farm.push_back("--unsigned");
  if (priority == "high")
    options.farm.push_back("--high");
  llvm::append_range(options.farm, access.arguments());
  options.farmParallel = static_cast<unsigned>(parallel);
  return llvm::Error::success();
}

/// Packs the tasks of the model, which are compiled for the machine that will measure, for a session on that machine.
int TuneCommand::pack() {
  if (measure != "machine")
    return fail(llvm::createStringError("--pack: expected --measure=machine, got '" + measure + "'"));
  if (!options.compile.gpu.empty())
    return fail(
        llvm::createStringError("--pack: expected no --gpu: use --measure=bundle:DIR for machines with only a driver"));
  if (!options.compile.budgets.isEmpty())
    return fail(llvm::createStringError("--pack: expected no budget: the folder contains only tasks, and the size of "
                                        "the whole model is not known there"));
  if (borders > 0)
    return fail(llvm::createStringError("--pack: expected no --borders: the folder contains only tasks"));
  // Keys and credentials of a farm are not copied.
  if (llvm::Error error = takeSource())
    return fail(std::move(error));
  constexpr StringRef left[] = {"--pack", "--records", "--resume", "--measure",  "--target",     "--cpu",
                                "--dim",  "--length",  "--absent", "--constant", "--extern-ops", "--extern-lib"};
  std::vector<PackedOption> given;
  for (const auto &[name, value] : words->getGiven()) {
    if (llvm::is_contained(left, name))
      continue;
    const OptionEntry *option =
        llvm::find_if(words->getOptions(), [&](const OptionEntry &each) { return each.name == name; });
    given.push_back({name, value, option->completes == Completes::File && llvm::sys::fs::exists(value)});
  }
  return llvm::succeeded(packSession(packed, options, given)) ? 0 : 1;
}

int TuneCommand::run() {
  unsigned cpus = std::max(1u, std::thread::hardware_concurrency());
  options.compile.threads = static_cast<int>(threads);
  options.search.seed = options.session.seed = options.session.scheduler.seed = static_cast<uint64_t>(seed);
  options.search.useDefaults = !withoutDefaults;
  options.session.workers = cpus;
  bool setsSearch = llvm::any_of(words->getGiven(), [](const auto &option) { return option.first == "--search"; });
  if (setsSearch && !options.compile.gpu.empty())
    return fail(llvm::createStringError("--search: expected no --gpu, whose search has none of these"));
  if (!options.knobs.empty() && !llvm::is_contained({"grid", "annealing", "genetic"}, options.search.policy))
    return fail(llvm::createStringError("--template: expected --policy=grid, annealing or genetic, got '" +
                                        options.search.policy + "'"));
  takeBorders(options);
  if (stopAfter != "measure")
    return printStage();
  if (!packed.empty())
    return pack();
  if (options.records.empty()) {
    reportError("expected --records FILE");
    return 1;
  }
  if (llvm::Error error = takeSource())
    return fail(std::move(error));
  if (rounds > 0)
    options.session.roundsAhead = static_cast<unsigned>(rounds - 1);
  options.session.trials = static_cast<unsigned>(trials);
  options.session.trialsPerRound = static_cast<unsigned>(trialsPerRound);
  options.session.earlyStopping = static_cast<unsigned>(earlyStopping);
  options.session.taskEarlyStopping = static_cast<unsigned>(taskEarlyStopping);
  options.session.scheduler.strategy = strategy;
  options.policy.cpus = cpus;
  options.policy.buildThreads = buildThreads > 0 ? static_cast<unsigned>(buildThreads) : cpus;
  options.policy.repeats = static_cast<unsigned>(repeats);
  options.policy.checksAll = check == "all";
  options.policy.number = static_cast<unsigned>(number);
  options.policy.cpu = static_cast<int>(cpu);
  options.policy.minRepeatSeconds = minRepeatMs.value_or(1) / 1000;
  options.policy.coolDownSeconds = coolDown.value_or(0);
  options.policy.runTimeoutSeconds = runTimeout.value_or(10);
  options.policy.buildTimeoutSeconds = buildTimeout.value_or(15);
  options.evictCaches = !hotCaches;
  TuneProgress display(progress == "json"   ? ProgressForm::Json
                       : progress == "none" ? ProgressForm::None
                                            : ProgressForm::Table,
                       llvm::outs());
  std::signal(SIGINT, onInterrupt);
  if (llvm::failed(resolveTuneSizes(options)))
    return 1;
  if (llvm::Error error = checkBuckets(options, buckets))
    return fail(std::move(error));
  bool isWholeModel = options.tasks.empty() && !StringRef(options.compile.model).ends_with(".mlir");
  bool isComparedHere = isWholeModel && measure == "machine" && options.compile.gpu.empty();
  if (borders > 0 && !isComparedHere)
    return fail(llvm::createStringError("--borders: expected a whole model, measured on this machine without --gpu"));
  if (borders > 0)
    if (llvm::Error error =
            tuneBorders(options, static_cast<unsigned>(borders), progress, [] { return interrupted.load(); }))
      return fail(std::move(error));
  if (isComparedHere)
    if (llvm::Error error = prepareComparison())
      return fail(std::move(error));
  SessionOptions bucketBudget = takeBucketBudget(options, buckets);
  uint64_t begin = cameo_now();
  auto observe = [&](const SessionState &state) {
    tasks = state.unknownTasks == 0 ? state.tasks.vec() : std::vector<TaskProgress>();
    display.show(state);
  };
  if (llvm::failed(tuneModel(options, observe, [] { return interrupted.load(); })))
    return 1;
  if (int status = comparison ? compare(static_cast<double>(cameo_now() - begin) * 1e-9) : 0)
    return status;
  return showBuckets(options, buckets, bucketBudget, display, [] { return interrupted.load(); });
}

/// Returns an error that was reported before; turns any other one into a warning.
static llvm::Error warnUnlessReported(llvm::Error error) {
  if (error.isA<AlreadyReported>())
    return error;
  report(Severity::Warning, "the whole model is not compared: " + llvm::toString(std::move(error)));
  return llvm::Error::success();
}

/// The time of the comparison, before and after tuning, counts towards --tune-time.
llvm::Error TuneCommand::prepareComparison() {
  uint64_t begin = cameo_now();
  llvm::Expected<std::unique_ptr<ModelComparison>> created = ModelComparison::create(
      options.compile, options.records, mostFrequentSizes(options.compile.sizes, options.sizes));
  if (!created)
    return warnUnlessReported(created.takeError());
  double &seconds = options.session.seconds, spent = static_cast<double>(cameo_now() - begin) * 1e-9;
  double ahead = (*created)->expectedSeconds(seconds);
  if (seconds > 0 && spent + ahead > seconds / 2) {
    constexpr double least = 0.01; // 0 would mean no limit
    seconds = std::max(least, seconds - spent);
    return warnUnlessReported(llvm::createStringError(
        llvm::formatv("it would take {0:F0} s, more than half of --tune-time", spent + ahead).str()));
  }
  if (seconds > 0)
    seconds -= spent + ahead;
  options.session.modelSeconds = (*created)->untunedSeconds();
  comparison = std::move(*created);
  return llvm::Error::success();
}

int TuneCommand::compare(double tuningSeconds) {
  llvm::Expected<TunedComparison> found = comparison->run(tuningSeconds);
  if (!found) {
    llvm::Error error = warnUnlessReported(found.takeError());
    return error ? fail(std::move(error)) : 0;
  }
  // Estimates with the new measurement of the untuned model, because the clock rate may have changed during tuning.
  // Tasks that keep their default schedules gain nothing.
  double estimated =
      estimateModel(tasks, found->untunedSeconds, [&](StringRef key) { return found->used.contains(key); });
  if (progress == "json")
    llvm::outs() << toJson(*found, estimated) << '\n';
  else if (progress == "table")
    print(*found, estimated);
  return 0;
}

std::unique_ptr<Command> cameo::createTuneCommand() { return std::make_unique<TuneCommand>(); }
