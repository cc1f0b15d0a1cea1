#include "utils/cameo/Bench/BenchReport.h"

#include "dialects/Files/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <tuple>

using namespace cameo;

TaskReport TaskProfile::total() const {
  TaskReport total{};
  for (const TaskReport &task : tasks) {
    total.count += task.count;
    total.ms += task.ms;
    total.flops += task.flops;
    total.bytes += task.bytes;
  }
  if (!llvm::all_of(tasks, [](const TaskReport &task) { return task.isKnown(); }))
    total.flops = total.bytes = -1;
  return total;
}

std::optional<double> TaskProfile::percentOfPeak(const TaskReport &task) const {
  if (!peaks || !task.isKnown())
    return std::nullopt;
  return 100 * peaks->leastSeconds(task.flops, task.bytes) / task.seconds();
}

std::optional<double> TaskProfile::percentOfPeak() const {
  TaskReport all = total();
  if (!peaks || !all.isKnown())
    return std::nullopt;
  double least = 0;
  for (const TaskReport &task : tasks)
    least += peaks->leastSeconds(task.flops, task.bytes);
  return 100 * least / all.seconds();
}

static void printColumns(const TaskReport &task, double percentOfTime, std::optional<double> percentOfPeak,
                         llvm::raw_ostream &os) {
  os << llvm::format("%10.4f  %5.1f  %5llu  ", task.ms, percentOfTime, static_cast<unsigned long long>(task.count));
  if (task.isKnown())
    os << llvm::format("%7.1f  %6.1f  ", task.flops / task.seconds() / 1e9, task.bytes / task.seconds() / 1e9);
  else
    os << "      -       -  ";
  if (percentOfPeak)
    os << llvm::format("%6.1f  ", *percentOfPeak);
  else
    os << "     -  ";
}

static void printTasks(const TaskProfile &profile, llvm::raw_ostream &os) {
  TaskReport total = profile.total();
  os << '\n';
  if (profile.peaks)
    os << llvm::format("peak: %.1f GFLOP/s, %.1f GB/s\n", profile.peaks->gflops, profile.peaks->readGbs);
  os << "    ms/run      %  count  GFLOP/s    GB/s  % peak  key                               task\n";
  std::vector<const TaskReport *> order;
  for (const TaskReport &task : profile.tasks)
    order.push_back(&task);
  llvm::sort(order, [](auto *a, auto *b) { return std::tie(b->ms, a->name) < std::tie(a->ms, b->name); });
  for (const TaskReport *task : order) {
    printColumns(*task, total.ms > 0 ? 100 * task->ms / total.ms : 0.0, profile.percentOfPeak(*task), os);
    os << llvm::left_justify(task->key, 32) << "  " << printable(task->name) << '\n'
       << llvm::left_justify("", 86) << task->schedule << '\n';
  }
  printColumns(total, 100, profile.percentOfPeak(), os);
  os << llvm::format("all %zu tasks\n", profile.tasks.size());
}

/// Returns the tokens per second of the whole batch.
static double tokensPerSecond(const StepTimes &steps, int64_t tokens, double ms) {
  return static_cast<double>(steps.batch * tokens) / ms * 1e3;
}

/// Returns the bandwidth of the fastest session's steps as a percentage of the machine's read bandwidth.
static std::optional<double> percentOfReading(const BenchReport &report) {
  if (!report.stepBytes || !report.profile || !report.profile->peaks)
    return std::nullopt;
  return 100 * *report.stepBytes / (report.steps->step.minMs * 1e6) / report.profile->peaks->readGbs;
}

static void printSteps(const BenchReport &report, llvm::raw_ostream &os) {
  const StepTimes &steps = *report.steps;
  os << llvm::left_justify("", 24) << "       min ms  median ms   tokens/s  % of reading\n";
  auto line = [&](const std::string &what, SideTimes times, int64_t tokens) {
    os << llvm::left_justify(what, 24)
       << llvm::format("  %11.5g  %9.5g  %9.5g", times.minMs, times.medianMs,
                       tokensPerSecond(steps, tokens, times.minMs));
  };
  line("prompt of " + std::to_string(steps.counts.prompt), steps.prompt, steps.counts.prompt);
  os << "             -\n";
  line("each of " + std::to_string(steps.counts.steps) + " steps", steps.step, 1);
  std::optional<double> percent = percentOfReading(report);
  os << (percent ? "  " + llvm::formatv("{0,12:f1}", *percent).str() : "             -") << '\n';
}

