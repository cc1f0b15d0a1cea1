#include "utils/cameo/Tune/TuneProgress.h"

#include "dialects/Files/PrintableText.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cameo;
using namespace cameo::autotune;
namespace json = llvm::json;

/// Number of successive failures that causes a warning with their reason. The number doubles after each warning.
static constexpr unsigned manyFailures = 32;

TuneProgress::TuneProgress(ProgressForm form, llvm::raw_ostream &os)
    : form(form), os(os), isTerminal(form == ProgressForm::Table && os.is_displayed()),
      warnedFailures(manyFailures / 2) {}

static double gflops(const TaskProgress &task) { return task.bestSeconds ? task.flops / *task.bestSeconds * 1e-9 : 0; }

static std::string totalText(const SessionState &state) {
  if (state.unknownTasks == state.tasks.size())
    return "-";
  std::string text = llvm::formatv("{0:F3} ms", state.totalSeconds * 1e3);
  if (state.unknownTasks > 0)
    text += llvm::formatv(" + {0} of {1} tasks without a result", state.unknownTasks, state.tasks.size());
  return text;
}

static std::string trialsText(const SessionState &state) {
  std::string text = std::to_string(state.trials);
  if (state.resumedTrials > 0)
    text += llvm::formatv(" ({0} from records)", state.resumedTrials);
  return text;
}

/// Returns "one 12, two 13 (1 failed)", for the first few devices.
static std::string devicesText(const SessionState &state) {
  constexpr size_t shown = 8;
  std::string text;
  for (const DeviceProgress &device : llvm::ArrayRef(state.devices).take_front(shown)) {
    text += (text.empty() ? "" : ", ") + device.name + " " + std::to_string(device.measured);
    text += device.failed > 0 ? " (" + std::to_string(device.failed) + " failed)" : "";
  }
  return state.devices.size() > shown ? text + ", and " + std::to_string(state.devices.size() - shown) + " more" : text;
}

/// Returns the rate of the trials that this run measured, over its whole time.
static double trialsPerSecond(const SessionState &state) {
  return state.elapsedSeconds > 0 ? (state.trials - state.resumedTrials) / state.elapsedSeconds : 0;
}

void TuneProgress::printTable(const SessionState &state) {
  PrintableStream os(this->os);
  size_t width = 4;
  for (const std::string &name : state.names)
    width = std::max(width, name.size());
  os << "|  ID | " << llvm::left_justify("Task", width)
     << " | Latency (ms) | Speed (GFLOPS) | Weight | Trials | Failed |\n";
  for (auto [id, task] : llvm::enumerate(state.tasks)) {
    os << llvm::format("| %3zu | ", id) << llvm::left_justify(state.names[id], width);
    if (task.bestSeconds)
      os << llvm::format(" | %12.4f | %14.2f |", *task.bestSeconds * 1e3, gflops(task));
    else
      os << " |            - |              - |";
    os << llvm::format(" %6.4g | %6u | %6u |", task.weight, task.trials, task.failures)
       << (state.next == id  ? " next"
           : task.isFinished ? " done"
                             : "")
       << '\n';
  }
  os << "Estimated total latency: " << totalText(state) << "  Trials: " << trialsText(state)
     << llvm::format("  Used time: %.0f s (%.1f trials/s)", state.elapsedSeconds, trialsPerSecond(state))
     << "  Next ID: " << (state.next ? std::to_string(*state.next) : "-") << '\n';
  if (!state.devices.empty())
    os << "Devices: " << devicesText(state) << '\n';
  if (state.forecastSeconds > 0)
    os << llvm::format("Expected of the next %.0f s: %.1f %% less\n", state.forecastSeconds, state.forecastGain * 100);
  this->os.flush();
}

void TuneProgress::printLine(const SessionState &state) {
  PrintableStream os(this->os);
  os << llvm::format("[%7.1f s] ", state.elapsedSeconds);
  if (state.current) {
    const TaskProgress &task = state.tasks[*state.current];
    os << state.names[*state.current] << ": ";
    if (task.bestSeconds)
      os << llvm::format("%.4f ms, %.2f GFLOPS", *task.bestSeconds * 1e3, gflops(task));
    else
      os << "no result yet";
    os << ", " << task.trials << " trials";
    if (task.failures > 0)
      os << ", " << task.failures << " failed";
  }
  os << "; total " << totalText(state) << ", " << trialsText(state) << " trials";
  if (!state.devices.empty())
    os << " on " << state.devices.size() << (state.devices.size() == 1 ? " device" : " devices");
  os << '\n';
  this->os.flush();
}

