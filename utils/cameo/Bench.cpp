// cameo bench: how fast a model runs, alone or in turns with ONNX Runtime.
#include "utils/Driver/CompileModel.h"
#include "utils/Driver/MachinePeaks.h"
#include "utils/Driver/OnnxRuntime.h"
#include "utils/cameo/BenchSide.h"
#include "utils/cameo/ChildProcess.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"

#include <tuple>

using namespace cameo;

namespace {

struct SideReport {
  std::string name;
  SideTimes times;
  double createMs = 0;
  double rssMb = 0;
};

struct TaskReport {
  std::string name, key, schedule;
  uint64_t count;      // per run
  double ms;           // per run
  double flops, bytes; // per run

  double seconds() const { return std::max(ms / 1e3, 1e-9); }
};

class BenchCommand : public Command {
public:
  void declare(CommandLine &line) override;
  int run() override;

private:
  llvm::Error measure();
  llvm::Error prepareLibrary();
  llvm::Error prepareInputs();
  llvm::Error measureSides();
  llvm::Error measureTasks();
  llvm::Expected<std::unique_ptr<BenchSide>> createOurs();
  llvm::Expected<std::unique_ptr<BenchSide>> createTheirs(std::unique_ptr<OnnxRuntime> &runtime);
  RunOptions runOptions() const { return {static_cast<int>(threads), options.weights, options.sizes}; }
  void print() const;
  void printTasks() const;
  double percentOfPeak(const TaskReport &task) const { return 100 * peaks.leastSeconds(task.flops, task.bytes) / task.seconds(); }
  void printJson() const;

  CompileOptions options;
  RecordsArguments records;
  InputOptions inputs;
  std::string against;
  int64_t threads = 1, runs = 30;
  bool profile = false, json = false;

  std::string libraryPath;
  bool ownsLibrary = false;
  std::vector<Tensor> tensors;
  std::vector<SideReport> sides; // ours first
  std::vector<TaskReport> tasks;
  MachinePeaks peaks;
};

} // namespace

void BenchCommand::declare(CommandLine &line) {
  line.description("Runs a model many times, pinned to as many CPUs as threads, and prints the shortest and the median time of one run, "
                   "the time to make the model ready (create), and the memory that it takes (rss: growth of a process of its own). With a peer, both run "
                   "in turns in one process, and the ratio is that of the shortest times: below 1, we are faster.");
  line.positional("MODEL|LIB", "An ONNX file, which is compiled first, or a library made with --emit=lib (without peer).", options.model);
  line.group("measurement");
  line.choice("--against", "A peer: onnxruntime, found through ORT_LIBRARY or the npm package onnxruntime-node in this directory or above. Default: none.",
              {"onnxruntime"}, against);
  line.integer("--runs", "N", "Timed runs of each side. Default: 30.", runs, 1, 1000000);
  declareRunThreads(line, threads);
  line.flag("--profile", "Print a table of the tasks: time per run and its share, calls, GFLOP/s, GB/s, what these are of the machine's peak, key, name and schedule. "
            "The peak is measured before, on as many threads: multiply-adds on registers, and reading memory; a task has the one that it is nearer to. Above 100 % are "
            "tasks whose data is in a cache, and convolutions by Winograd, which take fewer operations than are counted. 'cameo compile --emit=asm --task KEY' "
            "shows the code of a task.", profile);
  line.flag("--json", "Print JSON instead of text.", json);
  line.group("model and data");
  declareTarget(line, options);
  declareDimensions(line, options.sizes);
  declareForms(line, options.forms);
  inputs.declare(line);
  line.text("--weights", "FILE", "The weights of a library compiled with --weights.", options.weights, Completes::File);
  records.declare(line);
  declareRounding(line, options);
  line.flag("--naive", "Compile on the reference path.", options.naive);
  line.example("cameo bench resnet18.onnx --against onnxruntime", "One thread, both sides.");
  line.example("cameo bench resnet18.onnx --profile --threads 4", "Where the time goes on four threads, and how far from the machine's peak.");
}

// ---- preparation ----

