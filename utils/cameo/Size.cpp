// cameo size: text, weights and arena of a model, and what takes them.
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/ModelLibrary.h"
#include "utils/Driver/ModelSize.h"
#include "utils/cameo/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cameo;

namespace {

class SizeCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Shows how many bytes a compiled model takes: text (code and constants), weights, and the arena, the memory that a run needs besides inputs, "
                     "outputs and weights; what lives in it at its peak; and the same of each task. An object or a library says nothing of its arena.");
    line.positional("MODEL.onnx|OBJECT", "The model, which is compiled as 'cameo compile' does, or an object or shared library that it wrote.", options.model);
    line.group("options");
    declareDimensions(line, options.sizes);
    declareForms(line, options.forms);
    declarePlugins(line, options.plugins);
    declareExterns(line, options.externs);
    declareTarget(line, options);
    line.integer("--threads", "N", "Threads that schedules are made for. Default: 1.", threads, 1, CAMEO_MAX_THREADS);
    records.declare(line);
    declareRounding(line, options);
    line.flag("--naive", "Of the reference path: one task per operator.", options.naive);
    line.flag("--json", "Print JSON instead of text, with the arena step by step.", json);
    line.example("cameo size resnet18.onnx --target=aarch64-linux-gnu", "Prints what the model takes on another machine.");
    line.example("cameo size resnet18.o", "Prints what an object holds.");
  }

  int run() override;

private:
  CompileOptions options;
  RecordsArguments records;
  int64_t threads = 1;
  bool json = false;
};

} // namespace

// ---- text ----

static void printPeak(llvm::raw_ostream &os, const MemoryUse &memory) {
  std::optional<size_t> peak = memory.peak();
  if (!peak || memory.steps[*peak].aliveBytes == 0)
    return;
  const MemoryUse::Step &step = memory.steps[*peak];
  os << "\nalive at the peak, in " << taskText(step.task, step.nodes) << ":\n";
  for (const MemoryUse::Buffer &buffer : memory.buffers)
    if (buffer.first <= static_cast<int64_t>(*peak) && static_cast<int64_t>(*peak) <= buffer.last)
      os << llvm::formatv("{0,14}  {1} of {2}\n", buffer.bytes, buffer.isScratch ? "scratch" : "result", taskText(buffer.task, buffer.nodes));
}

static void printTasks(llvm::raw_ostream &os, const ModelSize &size) {
  os << "\ntasks, in bytes:\n";
  if (!size.memory) {
    os << llvm::formatv("{0,14}  task\n", "code");
    for (const auto &[name, code] : size.taskCode)
      os << llvm::formatv("{0,14}  {1}\n", code, name);
    return;
  }
  os << llvm::formatv("{0,14}{1,14}{2,14}{3,7}  task\n", "code", "weights", "alive", "calls");
  for (const MemoryUse::Task &task : size.memory->tasks)
    os << llvm::formatv("{0,14}{1,14}{2,14}{3,7}  {4}\n", size.codeOf(task.name), task.weightBytes, task.aliveBytes, task.calls,
                        taskText(task.name, task.nodes));
}

static void print(llvm::raw_ostream &out, const ModelSize &size) {
  PrintableStream os(out);
  os << "for " << size.target << "\n\n"
     << llvm::formatv("text    {0,14} bytes: code {1}, constants {2}\n", size.text(), size.code, size.constants)
     << llvm::formatv("weights {0,14} bytes{1}\n", size.weights, size.hasExternalWeights ? ", in a file of their own" : "");
  if (const std::optional<MemoryUse> &memory = size.memory) {
    os << llvm::formatv("arena   {0,14} bytes, of which at most {1} are alive at once\n", memory->arenaBytes, memory->aliveBytes);
    if (memory->openBuffers > 0)
      os << "        and " << memory->openBuffers << " buffers whose sizes each run chooses\n";
    printPeak(os, *memory);
  }
  printTasks(os, size);
}

// ---- JSON ----

static llvm::json::Object arenaJson(const MemoryUse &memory) {
  llvm::json::Array steps, buffers;
  for (const MemoryUse::Step &step : memory.steps)
    steps.push_back(llvm::json::Object{{"task", step.task}, {"nodes", step.nodes}, {"alive", step.aliveBytes}});
  for (const MemoryUse::Buffer &buffer : memory.buffers)
    buffers.push_back(llvm::json::Object{{"task", buffer.task}, {"nodes", buffer.nodes}, {"scratch", buffer.isScratch}, {"bytes", buffer.bytes},
                                         {"offset", buffer.offset}, {"first", buffer.first}, {"last", buffer.last}});
  llvm::json::Object arena{{"bytes", memory.arenaBytes}, {"alive", memory.aliveBytes}, {"open_buffers", memory.openBuffers}};
  if (std::optional<size_t> peak = memory.peak())
    arena["peak"] = static_cast<int64_t>(*peak);
  arena["steps"] = std::move(steps);
  arena["buffers"] = std::move(buffers);
  return arena;
}

static llvm::json::Array tasksJson(const ModelSize &size) {
  llvm::json::Array tasks;
  if (!size.memory)
    for (const auto &[name, code] : size.taskCode)
      tasks.push_back(llvm::json::Object{{"name", name}, {"code", code}});
  else
    for (const MemoryUse::Task &task : size.memory->tasks)
      tasks.push_back(llvm::json::Object{{"name", task.name}, {"key", task.key}, {"nodes", task.nodes}, {"calls", task.calls},
                                         {"code", size.codeOf(task.name)}, {"weights", task.weightBytes}, {"alive", task.aliveBytes}});
  return tasks;
}

static void printJson(llvm::raw_ostream &os, const ModelSize &size) {
  llvm::json::Object all{{"target", size.target}, {"text", size.text()}, {"code", size.code}, {"constants", size.constants},
                         {"weights", size.weights}, {"external_weights", size.hasExternalWeights}, {"tasks", tasksJson(size)}};
  if (size.memory) {
    all["arena"] = arenaJson(*size.memory);
    llvm::json::Array weights;
    for (const MemoryUse::Weight &weight : size.memory->weights)
      weights.push_back(llvm::json::Object{{"task", weight.task}, {"nodes", weight.nodes}, {"type", weight.type}, {"bytes", weight.bytes}});
    all["weight_tensors"] = std::move(weights);
  }
  os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}

int SizeCommand::run() {
  options.records = records.get();
  options.threads = static_cast<int>(threads);
  std::optional<ModelSize> size;
  if (isElfFile(options.model)) {
    llvm::Expected<ModelSize> measured = measureObject(options.model);
    if (!measured)
      return fail(measured.takeError());
    size = std::move(*measured);
  } else {
    size = measureModel(options);
  }
  if (!size)
    return 1;
  json ? printJson(llvm::outs(), *size) : print(llvm::outs(), *size);
  return 0;
}

std::unique_ptr<Command> cameo::createSizeCommand() { return std::make_unique<SizeCommand>(); }
