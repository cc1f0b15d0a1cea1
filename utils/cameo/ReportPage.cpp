#include "utils/cameo/ReportPage.h"

#include "utils/cameo/LineChart.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

/// What the page says of one task.
struct TaskStory {
  std::string key, name;
  double flops = 0;
  unsigned threads = 1, trials = 0;
  std::map<ErrorKind, unsigned> failures;
  std::map<ErrorKind, std::string> reasons; // one message of each kind
  const TuningRecord *best = nullptr;       // compiled thoroughly and compared
  double firstSeconds = 0;                  // of the first one that was
  Series measured{"measured", {}, /*isLine=*/false}, lowest{"best so far", {}, /*isLine=*/true};
};

} // namespace

static std::string escape(StringRef text) {
  std::string escaped;
  for (char character : text) {
    switch (character) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += character;
    }
  }
  return escaped;
}

static std::string milliseconds(double seconds) { return llvm::formatv("{0:F4}", seconds * 1e3); }

static void addRecord(TaskStory &task, const TuningRecord &record) {
  if (!record.isRelease)
    ++task.trials;
  if (!record.isValid()) {
    ++task.failures[record.error.kind];
    task.reasons.try_emplace(record.error.kind, record.error.message);
    return;
  }
  if (!record.isRelease) {
    task.measured.points.push_back({double(task.trials), record.cost() * 1e3});
    double before = task.lowest.points.empty() ? record.cost() * 1e3 : task.lowest.points.back().second;
    task.lowest.points.push_back({double(task.trials), std::min(before, record.cost() * 1e3)});
  } else if (record.proof) {
    if (!task.best)
      task.firstSeconds = record.cost();
    if (!task.best || record.cost() < task.best->cost())
      task.best = &record;
  }
}

/// In the order of their first records; the same task with other threads or on another processor is another story.
static std::vector<TaskStory> collect(llvm::ArrayRef<TuningRecord> records) {
  std::vector<TaskStory> tasks;
  std::map<std::tuple<std::string, std::string, unsigned>, size_t> places;
  for (const TuningRecord &record : records) {
    auto [place, isNew] = places.try_emplace({record.task, record.cpu, record.threads}, tasks.size());
    if (isNew) {
      TaskStory task;
      task.key = record.task;
      task.name = record.name;
      task.flops = record.flops;
      task.threads = record.threads;
      tasks.push_back(std::move(task));
    }
    addRecord(tasks[place->second], record);
  }
  return tasks;
}

/// Sum of the best costs of all tasks, once each, over all trials: complete when every task has one.
static Series totalOverTrials(llvm::ArrayRef<TuningRecord> records, size_t taskCount) {
  Series total{"sum of best costs", {}, /*isLine=*/true};
  std::map<std::tuple<std::string, std::string, unsigned>, double> bests;
  unsigned trials = 0;
  for (const TuningRecord &record : records) {
    trials += !record.isRelease;
    if (!record.isRelease || !record.isValid() || !record.proof)
      continue;
    auto [best, isNew] = bests.try_emplace({record.task, record.cpu, record.threads}, record.cost());
    best->second = std::min(best->second, record.cost());
    double sum = 0;
    for (const auto &[task, cost] : bests)
      sum += cost * 1e3;
    if (bests.size() == taskCount)
      total.points.push_back({double(trials), sum});
  }
  return total;
}

static void writeHead(llvm::raw_ostream &os) {
  os << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Tuning report</title>\n<style>\n"
        "body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\n"
        "table{border-collapse:collapse;width:100%}th,td{text-align:right;padding:.2rem .6rem;border-bottom:1px solid #ddd}\n"
        "th:first-child,td:first-child{text-align:left}pre{background:#f5f5f5;padding:.6rem;overflow-x:auto;font-size:12px}\n"
        "svg{width:100%;height:auto}.bar{fill:#4878a8}.dot{fill:#bbb}.line{fill:none;stroke:#b03a2e;stroke-width:2}\n"
        ".axis{stroke:#888}text{font:11px system-ui,sans-serif;fill:#444}h2{margin-top:2.5rem}\n"
        "</style>\n</head>\n<body>\n<h1>Tuning report</h1>\n";
}

static void writeTable(llvm::ArrayRef<TaskStory> tasks, double peakGflops, llvm::raw_ostream &os) {
  os << "<table>\n<tr><th>task</th><th>threads</th><th>trials</th><th>failed</th><th>first, ms</th><th>best, ms</th>"
        "<th>95 % interval, ms</th><th>GFLOPS</th><th>of peak</th></tr>\n";
  for (const auto &[number, task] : llvm::enumerate(tasks)) {
    unsigned failed = 0;
    for (auto [kind, count] : task.failures)
      failed += count;
    os << llvm::formatv("<tr><td><a href=\"#task{0}\">{1}</a></td><td>{2}</td><td>{3}</td><td>{4}</td>", number,
                        escape(task.name), task.threads, task.trials, failed);
    if (!task.best) {
      os << "<td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>\n";
      continue;
    }
    CostInterval interval = costInterval(task.best->costs);
    double gflops = task.flops / interval.median * 1e-9;
    os << llvm::formatv("<td>{0}</td><td>{1}</td><td>{2} to {3}</td><td>{4:F1}</td><td>{5:F0} %</td></tr>\n",
                        milliseconds(task.firstSeconds), milliseconds(interval.median), milliseconds(interval.low),
                        milliseconds(interval.high), gflops, 100 * gflops / (peakGflops * task.threads));
  }
  os << "</table>\n";
}

static void writeTask(size_t number, const TaskStory &task, llvm::raw_ostream &os) {
  os << llvm::formatv("<h2 id=\"task{0}\">{1}</h2>\n<p>key {2}, {3:e2} FLOP per call</p>\n", number, escape(task.name), escape(task.key),
                      task.flops);
  writeChart({task.measured, task.lowest}, "trials", "ms", os);
  if (!task.failures.empty()) {
    os << "<ul>\n";
    for (auto [kind, count] : task.failures)
      os << "<li>" << count << " " << errorKindName(kind) << ", such as: " << escape(task.reasons.at(kind)) << "</li>\n";
    os << "</ul>\n";
  }
  if (!task.best)
    return;
  StringRef steps = task.best->schedule;
  steps.consume_front("#schedule.steps<");
  steps.consume_back(">");
  std::string text = escape(steps);
  for (size_t at = 0; (at = text.find(", #schedule.", at)) != std::string::npos;)
    text.replace(at, 2, "\n");
  os << "<details><summary>best schedule</summary><pre>" << text << "</pre></details>\n";
}

void cameo::writeReport(llvm::ArrayRef<TuningRecord> records, double peakGflops, llvm::raw_ostream &os) {
  std::vector<TaskStory> tasks = collect(records);
  unsigned trials = 0;
  for (const TaskStory &task : tasks)
    trials += task.trials;
  writeHead(os);
  os << llvm::formatv("<p>{0} tasks, {1} trials. Costs are medians of one call; a task counts as done when its result was compared with the "
                      "naive path. The peak is {2:F0} GFLOPS per thread; convolutions by Winograd take fewer operations than are "
                      "counted, and may be above it.</p>\n",
                      tasks.size(), trials, peakGflops);
  writeTable(tasks, peakGflops, os);
  os << "<h2>All tasks</h2>\n<p>Sum of the best costs, each task once.</p>\n";
  writeChart({totalOverTrials(records, tasks.size())}, "trials", "ms", os);
  for (const auto &[number, task] : llvm::enumerate(tasks))
    writeTask(number, task, os);
  os << "</body>\n</html>\n";
}