void TuneProgress::printJson(const SessionState &state) {
  json::Array tasks;
  for (auto [id, task] : llvm::enumerate(state.tasks))
    tasks.push_back(
        json::Object{{"name", state.names[id]},
                     {"latency_ms", task.bestSeconds ? json::Value(*task.bestSeconds * 1e3) : json::Value(nullptr)},
                     {"gflops", task.bestSeconds ? json::Value(gflops(task)) : json::Value(nullptr)},
                     {"weight", task.weight},
                     {"trials", task.trials},
                     {"failed", task.failures},
                     {"finished", task.isFinished}});
  json::Object all{{"elapsed_s", state.elapsedSeconds},
                   {"trials", state.trials},
                   {"resumed_trials", state.resumedTrials},
                   {"trials_per_second", trialsPerSecond(state)},
                   {"total_ms", state.totalSeconds * 1e3},
                   {"tasks_without_result", state.unknownTasks},
                   {"forecast_s", state.forecastSeconds},
                   {"forecast_gain", state.forecastGain},
                   {"tasks", std::move(tasks)}};
  if (!state.devices.empty()) {
    json::Array devices;
    for (const DeviceProgress &device : state.devices)
      devices.push_back(json::Object{{"name", device.name}, {"measured", device.measured}, {"failed", device.failed}});
    all["devices"] = std::move(devices);
  }
  if (range) {
    json::Array bounds{range->least};
    if (range->most)
      bounds.push_back(*range->most);
    all["dims"] = json::Object{{json::fixUTF8(range->name), std::move(bounds)}};
  }
  if (state.current)
    all["current"] = static_cast<int64_t>(*state.current);
  if (state.next)
    all["next"] = static_cast<int64_t>(*state.next);
  if (state.lastFailure.kind != ErrorKind::None)
    all["last_failure"] = json::Object{{"kind", errorKindName(state.lastFailure.kind)},
                                       {"message", json::fixUTF8(state.lastFailure.message)}};
  os << json::Value(std::move(all)) << '\n';
  os.flush();
}

void TuneProgress::warnOfFailures(const SessionState &state) {
  if (state.failuresInARow < manyFailures) {
    warnedFailures = manyFailures / 2;
    return;
  }
  if (state.failuresInARow < 2 * warnedFailures)
    return;
  warnedFailures = state.failuresInARow;
  report(Severity::Warning, "the last " + llvm::Twine(state.failuresInARow) + " candidates failed; the last one: " +
                                errorKindName(state.lastFailure.kind) + ": " + state.lastFailure.message);
  linesToGoBack = 0;
}

static void warnOfMisses(const SessionState &state) {
  if (state.isLast && state.misses > 0)
    report(Severity::Warning, llvm::Twine(state.misses) + " of " + llvm::Twine(state.misses + state.trials) +
                                  " schedules are not in the replayed log and are skipped");
}

void TuneProgress::begin(const SizeRange &range) {
  this->range = range;
  linesToGoBack = 0;
  if (form != ProgressForm::Table)
    return;
  PrintableStream(os) << "Where " << rangesText(range) << ":\n";
  os.flush();
}

void TuneProgress::show(const SessionState &state) {
  warnOfFailures(state);
  warnOfMisses(state);
  switch (form) {
  case ProgressForm::None:
    return;
  case ProgressForm::Json:
    return printJson(state);
  case ProgressForm::Table:
    break;
  }
  if (!isTerminal)
    return state.isLast ? printTable(state) : printLine(state);
  if (linesToGoBack > 0)
    os << "\033[" << linesToGoBack << "A\033[J";
  printTable(state);
  linesToGoBack =
      static_cast<unsigned>(state.tasks.size()) + (state.forecastSeconds > 0 ? 3 : 2) + (state.devices.empty() ? 0 : 1);
}
