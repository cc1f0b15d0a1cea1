// The options and the help text of 'cameo tune'.
#include "utils/cameo/Tune/TuneCommand.h"

#include "dialects/Files/RegularFile.h"
#include "utils/Driver/Tune/SearchParameters.h"
#include "utils/cameo/ModelOptions.h"
#include "utils/cameo/Tune/SizeBuckets.h"

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

std::vector<std::string> wordsOf(llvm::ArrayRef<StringRef> names) {
  std::vector<std::string> words;
  for (StringRef name : names)
    words.push_back(name.str());
  return words;
}

/// Parses a duration: "90", "90s", "10m" or "2h".
llvm::Error parseDuration(StringRef text, double &seconds) {
  StringRef number = text;
  double unit = number.consume_back("h") ? 3600 : number.consume_back("m") ? 60 : (number.consume_back("s"), 1);
  if (number.getAsDouble(seconds) || !(seconds > 0))
    return llvm::createStringError("expected a time such as 90s, 10m or 2h, got '" + text + "'");
  seconds *= unit;
  return llvm::Error::success();
}

} // namespace

void TuneCommand::declareBudget(CommandLine &line) {
  line.group("how long");
  line.integer("--trials", "N",
               "Measure N candidates in total. Default: as many as --tune-time allows, or else 64 per task.", trials, 1,
               INT32_MAX);
  line.repeated("--tune-time", "TIME", "Tune for TIME, such as 90s, 10m or 2h, with the comparison at the end.",
                [this](StringRef text) { return parseDuration(text, options.session.seconds); });
  line.integer("--early-stopping", "N", "End after N trials without any gain. Default: 0, never.", earlyStopping, 0,
               INT32_MAX);
  line.integer("--task-early-stopping", "N", "The same for each task. Default: 0, never.", taskEarlyStopping, 0,
               INT32_MAX);
}

void TuneCommand::declareSearch(CommandLine &line) {
  line.group("search");
  line.choice("--policy", "How candidates are found. Default: evolutionary.", wordsOf(searchPolicyNames()),
              options.search.policy);
  line.text(
      "--cost-model", "FILE",
      "Cost model that predicts costs before candidates are measured: a file of 'cameo records train'; shipped "
      "(trained for x86-64, part of this program); none (learns from this run only); analytic (the estimate, learns "
      "nothing); random (for comparison, learns nothing). With --gpu, shipped is the same as none. Default: shipped.",
      options.costModel, Completes::File);
  line.repeated(
      "--search", "KEY=VALUE,...|FILE",
      "How the search goes about it; FILE has a pair per line. Keys: " + explainSearchParameters() + ".",
      [this](StringRef text) { return setSearchParameters(text, options); }, Completes::File);
  line.repeated(
      "--template", "FILE",
      "Knobs of tasks for --policy=grid, annealing or genetic, in place of the built-in ones: splits of dimensions, "
      "loop orders, unrolled, vectorised and parallel loops, and filters (docs/tuning.md). Default: none.",
      [this](StringRef path) -> llvm::Error {
        constexpr uint64_t largestFile = 1 << 20;
        llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readRegularFile(path, largestFile);
        if (!file)
          return file.takeError();
        llvm::Expected<std::vector<std::shared_ptr<const TaskKnobDefinitions>>> read =
            parseKnobDefinitions(path, (*file)->getBuffer());
        if (!read)
          return read.takeError();
        llvm::append_range(options.knobs, *read);
        return llvm::Error::success();
      },
      Completes::File);
  line.flag("--no-defaults", "Begin from random schedules: use nothing of the default ones.", withoutDefaults);
  line.choice("--task-scheduler",
              "How the next task is chosen; gradient takes the one with the largest expected gain for the whole model. "
              "Default: gradient.",
              wordsOf(taskSchedulerNames()), strategy);
  line.integer("--trials-per-round", "N",
               "Largest number of candidates of a task that are measured together. The first round of a task has 4, "
               "and each following round twice as many as the one before. Default: 32.",
               trialsPerRound, 1, 4096);
  line.integer("--seed", "N", "Seed of the search. The same seed and measurements give the same search. Default: 0.",
               seed, 0, INT64_MAX / 2);
  line.choice(
      "--stop-after",
      "Print the result of a stage of the search, and measure nothing: sketch (structures), sample (random schedules "
      "of these structures), evolve (what --policy makes of the samples). Default: measure, the whole search.",
      {"sketch", "sample", "evolve", "measure"}, stopAfter);
  line.integer(
      "--borders", "N",
      "Before the search, try up to N other borders between tasks: split a fused task, or merge two neighbours, one "
      "change at a time, and run the whole model in turns with and without the change. A change that makes the model "
      "clearly faster is kept and recorded. Not with --tasks, on another machine, or with --gpu. Default: 0.",
      borders, 0, 4096);
  line.names("--tasks", "KEY,...",
             "Tune only tasks with these names, or with keys that begin like this; 'cameo tasks' lists both.",
             options.tasks);
}

