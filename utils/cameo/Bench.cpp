// cameo bench: measures how fast a model runs, alone or in turns with ONNX Runtime.
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Inspect/CountWork.h"
#include "utils/Driver/Run/OnnxRuntime.h"
#include "utils/cameo/Bench/BenchReport.h"
#include "utils/cameo/Bench/BenchSteps.h"
#include "utils/cameo/Bench/ProfileTasks.h"
#include "utils/cameo/ChildProcess.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/Support/FormatVariadic.h"

using namespace cameo;

namespace {

class BenchCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  llvm::Error measure();
  llvm::Error prepareLibrary();
  llvm::Error prepareInputs();
  llvm::Error noteTarget(const ModelLibrary &library);
  llvm::Error measureSides();
  llvm::Error measureTasks();
  llvm::Error measureSteps();
  llvm::Error checkSteps() const;
  llvm::Error profile(const ModelLibrary &library, ModelRunner &runner, llvm::ArrayRef<Tensor> given);
  std::optional<llvm::StringMap<TaskWork>> countWorkOf(const ModelLibrary &library, llvm::ArrayRef<Tensor> given) const;
  llvm::Expected<std::unique_ptr<BenchSide>> createOurs();
  llvm::Expected<std::unique_ptr<BenchSide>> createTheirs(std::unique_ptr<OnnxRuntime> &runtime);
  RunOptions runOptions() const {
    return {static_cast<int>(threads), largeWeights.isEmpty() ? options.weights : largeWeights.path(), options.sizes};
  }

  CompileOptions options;
  RecordsArguments records;
  InputOptions inputs;
  std::string against;
  int64_t threads = 1, runs = 0;
  StepCounts counts; // steps of 0: single runs
  bool json = false, usesGraph = false, isForGpu = false;

  std::string libraryPath;
  UnnamedFile ownLibrary, largeWeights; // `largeWeights` are those that the library cannot hold
  std::vector<Tensor> tensors;
  BenchReport report;
};

} // namespace

void BenchCommand::declare(CommandLine &line) {
  line.description(
      "Runs a model many times on as many CPUs as there are threads, to which it is pinned. Prints the shortest and "
      "the median time of a run, the time to prepare the model (create), and its memory (rss, the growth of a separate "
      "process). With --against, model and peer take turns in one process, and the ratio compares the shortest times: "
      "below 1, the model is faster than the peer. With --gpu, times are those of the device's clock, without copies.");
  line.positional(
      "MODEL|LIB",
      "An ONNX file, which is compiled first, or a library made with --emit=lib, which cannot be compared with a peer.",
      options.model);
  line.group("measurement");
  line.choice("--against",
              "Compare with a peer: onnxruntime, found through ORT_LIBRARY or as the npm package onnxruntime-node in "
              "this directory or above. Default: none.",
              {"onnxruntime"}, against);
  line.integer("--runs", "N",
               "Number of timed runs of each side, or of sessions with --steps. Default: 30, or 5 with --steps.", runs,
               1, 1000000);
  line.integer("--steps", "N",
               "Measure a decoder in sessions: one run for the prompt, then N runs for one token each, which get the "
               "caches of the run before. Prints the time to the first token, tokens per second, and the reading rate "
               "of a step in percent of the memory bandwidth. The inputs input_ids, attention_mask, position_ids and "
               "use_cache_branch are recognised by name. Other inputs must be caches: either the compiler finds that "
               "input and output may share a buffer (--alias), or their names begin with past and present. A shared "
               "cache has one row per token, or as many as --dim says. An attention mask of known size may be longer "
               "than the tokens. Tokens are random. On a GPU each run is executed twice, and the second one counts. "
               "Default: single runs.",
               counts.steps, 1, 1000000);
  line.integer("--prompt", "N", "Tokens of the prompt. Default: 128.", counts.prompt, 1, 1000000);
  declareRunThreads(line, threads);
  line.flag(
      "--profile",
      "Print a table of the tasks with the fastest run of each: time, share of the time, calls, GFLOP/s, GB/s, percent "
      "of the machine's peak, key, name and schedule. Two peaks are measured first, on the same number of threads: "
      "multiply-adds on registers, and reads from memory. A task is compared with the peak that it is closer to. The "
      "last line says what part of the time would remain if every task reached its peak. More than 100 % is possible: "
      "data in a cache is read faster than memory, and convolutions by Winograd's method need fewer operations than "
      "are counted. For a library, tasks with dynamic sizes show '-', because their work is known for an ONNX file "
      "only. On a GPU the times are those of kernels that begin with cold caches, and there is no peak. With --steps "
      "the table is that of the last step. 'cameo compile --emit=asm --task KEY' shows the code of a task.",
      report.showsTasks);
  line.flag(
      "--cuda-graph",
      "With --gpu: capture a run into a CUDA graph, and launch the graph. Default: launch the kernels one by one.",
      usesGraph);
  line.flag("--json", "Print JSON instead of text.", json);
  line.group("model and data");
  declareTarget(line, options, /*several=*/true);
  declareGpu(line, options);
  declareGpuLaunch(line, options);
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  declarePlugins(line, options.plugins);
  declareExterns(line, options);
  inputs.declare(line);
  line.text("--weights", "FILE", "The weights of a library compiled with --weights.", options.weights, Completes::File);
  records.declare(line);
  declareRounding(line, options);
  line.flag("--naive", "Compile on the reference path.", options.naive);
  line.example("cameo bench resnet18.onnx --against onnxruntime", "One thread, both sides.");
  line.example("cameo bench decoder.onnx --steps 64 --prompt 512 --alias past_key_values.0.key=present.0.key",
               "Measures a prompt and 64 steps. One cache of the decoder shares a buffer with its output.");
  line.example("cameo bench resnet18.onnx --profile --threads 4",
               "Shows where the time goes on four threads, and how close each task is to the machine's peak.");
}

