#include "utils/cameo/Pages/ReportPage.h"

#include "autotune/Records/BestRecord.h"
#include "utils/cameo/Pages/Chart.h"
#include "utils/cameo/Pages/PageHead.h"
#include "utils/cameo/Pages/ReportDevices.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <ctime>

using namespace cameo;
using namespace cameo::autotune;
using llvm::StringRef;

namespace {

/// The costs so far, over trials and over seconds of tuning.
struct Course {
  Series overTrials, overTime;

  void add(double trials, double seconds, double cost) {
    overTrials.points.push_back({trials, cost});
    overTime.points.push_back({seconds, cost});
  }
};

/// The contents of the page about one task.
struct TaskStory {
  std::string key, name;
  double flops = 0;
  unsigned threads = 1, trials = 0;
  bool isForSome = false; // whether it is for a range of sizes, which has a story of its own
  std::map<ErrorKind, unsigned> failures;
  std::map<ErrorKind, std::string> reasons; // one message of each kind
  const TuningRecord *best = nullptr;       // the record that compiling would use
  double firstSeconds = 0;                  // cost of the first candidate that could be the best
  Course measured{{{}, /*isLine=*/false}, {{}, /*isLine=*/false}}, lowest;
  const TaskInsight *insight = nullptr;

  double gflops() const { return flops / best->cost() * 1e-9; }
};

class Page {
public:
  Page(llvm::ArrayRef<TuningRecord> records, const MachinePeaks &peaks,
       const std::map<std::string, TaskInsight> &insights, llvm::raw_ostream &os)
      : records(records), deciding(decisive(records)), peaks(peaks), insights(insights), os(os) {
    findTimes();
    collect();
    addUpTotal();
  }

  void write();

private:
  void findTimes();
  void collect();
  void addRecord(TaskStory &task, const TuningRecord &record, double seconds);
  void addUpTotal();
  void writeTable();
  void writeRoofline();
  void writeTask(size_t number, const TaskStory &task);
  void writeBest(const TaskStory &task);

  bool isCandidate(const TuningRecord &record) const {
    return mayBeBest(record) && llvm::binary_search(deciding, &record);
  }

  llvm::ArrayRef<TuningRecord> records;
  std::vector<const TuningRecord *> deciding; // sorted by address
  const MachinePeaks &peaks;
  const std::map<std::string, TaskInsight> &insights;
  llvm::raw_ostream &os;
  std::vector<double> seconds; // of each record, since the first one, without pauses
  std::vector<TaskStory> tasks;
  Course total;
};

} // namespace

static std::string millisecondsText(double seconds) { return llvm::formatv("{0:F4}", seconds * 1e3); }

// ---- what the records say ----

/// Computes the times of the records without pauses, because hours may pass between runs of the tuner.
void Page::findTimes() {
  constexpr double pauseSeconds = 300;
  double elapsed = 0, before = 0;
  for (const TuningRecord &record : records) {
    std::tm parts = {};
    double now =
        strptime(record.time.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) ? static_cast<double>(timegm(&parts)) : before;
    bool isContinued = !seconds.empty() && now > before && now - before < pauseSeconds;
    elapsed += isContinued ? now - before : 0;
    seconds.push_back(elapsed);
    before = now;
  }
}

void Page::addRecord(TaskStory &task, const TuningRecord &record, double at) {
  if (!record.isRelease)
    ++task.trials;
  if (!record.isValid()) {
    ++task.failures[record.error.kind];
    task.reasons.try_emplace(record.error.kind, record.error.message);
    return;
  }
  if (!record.isRelease) {
    double cost = record.cost() * 1e3,
           before = task.lowest.overTrials.points.empty() ? cost : task.lowest.overTrials.points.back().second;
    task.measured.add(task.trials, at, cost);
    task.lowest.add(task.trials, at, std::min(before, cost));
  } else if (isCandidate(record)) {
    if (!task.best)
      task.firstSeconds = record.cost();
    keepFaster(task.best, record);
  }
}