/// Compiles in a child process, so that the compiler's memory does not count in ours.
llvm::Error BenchCommand::prepareLibrary() {
  libraryPath = options.model;
  if (isElfFile(options.model))
    return llvm::Error::success();
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("cameo-bench", "so", path))
    return llvm::createStringError(error, "cannot make a temporary file: " + error.message());
  libraryPath = std::string(path);
  ownsLibrary = true;
  CompileOptions library = options;
  library.emit = EmitKind::Lib;
  library.output = libraryPath;
  library.threads = std::max<int>(1, static_cast<int>(threads));
  library.records = records.get();
  auto compiled = runInChild([&]() -> llvm::Expected<std::string> {
    if (llvm::failed(compileModel(library)))
      return llvm::make_error<AlreadyReported>();
    return "";
  });
  return compiled ? llvm::Error::success() : compiled.takeError();
}

llvm::Error BenchCommand::prepareInputs() {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(libraryPath);
  if (!library)
    return library.takeError();
  llvm::Expected<std::vector<Tensor>> made = makeInputs(**library, inputs.source(), options.sizes);
  if (!made)
    return made.takeError();
  tensors = std::move(*made);
  return llvm::Error::success();
}

// ---- measurement ----

/// Makes a side in this process, timed.
static llvm::Expected<std::unique_ptr<BenchSide>> createTimed(const BenchSideFactory &create, SideReport &report) {
  uint64_t begin = cameo_now();
  llvm::Expected<std::unique_ptr<BenchSide>> side = create();
  report.createMs = static_cast<double>(cameo_now() - begin) / 1e6;
  return side;
}

llvm::Expected<std::unique_ptr<BenchSide>> BenchCommand::createOurs() {
  SideReport &report = sides.emplace_back();
  report.name = "ours";
  auto create = [&] { return createOurSide(libraryPath, runOptions(), tensors); };
  llvm::Expected<double> memory = measureMemory(create);
  if (!memory)
    return memory.takeError();
  report.rssMb = *memory;
  return createTimed(create, report);
}

llvm::Expected<std::unique_ptr<BenchSide>> BenchCommand::createTheirs(std::unique_ptr<OnnxRuntime> &runtime) {
  SideReport &report = sides.emplace_back();
  llvm::Expected<std::string> path = findOnnxRuntime();
  if (!path)
    return path.takeError();
  auto create = [&] { return createOnnxRuntimeSide(*runtime, options.model, static_cast<int>(threads), tensors); };
  auto load = [&]() -> llvm::Error {
    llvm::Expected<std::unique_ptr<OnnxRuntime>> loaded = OnnxRuntime::load(*path);
    if (!loaded)
      return loaded.takeError();
    runtime = std::move(*loaded);
    return llvm::Error::success();
  };
  // Loading the library counts as memory that the peer takes, but not as time to make a model ready.
  llvm::Expected<double> memory = measureMemory([&]() -> llvm::Expected<std::unique_ptr<BenchSide>> {
    if (llvm::Error error = load())
      return error;
    return create();
  });
  if (!memory)
    return memory.takeError();
  report.rssMb = *memory;
  if (llvm::Error error = load())
    return error;
  report.name = ("onnxruntime " + runtime->version()).str();
  return createTimed(create, report);
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
  llvm::SmallVector<BenchSide *, 2> both = {ours->get()};
  if (theirs)
    both.push_back(theirs.get());
  llvm::Expected<std::vector<SideTimes>> times = measureInTurns(both, static_cast<int>(runs));
  if (!times)
    return times.takeError();
  for (auto [side, time] : llvm::zip(sides, *times))
    side.times = time;
  return llvm::Error::success();
}

llvm::Error BenchCommand::measureTasks() {
  llvm::Expected<std::unique_ptr<ModelLibrary>> library = ModelLibrary::open(libraryPath);
  if (!library)
    return library.takeError();
  llvm::Expected<std::unique_ptr<ModelRunner>> runner = ModelRunner::create(**library, runOptions());
  if (!runner)
    return runner.takeError();
  peaks = measurePeaks((*runner)->threadCount());
  if (llvm::Error error = (*runner)->bindInputs(tensors))
    return error;
  if (llvm::Error error = (*runner)->run())
    return error;
  llvm::ArrayRef<cameo_task_profile> times = (*runner)->startProfile();
  for (int64_t i = 0; i < runs; ++i)
    if (llvm::Error error = (*runner)->run())
      return error;
  for (auto [task, time] : llvm::zip((*library)->tasks(), times)) {
    uint64_t count = time.count / runs;
    tasks.push_back({task.name, task.key, task.schedule, count, static_cast<double>(time.nanoseconds) / 1e6 / runs,
                     task.flops * count, task.bytes * count});
  }
  return llvm::Error::success();
}

