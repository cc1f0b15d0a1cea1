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
      state.flops = flops.getValueAsDouble();
    states.push_back(std::move(state));
    names.push_back(def.getSymName().str());
  }
  for (const TuningRecord &record : known)
    if (!record.isInModel && !record.isOfModel)
      this->known[keyOf(record.task, record.threads, record.isRelease, record.schedule)].push_back(record);
}

TuningSession::~TuningSession() {
  if (ahead)
    ahead->round.wait();
}

/// The record of the `time`th time that the schedule was measured, counted from 0.
const TuningRecord *TuningSession::recall(const SearchTask &task, llvm::StringRef schedule, bool isRelease, size_t time) const {
  auto found = known.find(keyOf(task.key, task.threads, isRelease, schedule));
  return found == known.end() || time >= found->second.size() ? nullptr : &found->second[time];
}

llvm::Error TuningSession::append(TuningRecord record) {
  return writer ? writer->append(record) : llvm::Error::success();
}

/// Those of `schedules` that have to be measured.
std::vector<std::string> TuningSession::unknownOf(size_t index, llvm::ArrayRef<std::string> schedules) const {
  std::vector<std::string> unknown;
  for (const std::string &schedule : schedules)
    if (!recall(tasks[index].task, schedule, /*isRelease=*/false))
      unknown.push_back(schedule);
  return unknown;
}