/// Collects the tasks in the order of their first records. Records of the same task with another number of threads, for
/// another processor or for a range of sizes belong to another story.
void Page::collect() {
  std::map<std::tuple<std::string, std::string, unsigned, std::string>, size_t> places;
  for (auto [record, at] : llvm::zip_equal(records, seconds)) {
    std::string ranges = rangesText(record.ranges);
    auto [place, isNew] = places.try_emplace({record.task, record.cpu, record.threads, ranges}, tasks.size());
    if (isNew) {
      TaskStory task;
      task.key = record.task;
      task.name = ranges.empty() ? record.name : record.name + " where " + ranges;
      task.isForSome = !ranges.empty();
      task.flops = record.flops;
      task.threads = record.threads;
      if (auto insight = insights.find(record.task); insight != insights.end() && !task.isForSome)
        task.insight = &insight->second;
      tasks.push_back(std::move(task));
    }
    addRecord(tasks[place->second], record, at);
  }
}

/// Adds up the best costs of all tasks, each once and for all sizes. There is no sum until every task has a cost.
void Page::addUpTotal() {
  size_t wanted = llvm::count_if(tasks, [](const TaskStory &task) { return !task.isForSome; });
  std::map<std::tuple<std::string, std::string, unsigned>, const TuningRecord *> bests;
  unsigned trials = 0;
  for (auto [record, at] : llvm::zip_equal(records, seconds)) {
    trials += !record.isRelease;
    if (!isCandidate(record) || !record.ranges.empty())
      continue;
    keepFaster(bests[{record.task, record.cpu, record.threads}], record);
    double sum = 0;
    for (const auto &[task, fastest] : bests)
      sum += fastest->cost() * 1e3;
    if (bests.size() == wanted)
      total.add(trials, at, sum);
  }
}

// ---- the page ----

void Page::writeTable() {
  os << "<div class=\"wide\"><table>\n<tr><th>task</th><th>threads</th><th>trials</th><th>failed</th><th>first, "
        "ms</th><th>best, ms</th>"
        "<th>95 % interval, ms</th><th>of default</th><th>GFLOPS</th><th>of peak</th></tr>\n";
  for (const auto &[number, task] : llvm::enumerate(tasks)) {
    unsigned failed = 0;
    for (auto [kind, count] : task.failures)
      failed += count;
    os << llvm::formatv("<tr><td><a href=\"#task{0}\">{1}</a></td><td>{2}</td><td>{3}</td><td>{4}</td>", number,
                        escapeHtml(task.name), task.threads, task.trials, failed);
    if (!task.best) {
      os << "<td>-</td><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>\n";
      continue;
    }
    CostInterval interval = costInterval(task.best->costs);
    os << llvm::formatv(
        "<td>{0}</td><td>{1}</td><td>{2} to {3}</td><td>{4:F3}</td><td>{5:F1}</td><td>{6:F0} %</td></tr>\n",
        millisecondsText(task.firstSeconds), millisecondsText(interval.median), millisecondsText(interval.low),
        millisecondsText(interval.high), task.best->relativeCost().median, task.gflops(),
        100 * task.gflops() / (peaks.gflops * task.threads));
  }
  os << "</table></div>\n";
}

/// What a processor can reach with so many operations per byte, and what tasks do (Williams, Waterman, Patterson,
/// "Roofline", 2009). Per thread.
void Page::writeRoofline() {
  Series roof, positions{{}, /*isLine=*/false};
  double least = 1, most = 1;
  for (const TaskStory &task : tasks) {
    if (!task.best || !task.insight || task.flops <= 0 || task.insight->bytes <= 0)
      continue;
    double intensity = task.flops / task.insight->bytes, gflops = task.gflops() / task.threads;
    least = std::min(least, intensity);
    most = std::max(most, intensity);
    positions.points.push_back({intensity, gflops});
    positions.names.push_back(llvm::formatv("{0}: {1:F1} GFLOPS, {2:F0} % of what its operations per byte allow",
                                            task.name, gflops,
                                            100 * gflops / std::min(peaks.gflops, peaks.readGbs * intensity)));
  }
  if (positions.points.empty())
    return;
  double ridge = peaks.gflops / peaks.readGbs;
  for (double intensity : {std::min(least, ridge), ridge, std::max(most, ridge)})
    roof.points.push_back({intensity, std::min(peaks.gflops, peaks.readGbs * intensity)});
  writeChart(
      llvm::formatv(
          "Roofline of one thread: {0:F0} GFLOPS, {1:F1} GB/s from memory. Tasks in caches may be above its slope.",
          peaks.gflops, peaks.readGbs)
          .str(),
      {roof, positions}, {"FLOP per byte read or written", true}, {"GFLOPS", true}, os);
}

