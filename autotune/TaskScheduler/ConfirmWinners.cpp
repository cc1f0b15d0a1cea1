// The part of TuningSession that confirms possible winners: it compares them with the naive path and measures them with
// many repeats.
#include "autotune/TaskScheduler/TuningSession.h"

#include "llvm/ADT/STLExtras.h"

namespace cameo::autotune {

/// Number of candidates that are confirmed in one round: after the first success, better ones are unlikely.
constexpr unsigned confirmationsPerRound = 3;
/// Number of best schedules of a task that are measured again at the end.
constexpr unsigned bestsMeasuredAgain = 3;

static size_t timesOf(llvm::ArrayRef<TuningRecord> confirmed, llvm::StringRef schedule) {
  return llvm::count_if(confirmed, [&](const TuningRecord &record) { return record.schedule == schedule; });
}

/// If confirmations may run at the same time, starts this one; confirmOne() waits for it.
void TuningSession::confirmAhead(size_t index, llvm::StringRef schedule) {
  const SearchTask &task = tasks[index].task;
  size_t time = timesOf(winners[index].confirmed, schedule);
  if (functions.confirmAhead && !recall(task, schedule, /*isRelease=*/true, time))
    functions.confirmAhead(task, schedule, winners[index].defaultSchedule, time);
}

/// Starts the likely confirmations: first the default schedule, then the fastest other one if it is faster.
void TuningSession::confirmFastestAhead(size_t index, llvm::ArrayRef<TuningRecord> records) {
  const TuningRecord *own = nullptr, *fastest = nullptr;
  for (const TuningRecord &record : records) {
    if (!record.isValid())
      continue;
    bool isDefault = record.schedule == winners[index].defaultSchedule;
    const TuningRecord *&place = isDefault ? own : fastest;
    if (!place || (!isDefault && record.cost() < place->cost()))
      place = &record;
  }
  if (!own || !fastest || fastest->cost() >= own->cost())
    return;
  confirmAhead(index, own->schedule);
  confirmAhead(index, fastest->schedule);
}

/// Confirms a schedule, and adds the record to the decisive records and the file.
llvm::Expected<TuningRecord> TuningSession::confirmOne(size_t index, llvm::StringRef schedule) {
  const SearchTask &task = tasks[index].task;
  std::vector<TuningRecord> &confirmed = winners[index].confirmed;
  size_t time = timesOf(confirmed, schedule);
  const TuningRecord *before = recall(task, schedule, /*isRelease=*/true, time);
  TuningRecord record;
  if (before) {
    record = *before;
  } else {
    double start = elapsed();
    llvm::Expected<TuningRecord> taken = functions.confirm(task, schedule, winners[index].defaultSchedule, time);
    if (!taken)
      return taken.takeError();
    record = std::move(*taken);
    confirmSeconds += elapsed() - start;
    ++confirmations;
  }
  record.round = states[index].rounds;
  record.seed = options.seed;
  confirmed.push_back(record);
  if (!before)
    if (llvm::Error error = append(record))
      return std::move(error);
  return record;
}

/// Corrects the cost of the best schedule by a better measurement. This is no gain, so the history is scaled as well.
void TuningSession::correctBest(size_t index, double seconds) {
  TaskProgress &state = states[index];
  for (double &past : state.history)
    past *= seconds / *state.bestSeconds;
  state.bestSeconds = seconds;
}

/// Lowers the cost of the best schedule if `confirmed` measured the default schedule faster than before: the best one
/// takes the fraction `relativeCost` of the new cost. Otherwise a cost from a disturbed machine would always look
/// improvable.
void TuningSession::lowerBest(size_t index, double relativeCost, const TuningRecord &confirmed) {
  if (confirmed.defaultCosts.empty())
    return;
  double seconds = relativeCost * costInterval(confirmed.defaultCosts).median;
  if (seconds < *states[index].bestSeconds)
    correctBest(index, seconds);
}

/// Confirms `record` and makes it the task's best if it is faster than the current one. Returns false if it cannot be
/// confirmed. If its results are wrong, it becomes a failure.
llvm::Expected<bool> TuningSession::takeIfBest(size_t index, TuningRecord &record) {
  if (!canMeasure(index, record.schedule, /*isRelease=*/true, timesOf(winners[index].confirmed, record.schedule)))
    return false;
  TaskProgress &state = states[index];
  std::optional<double> relativeBefore;
  if (const TuningRecord *best = fastest(winners[index].confirmed))
    relativeBefore = best->relativeCost().median;
  llvm::Expected<TuningRecord> confirmed = confirmOne(index, record.schedule);
  if (!confirmed)
    return confirmed.takeError();
  if (!confirmed->isValid()) {
    record.error = confirmed->error;
    record.costs.clear();
    return false;
  }
  double &least = winners[index].tuningSeconds;
  least = least > 0 ? std::min(least, record.cost()) : record.cost();
  if (relativeBefore)
    lowerBest(index, *relativeBefore, *confirmed);
  if (bestSchedule(index) != record.schedule)
    return true;
  // Both were measured alternating on the same machine: under the same conditions, the previous best would cost at most
  // as much as the default schedule.
  state.bestSeconds = confirmed->cost();
  state.trialsSinceGain = 0;
  trialsSinceGain = 0;
  return true;
}

/// Confirms the default schedule first, whatever the costs of others, because the others must be faster than it.
llvm::Error TuningSession::confirmDefault(size_t index, std::vector<TuningRecord> &records) {
  auto isDefault = [&](const TuningRecord &record) { return record.schedule == winners[index].defaultSchedule; };
  auto found = llvm::find_if(records, isDefault);
  if (found == records.end() || !found->isValid())
    return llvm::Error::success();
  return takeIfBest(index, *found).takeError();
}

/// Decides whether one of `records` is the task's new best. A record with wrong results becomes a failure.
llvm::Error TuningSession::confirm(size_t index, std::vector<TuningRecord> &records) {
  confirmFastestAhead(index, records);
  if (llvm::Error error = confirmDefault(index, records))
    return error;
  std::vector<TuningRecord *> order;
  for (TuningRecord &record : records)
    if (record.isValid() && record.schedule != winners[index].defaultSchedule)
      order.push_back(&record);
  // Ties are in the order of proposal, which is that of the addresses.
  llvm::sort(order, [](const TuningRecord *a, const TuningRecord *b) {
    return std::pair(a->cost(), a) < std::pair(b->cost(), b);
  });
  unsigned tried = 0;
  for (TuningRecord *record : order) {
    double toBeat = winners[index].tuningSeconds;
    if ((toBeat > 0 && record->cost() >= toBeat) || tried++ == confirmationsPerRound)
      break;
    if (llvm::Expected<bool> isRight = takeIfBest(index, *record); !isRight)
      return isRight.takeError();
  }
  return llvm::Error::success();
}

/// Estimates the cost of the default schedule under the conditions of the best cost. Keeps the old estimate if the two
/// were not compared.
void TuningSession::valueDefault(size_t index) {
  const TuningRecord *best = fastest(winners[index].confirmed);
  if (best && (!best->defaultCosts.empty() || best->schedule == winners[index].defaultSchedule))
    states[index].untunedSeconds = *states[index].bestSeconds / best->relativeCost().median;
}

/// Returns null if there is none.
const TuningRecord *TuningSession::bestToMeasureAgain(size_t index) const {
  const Winners &own = winners[index];
  const TuningRecord *best = fastest(own.confirmed);
  if (!best || best->schedule == own.defaultSchedule)
    return nullptr;
  size_t times = timesOf(own.confirmed, best->schedule);
  return times > 1 || !canMeasure(index, best->schedule, /*isRelease=*/true, times) ? nullptr : best;
}

/// The confirmed schedule with the largest gain is also the luckiest one. So the best is measured again at another
/// time, and the worse result of both counts (decisive()). If it is no longer the best, the next one follows. Returns
/// false if there was nothing to measure.
llvm::Expected<bool> TuningSession::measureBestAgain(size_t index) {
  const Winners &own = winners[index];
  unsigned again = 0;
  for (; again < bestsMeasuredAgain; ++again) {
    const TuningRecord *best = bestToMeasureAgain(index);
    if (!best)
      break;
    std::string schedule = best->schedule;
    if (llvm::Error error = confirmOne(index, schedule).takeError())
      return std::move(error);
  }
  if (again == 0)
    return false;
  if (const TuningRecord *best = fastest(own.confirmed)) {
    correctBest(index, best->cost());
    valueDefault(index);
  } else {
    states[index].bestSeconds = states[index].untunedSeconds = std::nullopt;
  }
  return true;
}

/// Returns the expected time for measuring the best schedules again: some of them twice.
double TuningSession::secondsToFinish() const {
  constexpr double perTask = 1.5;
  auto count = llvm::count_if(winners, [](const Winners &each) {
    const TuningRecord *best = fastest(each.confirmed);
    return best && best->schedule != each.defaultSchedule;
  });
  return confirmations > 0 ? perTask * static_cast<double>(count) * confirmSeconds / confirmations : 0;
}

llvm::Error TuningSession::finish(Observer observer, std::function<bool()> isInterrupted) {
  bool isPending = false;
  size_t begun = 0;
  for (size_t index = 0; index < tasks.size() && !isInterrupted(); ++index) {
    for (; functions.confirmAhead && begun < std::min<size_t>(tasks.size(), index + functions.confirmationsAtOnce);
         ++begun)
      if (const TuningRecord *best = bestToMeasureAgain(begun))
        confirmAhead(begun, best->schedule);
    llvm::Expected<bool> isMeasured = measureBestAgain(index);
    // The tasks are independent here, so one result is requested for each.
    if (!isMeasured && isMeasured.errorIsA<MeasurementPending>()) {
      isPending = true;
      llvm::consumeError(isMeasured.takeError());
      continue;
    }
    if (!isMeasured)
      return isMeasured.takeError();
    if (*isMeasured)
      observer(describe(index, std::nullopt));
  }
  if (isPending)
    return llvm::make_error<MeasurementPending>();
  return writer ? writer->flush() : llvm::Error::success();
}

} // namespace cameo::autotune
