#include "utils/cameo/Pages/ModelPage.h"

#include "dialects/Files/PrintableText.h"
#include "utils/Driver/Link/EmbeddedFiles.h"
#include "utils/cameo/Pages/Chart.h"
#include "utils/cameo/Pages/PageHead.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace cameo;
using llvm::StringRef;
namespace json = llvm::json;

static json::Array lines(llvm::ArrayRef<std::string> texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(printable(text));
  return array;
}

// ---- times ----

/// Returns the measured times of one call in ms, by task key.
static llvm::StringMap<double> measuredTimes(const TaskProfile &profile) {
  llvm::StringMap<double> times, calls;
  for (const TaskReport &task : profile.tasks) {
    times[task.key] += task.ms;
    calls[task.key] += static_cast<double>(task.count);
  }
  for (auto &entry : times)
    entry.second /= std::max(1.0, calls.lookup(entry.first()));
  return times;
}

/// Returns the unit of times, which is ms or, without a measurement, cycles, and the peaks of the machine.
static json::Object clockJson(const ModelPage &page) {
  bool isMeasured = page.profile.has_value();
  double cycles = page.threads; // of all threads, in one cycle
  return json::Object{{"measured", isMeasured},
                      {"unit", isMeasured ? "ms" : "cycles"},
                      {"rate", isMeasured ? "GFLOP/s" : "FLOP/cycle"},
                      {"flopsPerUnit", isMeasured ? 1e6 : 1.0}, // of time, for a rate of 1
                      {"flops", isMeasured ? page.profile->peaks->gflops : page.picture.flopsPerCycle * cycles},
                      {"bytes", isMeasured ? page.profile->peaks->readGbs : page.picture.bytesPerCycle * cycles}};
}

// ---- tasks and steps ----

/// Returns the loops of a task, followed by those of the schedules for ranges of sizes.
static std::vector<std::string> loopsOf(const TaskSummary &task) {
  std::vector<std::string> loops = task.schedule->loops;
  for (const ScheduleExplanation &variant : task.variants) {
    loops.push_back(variant.from);
    llvm::append_range(loops, variant.loops);
  }
  return loops;
}

static json::Array tasksJson(const ModelPage &page) {
  llvm::StringMap<double> times = page.profile ? measuredTimes(*page.profile) : llvm::StringMap<double>();
  llvm::StringMap<const MemoryUse::Task *> uses;
  for (const MemoryUse::Task &task : page.picture.memory.tasks)
    uses[task.name] = &task;
  json::Array tasks;
  for (const TaskSummary &task : page.picture.tasks) {
    std::optional<double> time = task.cycles;
    if (page.profile)
      time = times.contains(task.key) ? std::optional(times.lookup(task.key)) : std::nullopt;
    json::Object object{{"name", printable(task.name)},
                        {"key", task.key},
                        {"calls", task.weight},
                        {"flops", task.flops},
                        {"bytes", task.bytes},
                        {"time", time},
                        {"inputs", lines(task.explanation.inputs)},
                        {"compute", lines(task.explanation.steps)},
                        {"outputs", printable(task.explanation.outputs)},
                        {"from", printable(task.schedule->from)},
                        {"schedule", lines(task.schedule->steps)},
                        {"loops", lines(loopsOf(task))}};
    if (const MemoryUse::Task *use = uses.lookup(task.name)) {
      object["weights"] = use->weightBytes;
      object["alive"] = use->aliveBytes;
    }
    tasks.push_back(std::move(object));
  }
  return tasks;
}

/// Returns the steps without constants, which take no time. Stores in `numbers` the new number of each step; a constant
/// gets that of the next step.
static json::Array stepsJson(const ModelPicture &picture, std::vector<int64_t> &numbers) {
  llvm::StringMap<int64_t> tasks;
  for (auto [number, task] : llvm::enumerate(picture.tasks))
    tasks[task.name] = static_cast<int64_t>(number);
  int64_t count = 0;
  for (const MemoryUse::Step &step : picture.memory.steps) {
    numbers.push_back(count);
    count += !step.isConstant;
  }
  json::Array steps;
  for (const MemoryUse::Step &step : picture.memory.steps) {
    if (step.isConstant)
      continue;
    json::Array sources;
    for (int64_t source : step.sources)
      if (source < 0 || !picture.memory.steps[source].isConstant)
        sources.push_back(source < 0 ? source : numbers[source]);
    auto task = tasks.find(step.task);
    steps.push_back(json::Object{{"name", printable(step.task)},
                                 {"nodes", printable(step.nodes)},
                                 {"task", task == tasks.end() ? -1 : task->second},
                                 {"alive", step.aliveBytes},
                                 {"sources", std::move(sources)}});
  }
  return steps;
}

