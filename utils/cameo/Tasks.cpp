// cameo tasks: lists the tasks of a model after partition.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/Driver/Inspect/InspectModel.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/KernelTable.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cameo;

namespace {

class TasksCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description(
        "Lists the tasks of a model in the order of execution. A task is a fused subgraph, which is scheduled and "
        "measured as a whole. Prints the key (equal for equal tasks of any model), the weight (calls per run), FLOPs "
        "and bytes of one call, and the computation: C[i,j] += A[i,k] * B[k,j] sums over k. Dynamic sizes are ?, and "
        "count as " +
        std::to_string(estimatedSize) + " in FLOPs and bytes.");
    line.positional("MODEL.onnx", "The model.", options.model);
    line.group("options");
    declareDimensions(line, options.sizes);
    declareForms(line, options.forms);
    declarePlugins(line, options.plugins);
    declareExterns(line, options.externs);
    declareTarget(line, options);
    declareGpuName(line, options.gpu, options.gpuMath,
                   "List the tasks of an NVIDIA GPU; --schedule says for each whether blocks of threads share it or a "
                   "single thread runs it.");
    line.flag("--naive", "Of the reference path: one task per operator.", options.naive);
    line.flag("--schedule",
              "Show the schedule of each task in 'cameo compile': its origin, its steps, and its loops from the "
              "outermost inwards.",
              withSchedules);
    line.flag("--kernels",
              "With --gpu: list the kernels in place of the tasks: how often a run launches each, its blocks and their "
              "threads, and what it multiplies, reads and writes.",
              withKernels);
    records.declare(line);
    line.integer("--threads", "N", "Threads that schedules are made for. Default: 1.", threads, 1, CAMEO_MAX_THREADS);
    declareRounding(line, options);
    line.flag("--json", "Print JSON instead of text.", json);
    line.example("cameo tasks resnet18.onnx", "Prints all tasks.");
  }

  int run() override;

private:
  int runKernels() const;

  CompileOptions options;
  RecordsArguments records;
  int64_t threads = 1;
  bool json = false, withSchedules = false, withKernels = false;
};

} // namespace

/// Returns a number with an SI prefix, such as "3.2 M".
static std::string withPrefix(double value, const char *unit) {
  static constexpr const char *prefixes[] = {"", "k", "M", "G", "T"};
  size_t step = 0;
  for (; value >= 1000 && step + 1 < std::size(prefixes); ++step)
    value /= 1000;
  return llvm::formatv("{0:F1} {1}{2}", value, prefixes[step], unit);
}

static void printSchedule(llvm::raw_ostream &os, const ScheduleExplanation &schedule) {
  os << "  schedule: " << printable(schedule.from) << '\n';
  for (const std::string &step : schedule.steps)
    os << "    " << step << '\n';
  for (const std::string &loop : schedule.loops)
    os << "    | " << loop << '\n';
}

static void print(llvm::raw_ostream &out, const std::vector<TaskSummary> &tasks) {
  PrintableStream os(out);
  double flops = 0, bytes = 0;
  int64_t calls = 0;
  for (const TaskSummary &task : tasks) {
    flops += task.flops * task.weight;
    bytes += task.bytes * task.weight;
    calls += task.weight;
  }
  os << tasks.size() << (tasks.size() == 1 ? " task, " : " tasks, ") << calls << (calls == 1 ? " call, " : " calls, ")
     << withPrefix(flops, "FLOP") << ", " << withPrefix(bytes, "B") << '\n';
  for (const TaskSummary &task : tasks) {
    os << '\n'
       << task.name << "  key " << task.key << "  weight " << task.weight << "  " << withPrefix(task.flops, "FLOP")
       << "  " << withPrefix(task.bytes, "B") << '\n';
    for (const std::string &input : task.explanation.inputs)
      os << "  " << printable(input) << '\n';
    for (const std::string &step : task.explanation.steps)
      os << "    " << printable(step) << '\n';
    os << "  -> " << printable(task.explanation.outputs) << '\n';
    if (!task.schedule)
      continue;
    printSchedule(os, *task.schedule);
    for (const ScheduleExplanation &variant : task.variants)
      printSchedule(os, variant);
  }
}

static llvm::json::Object toJson(const ScheduleExplanation &schedule) {
  return llvm::json::Object{{"from", schedule.from},
                            {"steps", llvm::json::Array(schedule.steps)},
                            {"loops", llvm::json::Array(schedule.loops)}};
}

static void printJson(llvm::raw_ostream &os, const std::vector<TaskSummary> &tasks) {
  llvm::json::Array all;
  for (const TaskSummary &task : tasks) {
    llvm::json::Object object{{"name", task.name},
                              {"key", task.key},
                              {"weight", task.weight},
                              {"flops", task.flops},
                              {"bytes", task.bytes},
                              {"inputs", llvm::json::Array(task.explanation.inputs)},
                              {"compute", llvm::json::Array(task.explanation.steps)},
                              {"outputs", task.explanation.outputs}};
    if (task.schedule) {
      llvm::json::Object schedule = toJson(*task.schedule);
      for (const ScheduleExplanation &variant : task.variants)
        schedule.try_emplace("variants", llvm::json::Array()).first->second.getAsArray()->push_back(toJson(variant));
      object["schedule"] = std::move(schedule);
    }
    all.push_back(std::move(object));
  }
  os << llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{{"tasks", std::move(all)}}));
}

int TasksCommand::runKernels() const {
  if (options.gpu.empty() || withSchedules || options.naive) {
    report(Severity::Error,
           options.gpu.empty() ? "--kernels: expected --gpu" : "--kernels: expected neither --schedule nor --naive");
    return 1;
  }
  std::optional<KernelList> list = listKernels(options);
  if (!list)
    return 1;
  json ? printKernelsAsJson(llvm::outs(), *list) : printKernels(llvm::outs(), *list);
  return 0;
}

int TasksCommand::run() {
  options.records = records.get();
  options.threads = static_cast<int>(threads);
  if (withKernels)
    return runKernels();
  std::optional<std::vector<TaskSummary>> tasks = listTasks(options, withSchedules);
  if (!tasks)
    return 1;
  json ? printJson(llvm::outs(), *tasks) : print(llvm::outs(), *tasks);
  return 0;
}

std::unique_ptr<Command> cameo::createTasksCommand() { return std::make_unique<TasksCommand>(); }