llvm::Error BenchCommand::measure() {
  if (llvm::Error error = prepareLibrary())
    return error;
  if (llvm::Error error = prepareInputs())
    return error;
  if (threads > 0 && !pinToCpus(static_cast<int>(threads)))
    llvm::WithColor::warning(llvm::errs(), "cameo") << "fewer CPUs than threads: not pinned\n";
  if (llvm::Error error = measureSides())
    return error;
  return profile ? measureTasks() : llvm::Error::success();
}

// ---- printing ----

void BenchCommand::print() const {
  llvm::raw_ostream &os = llvm::outs();
  os << llvm::left_justify("", 20) << "       min ms  median ms  create ms   rss MB\n";
  for (const SideReport &side : sides)
    os << llvm::left_justify(side.name, 20)
       << llvm::format("  %11.5g  %9.5g  %9.4g  %7.1f\n", side.times.minMs, side.times.medianMs, side.createMs,
                       side.rssMb);
  if (sides.size() > 1)
    os << llvm::format("ratio %.3f\n", sides[0].times.minMs / sides[1].times.minMs);
  if (profile)
    printTasks();
}

void BenchCommand::printTasks() const {
  llvm::raw_ostream &os = llvm::outs();
  double total = 0;
  for (const TaskReport &task : tasks)
    total += task.ms;
  os << llvm::format("\npeak: %.1f GFLOP/s, %.1f GB/s\n", peaks.gflops, peaks.readGbs)
     << "    ms/run      %  count  GFLOP/s    GB/s  % peak  key                               task\n";
  std::vector<const TaskReport *> order;
  for (const TaskReport &task : tasks)
    order.push_back(&task);
  llvm::sort(order, [](auto *a, auto *b) { return std::tie(b->ms, a->name) < std::tie(a->ms, b->name); });
  for (const TaskReport *task : order) {
    os << llvm::format("%10.4f  %5.1f  %5llu  %7.1f  %6.1f  %6.1f  ", task->ms, total > 0 ? 100 * task->ms / total : 0.0,
                       static_cast<unsigned long long>(task->count), task->flops / task->seconds() / 1e9,
                       task->bytes / task->seconds() / 1e9, percentOfPeak(*task))
       << llvm::left_justify(task->key, 32) << "  " << task->name << '\n'
       << llvm::left_justify("", 86) << task->schedule << '\n';
  }
  os << llvm::format("%10.4f  %5.1f         all %zu tasks\n", total, 100.0, tasks.size());
}

static llvm::json::Object toJson(const SideReport &side) {
  return llvm::json::Object{{"name", side.name},
                            {"min_ms", side.times.minMs},
                            {"median_ms", side.times.medianMs},
                            {"create_ms", side.createMs},
                            {"rss_mb", side.rssMb}};
}

void BenchCommand::printJson() const {
  llvm::json::Object all{{"model", options.model}, {"threads", threads}, {"runs", runs}, {"ours", toJson(sides[0])}};
  if (sides.size() > 1) {
    all["theirs"] = toJson(sides[1]);
    all["ratio"] = sides[0].times.minMs / sides[1].times.minMs;
  }
  if (profile) {
    llvm::json::Array list;
    for (const TaskReport &task : tasks)
      list.push_back(llvm::json::Object{{"name", task.name},
                                        {"key", task.key},
                                        {"count", static_cast<int64_t>(task.count)},
                                        {"ms", task.ms},
                                        {"flops", task.flops},
                                        {"bytes", task.bytes},
                                        {"peak_percent", percentOfPeak(task)},
                                        {"schedule", task.schedule}});
    all["tasks"] = std::move(list);
    all["peaks"] = llvm::json::Object{{"gflops", peaks.gflops}, {"read_gbs", peaks.readGbs}};
  }
  llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}

int BenchCommand::run() {
  if (!against.empty() && isElfFile(options.model)) {
    reportError("--against needs an ONNX file, got a library");
    return 1;
  }
  llvm::Error error = measure();
  if (ownsLibrary)
    llvm::sys::fs::remove(libraryPath);
  if (error)
    return fail(std::move(error));
  json ? printJson() : print();
  return 0;
}

std::unique_ptr<Command> cameo::createBenchCommand() { return std::make_unique<BenchCommand>(); }
