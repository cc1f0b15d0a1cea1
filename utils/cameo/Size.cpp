// cameo size: shows the sizes of a model's code, weights and arena, and what they consist of.
#include "dialects/Files/PrintableText.h"
#include "utils/Driver/Inspect/ModelSize.h"
#include "utils/Driver/Run/ModelLibrary.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/cameo/ModelOptions.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cameo;

namespace {

class SizeCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description(
        "Shows how many bytes a compiled model takes: text (code and constants), weights, and the arena, which is the "
        "memory that a run needs besides inputs, outputs and weights. Lists the buffers at the arena's peak, and text "
        "and weights of each task. For an object or a library the arena is not known.");
    line.positional("MODEL.onnx|OBJECT",
                    "An ONNX file, which is compiled like with 'cameo compile', or an object or shared library that "
                    "'cameo compile' wrote.",
                    options.model);
    line.group("options");
    declareDimensions(line, options.sizes);
    declareForms(line, options.forms);
    declarePlugins(line, options.plugins);
    declareExterns(line, options.externs);
    declareTarget(line, options, /*several=*/true);
    line.integer("--threads", "N", "Threads that schedules are made for. Default: 1.", threads, 1, CAMEO_MAX_THREADS);
    records.declare(line);
    declareRounding(line, options);
    line.flag("--naive", "Of the reference path: one task per operator.", options.naive);
    line.flag("--json", "Print JSON instead of text, with the arena step by step.", json);
    line.example("cameo size resnet18.onnx --target=aarch64-linux-gnu",
                 "Prints what the model takes on another machine.");
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

static void printPeak(llvm::raw_ostream &os, const ModelSize::Variant &variant) {
  const MemoryUse &memory = *variant.memory;
  std::optional<size_t> peak = memory.peak();
  if (!peak || memory.steps[*peak].aliveBytes == 0)
    return;
  const MemoryUse::Step &step = memory.steps[*peak];
  os << "\nalive at the peak" << variant.forCpu() << ", in " << taskText(step.task, step.nodes) << ":\n";
  for (const MemoryUse::Buffer &buffer : memory.buffers)
    if (buffer.first <= static_cast<int64_t>(*peak) && static_cast<int64_t>(*peak) <= buffer.last)
      os << llvm::formatv("{0,14}  {1} of {2}\n", buffer.bytes, buffer.isScratch ? "scratch" : "result",
                          taskText(buffer.task, buffer.nodes));
}

static void printVariants(llvm::raw_ostream &os, const ModelSize &size) {
  bool isModel = size.variants.front().memory.has_value();
  os << "\nprocessors, in bytes:\n" << llvm::formatv("{0,14}", "code");
  if (isModel)
    os << llvm::formatv("{0,14}{1,14}", "weights", "arena");
  os << "  processor\n";
  for (const ModelSize::Variant &variant : size.variants) {
    os << llvm::formatv("{0,14}", variant.code);
    if (isModel)
      os << llvm::formatv("{0,14}{1,14}", variant.weights, variant.arena);
    os << "  " << variant.cpu << '\n';
  }
}

static void printTasks(llvm::raw_ostream &os, const ModelSize::Variant &variant) {
  os << "\ntasks" << variant.forCpu() << ", in bytes:\n";
  if (!variant.memory) {
    os << llvm::formatv("{0,14}  task\n", "code");
    for (const auto &[name, code] : variant.taskCode)
      os << llvm::formatv("{0,14}  {1}\n", code, name);
    return;
  }
  os << llvm::formatv("{0,14}{1,14}{2,14}{3,7}  task\n", "code", "weights", "alive", "calls");
  for (const MemoryUse::Task &task : variant.memory->tasks)
    os << llvm::formatv("{0,14}{1,14}{2,14}{3,7}  {4}\n", variant.codeOf(task.name), task.weightBytes, task.aliveBytes,
                        task.calls, taskText(task.name, task.nodes));
}

static void print(llvm::raw_ostream &out, const ModelSize &size) {
  PrintableStream os(out);
  os << "for " << size.target << "\n\n"
     << llvm::formatv("text    {0,14} bytes: code {1}, constants {2}\n", size.text(), size.code, size.constants)
     << llvm::formatv("weights {0,14} bytes{1}\n", size.weights, size.hasExternalWeights ? ", in a separate file" : "");
  if (const std::optional<MemoryUse> &memory = size.largestArena().memory) {
    os << llvm::formatv("arena   {0,14} bytes, of which at most {1} are alive at once\n", memory->arenaBytes,
                        memory->aliveBytes);
    if (memory->openBuffers > 0)
      os << "        and " << memory->openBuffers << " buffers whose sizes each run chooses\n";
  }
  if (size.variants.size() > 1)
    printVariants(os, size);
  for (const ModelSize::Variant &variant : size.variants) {
    if (variant.memory)
      printPeak(os, variant);
    printTasks(os, variant);
  }
}

// ---- JSON ----

static llvm::json::Object arenaJson(const MemoryUse &memory) {
  llvm::json::Array steps, buffers;
  for (const MemoryUse::Step &step : memory.steps)
    steps.push_back(llvm::json::Object{{"task", step.task}, {"nodes", step.nodes}, {"alive", step.aliveBytes}});
  for (const MemoryUse::Buffer &buffer : memory.buffers)
    buffers.push_back(llvm::json::Object{{"task", buffer.task},
                                         {"nodes", buffer.nodes},
                                         {"scratch", buffer.isScratch},
                                         {"bytes", buffer.bytes},
                                         {"offset", buffer.offset},
                                         {"first", buffer.first},
                                         {"last", buffer.last}});
  llvm::json::Object arena{
      {"bytes", memory.arenaBytes}, {"alive", memory.aliveBytes}, {"open_buffers", memory.openBuffers}};
  if (std::optional<size_t> peak = memory.peak())
    arena["peak"] = static_cast<int64_t>(*peak);
  arena["steps"] = std::move(steps);
  arena["buffers"] = std::move(buffers);
  return arena;
}

static llvm::json::Array tasksJson(const ModelSize::Variant &variant) {
  llvm::json::Array tasks;
  if (!variant.memory)
    for (const auto &[name, code] : variant.taskCode)
      tasks.push_back(llvm::json::Object{{"name", name}, {"code", code}});
  else
    for (const MemoryUse::Task &task : variant.memory->tasks)
      tasks.push_back(llvm::json::Object{{"name", task.name},
                                         {"key", task.key},
                                         {"nodes", task.nodes},
                                         {"calls", task.calls},
                                         {"code", variant.codeOf(task.name)},
                                         {"weights", task.weightBytes},
                                         {"alive", task.aliveBytes}});
  return tasks;
}

/// Returns the part of the output that exists for each CPU.
static llvm::json::Object variantJson(const ModelSize::Variant &variant) {
  llvm::json::Object json{{"tasks", tasksJson(variant)}};
  if (!variant.memory)
    return json;
  json["arena"] = arenaJson(*variant.memory);
  llvm::json::Array weights;
  for (const MemoryUse::Weight &weight : variant.memory->weights)
    weights.push_back(llvm::json::Object{
        {"task", weight.task}, {"nodes", weight.nodes}, {"type", weight.type}, {"bytes", weight.bytes}});
  json["weight_tensors"] = std::move(weights);
  return json;
}

static void printJson(llvm::raw_ostream &os, const ModelSize &size) {
  llvm::json::Object all = size.variants.size() == 1 ? variantJson(size.variants.front()) : llvm::json::Object();
  all["target"] = size.target;
  all["text"] = size.text();
  all["code"] = size.code;
  all["constants"] = size.constants;
  all["weights"] = size.weights;
  all["external_weights"] = size.hasExternalWeights;
  if (size.variants.size() > 1) {
    llvm::json::Array variants;
    for (const ModelSize::Variant &variant : size.variants) {
      llvm::json::Object json = variantJson(variant);
      json["cpu"] = variant.cpu;
      json["code"] = variant.code;
      if (variant.memory)
        json["weights"] = variant.weights;
      variants.push_back(std::move(json));
    }
    all["processors"] = std::move(variants);
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