// ---- preparation ----

/// Compiles in a child process, so that the compiler's memory does not count as memory of the model.
llvm::Error BenchCommand::prepareLibrary() {
  libraryPath = options.model;
  if (isElfFile(options.model))
    return llvm::Error::success();
  CompileOptions library = options;
  library.emit = EmitKind::Lib;
  library.threads = std::max<int>(1, static_cast<int>(threads));
  library.records = records.get();
  llvm::Expected<UnnamedFile> compiled = UnnamedFile::create([&](llvm::StringRef path) -> llvm::Error {
    library.output = path.str();
    llvm::Expected<UnnamedFile> weights = compileWithLargeWeights(library, [](const CompileOptions &each) {
      return runInChild([&]() -> llvm::Expected<std::string> {
               if (llvm::failed(compileModel(each)))
                 return llvm::make_error<AlreadyReported>();
               return "";
             })
          .takeError();
    });
    if (!weights)
      return weights.takeError();
    largeWeights = std::move(*weights);
    return llvm::Error::success();
  });
  if (!compiled)
    return compiled.takeError();
  ownLibrary = std::move(*compiled);
  libraryPath = ownLibrary.path();
  return llvm::Error::success();
}

llvm::Error BenchCommand::checkSteps() const {
  if (counts.steps == 0 && counts.prompt > 0)
    return llvm::createStringError("--prompt: expected --steps");
  if (counts.steps == 0)
    return llvm::Error::success();
  if (!against.empty())
    return llvm::createStringError(
        "--against: expected no --steps; to compare a step with a peer, fix its sizes with --dim");
  if (!inputs.folder.empty())
    return llvm::createStringError("--inputs: expected no --steps, which generates the inputs");
  return llvm::Error::success();
}

llvm::Error BenchCommand::prepareInputs() {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(libraryPath);
  if (!library)
    return library.takeError();
  llvm::Expected<std::vector<Tensor>> made = makeInputs(**library, inputs.source(), options.sizes);
  if (!made)
    return made.takeError();
  tensors = std::move(*made);
  return noteTarget(**library);
}