void cameo::print(const BenchReport &report, llvm::raw_ostream &out) {
  PrintableStream os(out);
  if (!report.cpu.empty())
    os << "code for " << report.cpu << '\n';
  if (report.steps)
    printSteps(report, os);
  else
    os << llvm::left_justify("", 20) << "       min ms  median ms  create ms   rss MB\n";
  for (const SideReport &side : report.sides)
    os << llvm::left_justify(side.name, 20)
       << llvm::format("  %11.5g  %9.5g  %9.4g  %7.1f\n", side.times.minMs, side.times.medianMs, side.createMs,
                       side.rssMb);
  if (report.sides.size() > 1)
    os << llvm::format("ratio %.3f\n", report.sides[0].times.minMs / report.sides[1].times.minMs);
  if (report.showsTasks)
    printTasks(*report.profile, os);
}

static llvm::json::Object jsonOf(const SideReport &side) {
  return llvm::json::Object{{"name", side.name},
                            {"min_ms", side.times.minMs},
                            {"median_ms", side.times.medianMs},
                            {"create_ms", side.createMs},
                            {"rss_mb", side.rssMb}};
}

static llvm::json::Value ifKnown(std::optional<double> number) {
  return number ? llvm::json::Value(*number) : llvm::json::Value(nullptr);
}

static llvm::json::Value ifKnown(const TaskReport &task, double number) {
  return ifKnown(task.isKnown() ? std::optional(number) : std::nullopt);
}

static llvm::json::Object jsonOf(const StepTimes &steps, int64_t tokens, SideTimes times) {
  return llvm::json::Object{{"min_ms", times.minMs},
                            {"median_ms", times.medianMs},
                            {"tokens_per_second", tokensPerSecond(steps, tokens, times.minMs)}};
}

static void addSteps(const BenchReport &report, llvm::json::Object &all) {
  const StepTimes &steps = *report.steps;
  llvm::json::Object prompt = jsonOf(steps, steps.counts.prompt, steps.prompt), step = jsonOf(steps, 1, steps.step);
  prompt["tokens"] = steps.counts.prompt;
  step["count"] = steps.counts.steps;
  step["bytes"] = ifKnown(report.stepBytes);
  step["read_percent"] = ifKnown(percentOfReading(report));
  all["batch"] = steps.batch;
  all["cache_rows"] = steps.capacity;
  all["prompt"] = std::move(prompt);
  all["step"] = std::move(step);
}

llvm::json::Value cameo::toJson(const BenchReport &report, llvm::StringRef model, int64_t threads, int64_t runs) {
  llvm::json::Object all{{"model", model}, {"threads", threads}, {"runs", runs}};
  if (report.steps)
    addSteps(report, all);
  else
    all["ours"] = jsonOf(report.sides[0]);
  if (!report.cpu.empty())
    all["cpu"] = report.cpu;
  if (report.sides.size() > 1) {
    all["theirs"] = jsonOf(report.sides[1]);
    all["ratio"] = report.sides[0].times.minMs / report.sides[1].times.minMs;
  }
  if (report.profile && report.profile->peaks)
    all["peaks"] =
        llvm::json::Object{{"gflops", report.profile->peaks->gflops}, {"read_gbs", report.profile->peaks->readGbs}};
  if (report.showsTasks) {
    const TaskProfile &profile = *report.profile;
    llvm::json::Array list;
    for (const TaskReport &task : profile.tasks)
      list.push_back(llvm::json::Object{{"name", task.name},
                                        {"key", task.key},
                                        {"count", static_cast<int64_t>(task.count)},
                                        {"ms", task.ms},
                                        {"flops", ifKnown(task, task.flops)},
                                        {"bytes", ifKnown(task, task.bytes)},
                                        {"peak_percent", ifKnown(profile.percentOfPeak(task))},
                                        {"schedule", task.schedule}});
    all["tasks"] = std::move(list);
    all["peak_percent"] = ifKnown(profile.percentOfPeak());
  }
  return all;
}