void TuneCommand::declareMeasurement(CommandLine &line) {
  line.group("measurement");
  line.text("--measure", "HOW",
            "Where candidates are measured: machine (here); command:COMMAND (a shell command that starts cameo-worker "
            "on a machine of --target and carries its standard input and output, such as 'command:ssh board "
            "./cameo-worker'; lib/TRIPLE has workers for other targets); bundle:DIR (writes self-measuring programs "
            "for a machine of --target to DIR, and reads their output from DIR/bundle-N.jsonl); farm:URL (machines "
            "that run 'cameo farm agent'; see 'cameo farm --help'); replay:FILE (takes costs from the records in FILE "
            "and leaves out what is not there). Default: machine.",
            measure);
  line.text("--key", "KEY",
            "Name for machines like the measuring one, which is stored in the records. With a farm it is required and "
            "selects the machines whose 'cameo farm agent' has this key.",
            options.policy.key);
  line.text("--pack", "DIR",
            "Measure nothing: write a folder with this compiler, the tasks, the present records, and a program 'tune'. "
            "On a machine that needs nothing else of Cameo, 'tune' continues the search with the other options. Bring "
            "its records.jsonl back for this command or for 'cameo compile'.",
            packed, Completes::Folder);
  line.choice("--check",
              "What is verified against the naive path: winners (before they are recorded as best), or all candidates "
              "(before they are timed, which takes longer). Default: winners.",
              {"winners", "all"}, check);
  line.integer("--rounds", "N",
               "Number of rounds, each of another task, in a bundle of --measure=bundle:DIR. All runs of a session "
               "need the same number. Default: 2.",
               rounds, 1, 4096);
  line.integer("--repeats", "N", "Measurements of a candidate. Default: 5.", repeats, 1, 256);
  line.integer("--number", "N", "Runs per measurement, at least. Default: 1.", number, 1, 1000000);
  line.number("--min-repeat-ms", "MS", "Milliseconds that a measurement takes at least. Default: 1.", minRepeatMs);
  line.number("--cool-down", "SECONDS", "Pause before each candidate. Default: 0.", coolDown);
  line.flag("--hot-caches", "Find all data in the caches, as if the task ran alone in a loop.", hotCaches);
  line.integer("--pin", "CPU", "Run candidates on this CPU only.", cpu, 0, 4095);
  line.integer("--build-threads", "N", "Threads that build candidates; 0 is one per CPU. Default: 0.", buildThreads, 0,
               1024);
  line.number("--run-timeout", "SECONDS", "Time that a candidate has to run. Default: 10.", runTimeout);
  line.number("--build-timeout", "SECONDS", "Time that building one candidate may take. Default: 15.", buildTimeout);
}

void TuneCommand::declareFarm(CommandLine &line) {
  line.group("--measure=farm:URL");
  line.integer("--parallel", "N",
               "Largest number of candidates that are in transit or being measured at a time; two per machine keep all "
               "machines busy. Tuners share machines in proportion to this number. Default: 4.",
               parallel, 1, 4096);
  line.choice("--priority", "high: candidates are measured before those of tuners with normal. Default: normal.",
              {"high", "normal"}, priority);
  line.text("--signing-key", "FILE",
            "Key that signs the packages for the farm. Default: the key of 'cameo farm keygen'.", signingKey,
            Completes::File);
  line.flag("--unsigned", "Sign nothing: only agents with --unsigned run it.", isUnsigned);
  access.declare(line);
}