/// Stores what runs the library, and checks the options that depend on it.
llvm::Error BenchCommand::noteTarget(const ModelLibrary &library) {
  if (const cameo_gpu_model *gpu = library.gpu()) {
    isForGpu = true;
    if (gpu->images[0].kind == CAMEO_GPU_HOST)
      cameo::report(Severity::Warning, "the model runs on the emulator: its times say nothing about a GPU");
  }
  if (isForGpu && !against.empty())
    return llvm::createStringError("--against: expected a model compiled for a CPU");
  if (usesGraph && !isForGpu)
    return llvm::createStringError("--cuda-graph: expected a model compiled for a GPU");
  if (const char *cpu = library.chosenCpu())
    report.cpu = cpu;
  return llvm::Error::success();
}

// ---- measurement ----

/// Creates a side in this process and stores the time that this takes.
static llvm::Expected<std::unique_ptr<BenchSide>> createTimed(const BenchSideFactory &create, SideReport &side) {
  uint64_t begin = cameo_now();
  llvm::Expected<std::unique_ptr<BenchSide>> created = create();
  side.createMs = static_cast<double>(cameo_now() - begin) / 1e6;
  return created;
}

llvm::Expected<std::unique_ptr<BenchSide>> BenchCommand::createOurs() {
  SideReport &ours = report.sides.emplace_back();
  ours.name = "ours";
  auto create = [&] { return createOurSide(libraryPath, runOptions(), tensors); };
  llvm::Expected<double> memory = measureMemory(create);
  if (!memory)
    return memory.takeError();
  ours.rssMb = *memory;
  return createTimed(create, ours);
}

llvm::Expected<std::unique_ptr<BenchSide>> BenchCommand::createTheirs(std::unique_ptr<OnnxRuntime> &runtime) {
  SideReport &theirs = report.sides.emplace_back();
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    return path.takeError();
  auto create = [&] { return createOnnxRuntimeSide(*runtime, options, static_cast<int>(threads), tensors); };
  auto load = [&]() -> llvm::Error {
    llvm::Expected<std::unique_ptr<OnnxRuntime>> loaded = OnnxRuntime::load(*path);
    if (!loaded)
      return loaded.takeError();
    runtime = std::move(*loaded);
    return llvm::Error::success();
  };
  // Loading the library counts as the peer's memory, but not as its time to create a session.
  llvm::Expected<double> memory = measureMemory([&]() -> llvm::Expected<std::unique_ptr<BenchSide>> {
    if (llvm::Error error = load())
      return error;
    return create();
  });
  if (!memory)
    return memory.takeError();
  theirs.rssMb = *memory;
  if (llvm::Error error = load())
    return error;
  theirs.name = ("onnxruntime " + runtime->version()).str();
  return createTimed(create, theirs);
}

llvm::Error BenchCommand::measureSides() {
  llvm::Expected<std::unique_ptr<BenchSide>> ours = createOurs();
  if (!ours)
    return ours.takeError();
  std::unique_ptr<OnnxRuntime> runtime;
  std::unique_ptr<BenchSide> theirs;
  if (!against.empty()) {
    llvm::Expected<std::unique_ptr<BenchSide>> peer = createTheirs(runtime);
    if (!peer)
      return peer.takeError();
    theirs = std::move(*peer);
  }
  if (isForGpu) {
    llvm::Expected<SideTimes> times = measureOnGpu(**ours, static_cast<int>(runs), usesGraph);
    if (!times)
      return times.takeError();
    report.sides.front().times = *times;
    return llvm::Error::success();
  }
  llvm::SmallVector<BenchSide *, 2> both = {ours->get()};
  if (theirs)
    both.push_back(theirs.get());
  llvm::Expected<std::vector<SideTimes>> times = measureInTurns(both, static_cast<int>(runs));
  if (!times)
    return times.takeError();
  for (auto [side, time] : llvm::zip(report.sides, *times))
    side.times = time;
  return llvm::Error::success();
}