std::vector<TuningRecord> TuningSession::measure(size_t index, llvm::ArrayRef<std::string> schedules) {
  const SearchTask &task = tasks[index].task;
  std::vector<std::string> unknown = unknownOf(index, schedules);
  std::vector<TuningRecord> measured;
  if (!unknown.empty())
    measured = functions.measure(task, unknown, winners[index].tuningSeconds);
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

/// Touches nothing but the search of the task, so that it may go on beside the round of another one.
TuningSession::Round TuningSession::propose(size_t index, unsigned count, unsigned workers) {
  Round round{index, tasks[index].policy->propose(count, workers), {}};
  for (const Candidate &candidate : round.candidates)
    round.schedules.push_back(textOf(candidate.steps));
  return round;
}

/// The task that follows if `current`, which is not measured yet, brings nothing: so it is most often. None: that cannot be said, or its search has to
/// learn first.
std::optional<size_t> TuningSession::guessNext(const Round &current) const {
  unsigned trialsAfter = trials + static_cast<unsigned>(current.candidates.size());
  if (current.candidates.empty() || (options.trials > 0 && trialsAfter >= options.trials))
    return std::nullopt;
  std::vector<TaskProgress> expected = states;
  TaskProgress &own = expected[current.task];
  ++own.rounds;
  if (own.bestSeconds)
    own.history.push_back(*own.bestSeconds);
  own.leftGroup |= staysBehind(expected, current.task, options.scheduler);
  std::optional<size_t> next = scheduler->next(expected);
  return next == current.task ? std::nullopt : next;
}

/// Proposes the next round while `current` is measured. What is proposed does not depend on what `current` brings, or on when: a session that is taken up
/// again goes the same way.
void TuningSession::beginNext(const Round &current) {
  std::optional<size_t> next = guessNext(current);
  if (!next)
    return;
  unsigned count = roundSize(*next, trials + static_cast<unsigned>(current.candidates.size()));
  auto work = std::make_shared<std::packaged_task<Round()>>([this, index = *next, count, workers = functions.beside ? 1 : options.workers] {
    Round round = propose(index, count, workers);
    if (std::vector<std::string> unknown = unknownOf(index, round.schedules); functions.prepare && !unknown.empty())
      functions.prepare(tasks[index].task, unknown);
    return round;
  });
  ahead = NextRound{*next, work->get_future()};
  if (functions.beside)
    functions.beside([work] { (*work)(); });
  else
    (*work)();
}

llvm::Error TuningSession::runRound(const Round &round) {
  size_t index = round.task;
  TaskProgress &state = states[index];
  for (auto [candidate, schedule] : llvm::zip_equal(round.candidates, round.schedules))
    if (candidate.isDefault)
      winners[index].defaultSchedule = schedule;
  std::vector<TuningRecord> records = measure(index, round.schedules);
  for (TuningRecord &record : records) {
    record.round = state.rounds;
    record.seed = options.seed;
    if (!recall(tasks[index].task, record.schedule, /*isRelease=*/false))
      if (llvm::Error error = append(record))
        return error;
  }
  state.trials += records.size();
  state.trialsSinceGain += records.size();
  trials += records.size();
  trialsSinceGain += records.size();
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
  // Searches share a model: what is proposed beside is proposed with what it knew before this round, however long that takes.
  if (ahead)
    ahead->round.wait();
  policy.observe(outcomes);
  ++state.rounds;
  if (state.bestSeconds)
    state.history.push_back(*state.bestSeconds);
  state.leftGroup |= staysBehind(states, round.task, options.scheduler);
  bool isStuck = options.taskEarlyStopping > 0 && state.trialsSinceGain >= options.taskEarlyStopping;
  // A task of which nothing worked so far gets two more rounds.
  bool isHopeless = !state.bestSeconds && state.rounds >= 3;
  state.isFinished = round.candidates.empty() || policy.isExhausted() || isStuck || isHopeless;
}

double TuningSession::elapsed() const { return now() - begin; }

bool TuningSession::isOver(size_t next) const {
  if (options.trials > 0 && trials >= options.trials)
    return true;
  // A round that would not end in time is not begun; the first one shows how long they take.
  if (options.seconds > 0 && elapsed() + secondsPerTrial * roundSize(next, trials) + secondsToFinish() > options.seconds)
    return true;
  bool allKnown = llvm::all_of(states, [](const TaskProgress &state) { return state.bestSeconds || state.isFinished; });
  return options.earlyStopping > 0 && allKnown && trialsSinceGain >= options.earlyStopping;
}

/// Follows the scheduler's own expectation through the rounds that fit into the time.
void TuningSession::addForecast(SessionState &state) const {
  unsigned rounds = 0;
  for (const TaskProgress &task : states)
    rounds += task.rounds;
  if (rounds == 0 || state.totalSeconds <= 0)
    return;
  state.forecastSeconds = options.seconds > 0 ? std::max(0.0, options.seconds - state.elapsedSeconds) : 600;
  double ahead = state.forecastSeconds / (state.elapsedSeconds / rounds);
  // The recent past, per round of each task, fading as rounds add up.
  double gain = 0;
  for (const TaskProgress &task : states) {
    size_t count = task.history.size(), window = options.scheduler.window;
    if (task.isFinished || count <= window)
      continue;
    double perRound = (task.history[count - 1 - window] - task.history[count - 1]) / double(window);
    double share = ahead / double(states.size());
    gain += task.weight * perRound * double(count) * std::log1p(share / double(count));
  }
  state.forecastGain = std::min(gain / state.totalSeconds, 1.0);
}

SessionState TuningSession::describe(std::optional<size_t> current, std::optional<size_t> next) const {
  SessionState state;
  state.tasks = states;
  state.names = names;
  state.current = current;
  state.next = next;
  state.trials = trials;
  state.resumedTrials = resumedTrials;
  state.elapsedSeconds = elapsed();
  state.totalSeconds = estimateModel(states, options.modelSeconds, [](llvm::StringRef) { return true; });
  state.unknownTasks = llvm::count_if(states, [](const TaskProgress &task) { return !task.bestSeconds; });
  state.failuresInARow = failuresInARow;
  state.lastFailure = lastFailure;
  addForecast(state);
  return state;
}

llvm::Error TuningSession::run(Observer observer, std::function<bool()> isInterrupted) {
  begin = now();
  std::optional<size_t> next = scheduler->next(states);
  while (next && !isOver(*next) && !isInterrupted()) {
    double before = elapsed();
    unsigned trialsBefore = trials;
    Round round = ahead ? ahead->round.get() : propose(*next, roundSize(*next, trials), options.workers);
    ahead.reset();
    beginNext(round);
    if (llvm::Error error = runRound(round))
      return error;
    if (trials > trialsBefore)
      secondsPerTrial = (elapsed() - before) / (trials - trialsBefore);
    next = ahead ? ahead->task : scheduler->next(states);
    observer(describe(round.task, next));
  }
  if (llvm::Error error = finish(observer, isInterrupted))
    return error;
  SessionState last = describe(std::nullopt, std::nullopt);
  last.isLast = true;
  observer(last);
  return llvm::Error::success();
}

} // namespace cameo::autotune