void Page::writeBest(const TaskStory &task) {
  if (task.insight && !task.insight->loops.empty()) {
    os << "<details open><summary>best schedule, as loops</summary><pre>";
    for (const std::string &line : task.insight->loops)
      os << escapeHtml(line) << '\n';
    os << "</pre></details>\n";
  }
  StringRef steps = task.best->schedule;
  steps.consume_front("#schedule.steps<");
  steps.consume_back(">");
  os << "<details><summary>best schedule, as steps</summary><pre>";
  StringRef next = ", #schedule.";
  for (size_t at; (at = steps.find(next)) != StringRef::npos; steps = steps.drop_front(at + 2))
    os << escapeHtml(steps.take_front(at)) << '\n';
  os << escapeHtml(steps) << "</pre></details>\n";
}

void Page::writeTask(size_t number, const TaskStory &task) {
  os << llvm::formatv(
      "<h2 id=\"task{0}\">{1}</h2>\n<p class=\"key\">key {2}, {3:e2} FLOP per call</p>\n<div class=\"charts\">\n",
      number, escapeHtml(task.name), escapeHtml(task.key), task.flops);
  Axis cost{"ms", false, /*cutsHigh=*/true};
  writeChart("Each trial, and the lowest cost so far", {task.measured.overTrials, task.lowest.overTrials}, {"trials"},
             cost, os);
  writeChart("The same over time of tuning", {task.measured.overTime, task.lowest.overTime}, {"s"}, cost, os);
  if (task.insight)
    writeChart("Predicted by the cost model, and measured", {{task.insight->predictions, /*isLine=*/false}},
               {"score of the cost model, above the lowest"}, {"part of the fastest one's speed"}, os);
  os << "</div>\n";
  if (!task.failures.empty()) {
    os << "<ul>\n";
    for (auto [kind, count] : task.failures)
      os << "<li>" << count << " " << errorKindName(kind) << ", such as: " << escapeHtml(task.reasons.at(kind))
         << "</li>\n";
    os << "</ul>\n";
  }
  if (task.best)
    writeBest(task);
}

void Page::write() {
  unsigned trials = 0;
  for (const TaskStory &task : tasks)
    trials += task.trials;
  writePageHead("Tuning report", "", os);
  os << "<h1>Tuning report</h1>\n";
  os << llvm::formatv(
      "<p>{0} tasks, {1} trials, {2:F0} s of tuning (pauses of five minutes and more left out). Costs are medians of "
      "one call; a task counts as done "
      "when its result was compared with the naive path. The best schedule is the one that was fastest against the "
      "default schedule, measured in turns; for some sizes of a task, against that for all. The peak is {3:F0} GFLOPS "
      "per thread; convolutions by Winograd take fewer "
      "operations than are counted, and may be above it.</p>\n",
      tasks.size(), trials, seconds.empty() ? 0 : seconds.back(), peaks.gflops);
  if (insights.empty())
    os << "<p>With --model this page also shows schedules as loops, positions below the roofline, and what the cost "
          "model predicted.</p>\n";
  writeTable();
  os << "<h2>All tasks</h2>\n<p>Sum of the best costs, each task once, from the trial on that gave the last task its "
        "first one.</p>\n<div class=\"charts\">\n";
  writeChart("Over trials", {total.overTrials}, {"trials"}, {"ms", false, /*cutsHigh=*/true}, os);
  writeChart("Over time of tuning", {total.overTime}, {"s"}, {"ms", false, /*cutsHigh=*/true}, os);
  writeRoofline();
  os << "</div>\n";
  writeDevices(records, seconds, os);
  for (const auto &[number, task] : llvm::enumerate(tasks))
    writeTask(number, task);
  os << "</body>\n</html>\n";
}

void cameo::writeReport(llvm::ArrayRef<TuningRecord> records, const MachinePeaks &peaks,
                        const std::map<std::string, TaskInsight> &insights, llvm::raw_ostream &os) {
  Page(records, peaks, insights, os).write();
}
