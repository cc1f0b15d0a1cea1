#include "autotune/TaskScheduler/TuningSession.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>

namespace cameo::autotune {

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static std::string keyOf(llvm::StringRef task, unsigned threads, bool isRelease, llvm::StringRef schedule) {
  return (task + (isRelease ? " release " : " tuning ") + llvm::Twine(threads) + " " + schedule).str();
}

static std::string textOf(schedule::StepsAttr steps) {
  std::string text;
  llvm::raw_string_ostream(text) << steps;
  return text;
}

TuningSession::TuningSession(std::vector<SessionTask> tasks, const SessionOptions &options, MeasureFunctions functions,
                             llvm::ArrayRef<TuningRecord> known, RecordWriter *writer)
    : tasks(std::move(tasks)), winners(this->tasks.size()), options(options), functions(std::move(functions)),
      scheduler(createTaskScheduler(options.scheduler)), writer(writer) {
  for (const SessionTask &each : this->tasks) {
    task::DefOp def = each.task.def;
    TaskProgress state;
    state.kind = taskKind(def.getSymName());
    state.key = each.task.key;
    state.weight = each.weight;
    if (auto flops = def->getAttrOfType<mlir::FloatAttr>("flops"))
      state.flops = each.task.runs.empty() ? flops.getValueAsDouble() : each.task.runFlops;
    states.push_back(std::move(state));
    names.push_back(def.getSymName().str());
  }
  for (const TuningRecord &record : known)
    if (!record.isInModel && !record.isOfModel)
      this->known[keyOf(record.task, record.threads, record.isRelease, record.schedule)].push_back(record);
}

TuningSession::~TuningSession() {
  for (NextRound &each : ahead)
    each.round.wait();
}

/// Returns the record of measurement number `time` of the schedule, counted from 0, from an earlier run.
const TuningRecord *TuningSession::recall(const SearchTask &task, llvm::StringRef schedule, bool isRelease,
                                          size_t time) const {
  auto found = known.find(keyOf(task.key, task.threads, isRelease, schedule));
  return found == known.end() || time >= found->second.size() ? nullptr : &found->second[time];
}

llvm::Error TuningSession::append(TuningRecord record) {
  if (!record.device.empty()) {
    DeviceProgress &device = devices[record.device];
    device.name = record.device;
    ++device.measured;
    device.failed += !record.isValid();
  }
  return writer ? writer->append(record) : llvm::Error::success();
}

/// Whether there is a result for measurement number `time` of the schedule, from an earlier run or a new measurement.
bool TuningSession::canMeasure(size_t index, llvm::StringRef schedule, bool isRelease, size_t time) const {
  const SearchTask &task = tasks[index].task;
  return !functions.holds || recall(task, schedule, isRelease, time) || functions.holds(task, schedule, isRelease);
}

/// Returns the elements of `schedules` that must be measured.
std::vector<std::string> TuningSession::unknownOf(size_t index, llvm::ArrayRef<std::string> schedules) const {
  std::vector<std::string> unknown;
  for (const std::string &schedule : schedules)
    if (!recall(tasks[index].task, schedule, /*isRelease=*/false))
      unknown.push_back(schedule);
  return unknown;
}

llvm::Expected<std::vector<TuningRecord>> TuningSession::measure(size_t index, llvm::ArrayRef<std::string> schedules) {
  const SearchTask &task = tasks[index].task;
  std::vector<std::string> unknown = unknownOf(index, schedules);
  std::vector<TuningRecord> measured;
  if (!unknown.empty()) {
    llvm::Expected<std::vector<TuningRecord>> taken = functions.measure(task, unknown, winners[index].tuningSeconds);
    if (!taken)
      return taken.takeError();
    measured = std::move(*taken);
  }
  std::vector<TuningRecord> records;
  auto next = measured.begin();
  for (const std::string &schedule : schedules) {
    const TuningRecord *before = recall(task, schedule, /*isRelease=*/false);
    resumedTrials += before != nullptr;
    records.push_back(before ? *before : std::move(*next++));
  }
  return records;
}

unsigned TuningSession::roundSize(size_t index, unsigned trialsBefore) const {
  unsigned count = options.firstRoundTrials;
  for (unsigned round = 0; round < states[index].rounds && count < options.trialsPerRound; ++round)
    count *= 2;
  count = std::min(count, options.trialsPerRound);
  return options.trials > 0 ? std::min(count, options.trials - trialsBefore) : count;
}

/// Accesses nothing but the search of the task, so it may run on another thread during the round of another task.
TuningSession::Round TuningSession::propose(size_t index, unsigned count, unsigned workers) {
  Round round{index, tasks[index].policy->propose(count, workers), {}};
  for (const Candidate &candidate : round.candidates) {
    round.schedules.push_back(textOf(candidate.steps));
    if (candidate.isDefault && functions.setDefault)
      functions.setDefault(tasks[index].task, round.schedules.back());
  }
  return round;
}

/// Returns the number of trials after `current` and all proposed rounds are measured.
unsigned TuningSession::trialsAfter(const Round &current) const {
  unsigned trials = spentTrials() + static_cast<unsigned>(current.candidates.size());
  for (const NextRound &each : ahead)
    trials += each.count;
  return trials;
}

/// Returns the task of the next round, on the assumption that `current` and the proposed rounds bring no gain, as
/// usual. Returns nothing if this is unknown, or if the search of that task must first learn from its pending round.
std::optional<size_t> TuningSession::guessNext(const Round &current) const {
  if (current.candidates.empty() || (options.trials > 0 && trialsAfter(current) >= options.trials))
    return std::nullopt;
  std::vector<TaskProgress> expected = states;
  llvm::SmallVector<size_t> busy = {current.task};
  for (const NextRound &each : ahead)
    busy.push_back(each.task);
  for (size_t task : busy) {
    TaskProgress &own = expected[task];
    ++own.rounds;
    if (own.bestSeconds)
      own.history.push_back(*own.bestSeconds);
    own.leftGroup |= staysBehind(expected, task, options.scheduler);
  }
  std::optional<size_t> next = scheduler->next(expected);
  return next && llvm::is_contained(busy, *next) ? std::nullopt : next;
}

/// Proposes the next rounds while `current` is measured. The proposals depend neither on the results of `current` nor
/// on their timing, so that a resumed session takes the same course.
void TuningSession::beginNext(const Round &current) {
  while (ahead.size() < options.roundsAhead) {
    std::optional<size_t> next = guessNext(current);
    if (!next)
      return;
    unsigned count = roundSize(*next, trialsAfter(current));
    auto work = std::make_shared<std::packaged_task<Round()>>([this, index = *next, count,
                                                               workers = functions.beside ? 1 : options.workers] {
      Round round = propose(index, count, workers);
      if (std::vector<std::string> unknown = unknownOf(index, round.schedules); functions.prepare && !unknown.empty())
        functions.prepare(tasks[index].task, unknown, winners[index].tuningSeconds);
      return round;
    });
    ahead.push_back({*next, count, work->get_future()});
    if (functions.beside)
      functions.beside([work] { (*work)(); });
    else
      (*work)();
  }
}

/// Removes the candidates that cannot be measured from `round`, and returns their number. They are no failures: they
/// are not recorded, and no search learns from them.
unsigned TuningSession::leaveOutMisses(Round &round) const {
  Round kept{round.task, {}, {}};
  for (auto [candidate, schedule] : llvm::zip_equal(round.candidates, round.schedules))
    if (canMeasure(round.task, schedule, /*isRelease=*/false)) {
      kept.candidates.push_back(candidate);
      kept.schedules.push_back(schedule);
    }
  size_t left = round.candidates.size() - kept.candidates.size();
  round = std::move(kept);
  return left;
}

llvm::Error TuningSession::runRound(Round round) {
  size_t index = round.task;
  TaskProgress &state = states[index];
  // A search that proposes nothing is finished. If only the log lacks the proposals, it is not.
  state.isFinished = round.candidates.empty();
  unsigned missed = leaveOutMisses(round);
  misses += missed;
  for (auto [candidate, schedule] : llvm::zip_equal(round.candidates, round.schedules))
    if (candidate.isDefault)
      winners[index].defaultSchedule = schedule;
  llvm::Expected<std::vector<TuningRecord>> measured = measure(index, round.schedules);
  if (!measured)
    return measured.takeError();
  std::vector<TuningRecord> records = std::move(*measured);
  for (TuningRecord &record : records) {
    record.round = state.rounds;
    record.seed = options.seed;
    if (!recall(tasks[index].task, record.schedule, /*isRelease=*/false))
      if (llvm::Error error = append(record))
        return error;
  }
  state.trials += records.size();
  state.trialsSinceGain += records.size() + missed;
  trials += records.size();
  trialsSinceGain += records.size() + missed;
  if (llvm::Error error = confirm(index, records))
    return error;
  valueDefault(index);
  learn(round, records);
  return writer ? writer->flush() : llvm::Error::success();
}

void TuningSession::learn(const Round &round, llvm::ArrayRef<TuningRecord> records) {
  SearchPolicy &policy = *tasks[round.task].policy;
  TaskProgress &state = states[round.task];
  std::vector<Outcome> outcomes;
  for (auto [candidate, record] : llvm::zip_equal(round.candidates, records)) {
    bool isValid = record.isValid();
    outcomes.push_back({candidate.steps, isValid ? std::optional(record.cost()) : std::nullopt});
    failuresInARow = isValid ? 0 : failuresInARow + 1;
    state.failures += !isValid;
    if (!isValid)
      lastFailure = record.error;
  }
  // Searches share a cost model. Rounds ahead must be proposed with its state before this update, however long that
  // takes.
  for (NextRound &each : ahead)
    each.round.wait();
  policy.observe(outcomes);
  ++state.rounds;
  if (state.bestSeconds)
    state.history.push_back(*state.bestSeconds);
  state.leftGroup |= staysBehind(states, round.task, options.scheduler);
  bool isStuck = options.taskEarlyStopping > 0 && state.trialsSinceGain >= options.taskEarlyStopping;
  // A task without any valid schedule gets two more rounds.
  bool isHopeless = !state.bestSeconds && state.rounds >= 3;
  state.isFinished |= policy.isExhausted() || isStuck || isHopeless;
}

double TuningSession::elapsed() const { return now() - begin; }

bool TuningSession::isOver(size_t next) const {
  if (options.trials > 0 && spentTrials() >= options.trials)
    return true;
  // A round that would exceed the time limit is not started. The first round measures the time per trial.
  if (options.seconds > 0 &&
      elapsed() + secondsPerTrial * roundSize(next, spentTrials()) + secondsToFinish() > options.seconds)
    return true;
  bool allKnown = llvm::all_of(states, [](const TaskProgress &state) { return state.bestSeconds || state.isFinished; });
  return options.earlyStopping > 0 && allKnown && trialsSinceGain >= options.earlyStopping;
}

/// Forecasts the gain of tuning for the remaining time or, without a time limit, for as long again. Among schedules
/// drawn at random, the nth one is the best so far with probability 1/n. So the forecast assumes that costs fall with a
/// power of the number of rounds, which is fitted to the history.
void TuningSession::addForecast(SessionState &state) const {
  auto isOpen = [](const TaskProgress &task) { return !task.isFinished; };
  double rounds = 0, open = llvm::count_if(states, isOpen), total = objective(states);
  for (const TaskProgress &task : states)
    rounds += task.rounds;
  // Results from an earlier run took no time.
  double measured = trials > 0 ? rounds * (trials - resumedTrials) / trials : 0;
  if (measured <= 0 || open == 0 || total <= 0)
    return;
  state.forecastSeconds = options.seconds > 0 && !state.isLast ? std::max(0.0, options.seconds - state.elapsedSeconds)
                                                               : state.elapsedSeconds;
  double share = state.forecastSeconds / state.elapsedSeconds * measured / open, gain = 0;
  for (const TaskProgress &task : llvm::make_filter_range(states, isOpen)) {
    auto count = static_cast<double>(task.history.size());
    if (count < 2)
      continue;
    double power = std::max(0.0, std::log(task.history.front() / task.history.back()) / std::log(count));
    gain += task.weight * task.history.back() * (1 - std::pow(1 + share / count, -power));
  }
  state.forecastGain = gain / total;
}

SessionState TuningSession::describe(std::optional<size_t> current, std::optional<size_t> next, bool isLast) const {
  SessionState state;
  state.isLast = isLast;
  state.tasks = states;
  state.names = names;
  state.current = current;
  state.next = next;
  state.trials = trials;
  state.resumedTrials = resumedTrials;
  state.misses = misses;
  state.elapsedSeconds = elapsed();
  state.totalSeconds = estimateModel(states, options.modelSeconds, [](llvm::StringRef) { return true; });
  state.unknownTasks = llvm::count_if(states, [](const TaskProgress &task) { return !task.bestSeconds; });
  state.failuresInARow = failuresInARow;
  state.lastFailure = lastFailure;
  for (const auto &[name, device] : devices)
    state.devices.push_back(device);
  addForecast(state);
  return state;
}

llvm::Error TuningSession::run(Observer observer, std::function<bool()> isInterrupted) {
  begin = now();
  std::optional<size_t> next = scheduler->next(states);
  while (next && !isOver(*next) && !isInterrupted()) {
    double before = elapsed();
    unsigned trialsBefore = trials;
    bool isProposed = !ahead.empty();
    Round round =
        isProposed ? ahead.front().round.get() : propose(*next, roundSize(*next, spentTrials()), options.workers);
    if (isProposed)
      ahead.pop_front();
    size_t current = round.task;
    beginNext(round);
    if (llvm::Error error = runRound(std::move(round)))
      return error;
    if (trials > trialsBefore)
      secondsPerTrial = (elapsed() - before) / (trials - trialsBefore);
    next = ahead.empty() ? scheduler->next(states) : ahead.front().task;
    observer(describe(current, next));
  }
  if (llvm::Error error = finish(observer, isInterrupted))
    return error;
  observer(describe(std::nullopt, std::nullopt, /*isLast=*/true));
  return llvm::Error::success();
}

} // namespace cameo::autotune