/// Returns the work of the tasks for the sizes of a run with `given`, because a model with dynamic sizes does not
/// contain it. Returns nothing for a library.
std::optional<llvm::StringMap<TaskWork>> BenchCommand::countWorkOf(const ModelLibrary &library,
                                                                   llvm::ArrayRef<Tensor> given) const {
  if (isElfFile(options.model))
    return std::nullopt;
  const cameo_model_description &description = library.description();
  llvm::Expected<std::vector<int64_t>> symbols = resolveSymbols(description, options.sizes, given);
  if (!symbols) {
    llvm::consumeError(symbols.takeError());
    return std::nullopt;
  }
  CompileOptions sized = options;
  for (auto [number, size] : llvm::enumerate(*symbols))
    sized.sizes[description.symbols[number]] = size;
  return countWork(sized);
}

llvm::Error BenchCommand::profile(const ModelLibrary &library, ModelRunner &runner, llvm::ArrayRef<Tensor> given) {
  llvm::Expected<TaskProfile> measured = profileTasks(library, runner, runs);
  if (!measured)
    return measured.takeError();
  report.profile = std::move(*measured);
  std::vector<TaskReport> &tasks = report.profile->tasks;
  if (llvm::all_of(tasks, [](const TaskReport &task) { return task.isKnown(); })) {
    report.stepBytes = report.profile->total().bytes;
    return llvm::Error::success();
  }
  std::optional<llvm::StringMap<TaskWork>> work = countWorkOf(library, given);
  if (!work)
    return llvm::Error::success();
  for (TaskReport &task : tasks)
    if (auto found = work->find(task.name); !task.isKnown() && found != work->end()) {
      task.flops = found->second.flops * static_cast<double>(task.count);
      task.bytes = found->second.bytes * static_cast<double>(task.count);
    }
  // With fixed sizes the model may have other tasks, so the bytes of all of them count.
  report.stepBytes = 0;
  for (const auto &entry : *work)
    *report.stepBytes += entry.second.bytes;
  return llvm::Error::success();
}

llvm::Error BenchCommand::measureTasks() {
  llvm::Expected<BoundModel> model = bindModel(libraryPath, runOptions(), tensors);
  if (!model)
    return model.takeError();
  return profile(*model->library, *model->runner, tensors);
}

llvm::Error BenchCommand::measureSteps() {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(libraryPath);
  if (!library)
    return library.takeError();
  if (llvm::Error error = noteTarget(**library))
    return error;
  llvm::Expected<std::unique_ptr<DecoderSession>> session =
      DecoderSession::create(**library, runOptions(), counts, static_cast<uint64_t>(inputs.seed), usesGraph);
  if (!session)
    return session.takeError();
  llvm::Expected<StepTimes> times = (*session)->measure(static_cast<int>(runs));
  if (!times)
    return times.takeError();
  report.steps = *times;
  // There is no peak of a GPU to compare the bytes of a step with.
  if (isForGpu && !report.showsTasks)
    return llvm::Error::success();
  return profile(**library, (*session)->runner(), (*session)->inputs());
}

llvm::Error BenchCommand::measure() {
  if (llvm::Error error = checkSteps())
    return error;
  if (llvm::Error error = prepareLibrary())
    return error;
  if (counts.steps == 0)
    if (llvm::Error error = prepareInputs())
      return error;
  if (threads > 0 && !pinToCpus(static_cast<int>(threads)))
    cameo::report(Severity::Warning, "fewer CPUs than threads: not pinned");
  if (counts.steps > 0)
    return measureSteps();
  if (llvm::Error error = measureSides())
    return error;
  return report.showsTasks ? measureTasks() : llvm::Error::success();
}

int BenchCommand::run() {
  if (!against.empty() && isElfFile(options.model)) {
    reportError("--against needs an ONNX file, got a library");
    return 1;
  }
  if (runs == 0)
    runs = counts.steps > 0 ? 5 : 30;
  if (counts.steps > 0 && counts.prompt == 0)
    counts.prompt = 128;
  if (llvm::Error error = measure())
    return fail(std::move(error));
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n", toJson(report, options.model, threads, runs));
  else
    print(report, llvm::outs());
  return 0;
}

std::unique_ptr<Command> cameo::createBenchCommand() { return std::make_unique<BenchCommand>(); }