void TuneCommand::declare(CommandLine &line) {
  words = &line;
  line.description(
      "Searches faster schedules for the tasks of a model. It builds candidates, runs them in a separate process, and "
      "learns from the measured costs. Every winner is verified against the naive path before it counts. Measurements "
      "are appended to a file of records, which 'cameo compile --records' uses. Tuning may be stopped at any moment, "
      "even by kill -9, and continued with --resume. Tasks with dynamic sizes are measured at the sizes that "
      "--tune-dim names; without it the command names these tasks, and they keep their default schedules. At the end "
      "the best schedules are measured once more, and the whole model runs in turns with and without them. Schedules "
      "that are no faster inside the model are dropped; the others are kept as long as they make the model clearly "
      "faster, the most certain ones first. This comparison is left out with --tasks, for a file of tasks, on another "
      "machine, with --gpu, or if it would take more than half of --tune-time.");
  line.positional("MODEL.onnx|TASK.mlir", "The model, or tasks as 'cameo compile --emit=linalg' prints them.",
                  options.compile.model);
  line.group("options");
  line.text("--records", "FILE", "Where measurements are appended. Required.", options.records, Completes::File);
  line.flag("--resume", "Take up an earlier run: what the records hold is not measured again.", options.resume);
  line.integer("--threads", "N", "Threads that run the tasks. Default: 1.", threads, 1, CAMEO_MAX_THREADS);
  declareDimensions(line, options.compile.sizes);
  declareTunedSizes(line, options.sizes, buckets);
  declareForms(line, options.compile.forms);
  declarePlugins(line, options.compile.plugins);
  declareExterns(line, options.compile);
  declareTarget(line, options.compile);
  declareGpu(line, options.compile);
  line.bytes("--max-arena",
             "Use only schedules that keep the model within this limit, as in 'cameo compile'. SIZE is in bytes, or "
             "with K, M or G.",
             options.compile.budgets.arena);
  line.bytes("--max-text",
             "The same for code and constants. What the default schedules leave of the limit is shared by all tasks. "
             "Candidates are built first, since only then their size is known.",
             options.compile.budgets.text);
  line.bytes("--max-weights",
             "The same for weights. What the default schedules leave of the limit is shared by all tasks.",
             options.compile.budgets.weights);
  line.choice("--progress",
              "table (updated in place on a terminal, otherwise a line per round), json (an object per round), or "
              "none. Default: table.",
              {"table", "json", "none"}, progress);
  declareBudget(line);
  declareSearch(line);
  declareMeasurement(line);
  declareFarm(line);
  line.example("cameo tune resnet18.onnx --records resnet18.jsonl --tune-time 10m", "Ten minutes for the whole model.");
  line.example("cameo compile resnet18.onnx --records resnet18.jsonl", "Uses what was found.");
  line.example("cameo tune resnet18.onnx --records board.jsonl --target aarch64-linux-gnu --cpu cortex-a76 --measure "
               "'command:ssh board ./cameo-worker'",
               "On a board that ssh reaches.");
  line.example("cameo tune resnet18.onnx --records board.jsonl --target aarch64-linux-gnu --cpu cortex-a76 --measure "
               "bundle:rounds --resume",
               "For a board without a connection: run 'rounds/bundle-1 > rounds/bundle-1.jsonl' there, then this "
               "command again.");
  line.example("cameo tune resnet18.onnx --records board.jsonl --target aarch64-linux-gnu --cpu cortex-a76 --measure "
               "farm:nats://farm:4222 --key rk3588 --parallel 8",
               "On four boards that take candidates from a server.");
  line.example("cameo tune resnet18.onnx --records resnet18.jsonl --tune-time 2h --pack resnet18-session",
               "On a machine without network: 'resnet18-session/tune' there.");
  line.example("cameo tune resnet18.onnx --records h100.jsonl --gpu h100", "On the GPU of this machine.");
  line.example("cameo tune bert.onnx --records bert.jsonl --tune-dim seq=16,128*3,512",
               "For sequences of these lengths, of which 128 counts three times.");
  line.example("cameo tune resnet18.onnx --records resnet18.jsonl --tasks conv_relu_0 --trials 200", "One task only.");
}