static json::Object arenaJson(const MemoryUse &memory, llvm::ArrayRef<int64_t> numbers) {
  json::Array buffers;
  for (const MemoryUse::Buffer &buffer : memory.buffers)
    buffers.push_back(json::Object{{"name", printable(buffer.task)},
                                   {"nodes", printable(buffer.nodes)},
                                   {"scratch", buffer.isScratch},
                                   {"bytes", buffer.bytes},
                                   {"offset", buffer.offset},
                                   {"first", numbers[buffer.first]},
                                   {"last", numbers[buffer.last]}});
  json::Object arena{{"bytes", memory.arenaBytes},
                     {"alive", memory.aliveBytes},
                     {"open", memory.openBuffers},
                     {"buffers", std::move(buffers)}};
  std::optional<size_t> peak = memory.peak();
  if (peak && memory.steps[*peak].aliveBytes > 0)
    arena["peak"] = numbers[*peak];
  return arena;
}

static json::Value pageJson(const ModelPage &page) {
  std::vector<int64_t> numbers;
  json::Array steps = stepsJson(page.picture, numbers);
  return json::Object{{"clock", clockJson(page)},
                      {"inputs", lines(page.picture.memory.inputs)},
                      {"tasks", tasksJson(page)},
                      {"steps", std::move(steps)},
                      {"arena", arenaJson(page.picture.memory, numbers)}};
}

/// In JSON these characters only occur in strings, where they may be escaped. So no text can end the element or begin a
/// comment.
static void writeData(const json::Value &value, llvm::raw_ostream &os) {
  std::string text = llvm::formatv("{0}", value);
  os << "<script type=\"application/json\" id=\"data\">";
  for (char character : text) {
    if (character == '<' || character == '>' || character == '&')
      os << llvm::formatv("\\u{0:x-4}", static_cast<unsigned>(character));
    else
      os << character;
  }
  os << "</script>\n";
}

void cameo::writeModelPage(const ModelPage &page, llvm::raw_ostream &os) {
  std::string name = llvm::sys::path::filename(page.model).str();
  writePageHead(name, embedded::modelPageStyle(), os);
  os << "<h1>" << escapeHtml(name) << "</h1>\n<p>For " << escapeHtml(page.picture.target) << ", " << page.threads
     << (page.threads == 1 ? " thread. " : " threads. ");
  os << (page.profile ? "Times were measured on this machine: of each task its fastest run."
                      : "Times are estimates, in cycles of the processor: the model of it that schedules are chosen "
                        "by. With --measure they are measured.");
  os << "</p>\n<p id=\"summary\"></p>\n<noscript><p>This page draws with scripts, which are off.</p></noscript>\n"
        "<p class=\"tools\"><input id=\"search\" type=\"search\" placeholder=\"Search tasks: name, nodes, key, "
        "schedule\" aria-label=\"Search tasks\"> <span id=\"found\"></span></p>\n"
        "<h2>Dataflow</h2>\n<p class=\"tools\"><button id=\"smaller\">&minus;</button> <button "
        "id=\"larger\">+</button> <button id=\"whole\">Whole width</button> "
        "Darker boxes take more of the time. A click shows a task below.</p>\n<div id=\"graph\"></div>\n"
        "<div id=\"detail\"></div>\n<h2>Tasks</h2>\n<p>Each once; work and time are those of one call. A click on a "
        "column sorts by it.</p>\n<div class=\"wide\"><table id=\"tasks\"></table></div>\n"
        "<h2>Roofline</h2>\n<div id=\"roofline\"></div>\n<h2>Arena</h2>\n<div id=\"arena\"></div>\n";
  writeData(pageJson(page), os);
  os << "<script>\n"
     << embedded::modelGraphScript() << "</script>\n<script>\n"
     << embedded::modelChartsScript() << "</script>\n<script>\n"
     << embedded::modelPageScript() << "</script>\n</body>\n</html>\n";
}
