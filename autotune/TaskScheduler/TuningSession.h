// The loop of tuning: choose a task, let its search propose, measure, confirm what may be the best, record, learn. The
// next task is chosen and searched while one is measured. At the end what is best is measured once more.
#ifndef CAMEO_AUTOTUNE_TASKSCHEDULER_TUNINGSESSION_H
#define CAMEO_AUTOTUNE_TASKSCHEDULER_TUNINGSESSION_H

#include "autotune/Records/BestRecord.h"
#include "autotune/Records/RecordFile.h"
#include "autotune/Search/SearchPolicy.h"
#include "autotune/TaskScheduler/TaskScheduler.h"

#include "llvm/ADT/StringMap.h"

#include <deque>
#include <future>
#include <map>

namespace cameo::autotune {

/// How schedules get their costs: on this machine, or from a log.
/// An error of measure() or confirm() ends the session: a MeasurementPending, which whoever runs it again has a result
/// for.
struct MeasureFunctions {
  /// One record per schedule, measured briefly. `bestSeconds`: of the task so far, 0 for none.
  std::function<llvm::Expected<std::vector<TuningRecord>>(const SearchTask &, llvm::ArrayRef<std::string> schedules,
                                                          double bestSeconds)>
      measure;
  /// Compared with the naive path, measured well, in turns with `defaultSchedule` where that is another one and not
  /// empty. `time`: how often that was done before.
  std::function<llvm::Expected<TuningRecord>(const SearchTask &, llvm::StringRef schedule,
                                             llvm::StringRef defaultSchedule, size_t time)>
      confirm;
  /// Does `work` on another thread, beside measure() and confirm(). Null: there is none, and work is done at once.
  std::function<void(std::function<void()> work)> beside;
  /// Says what measure() will be asked for next, as far as that is known; called from work beside it. May be null.
  std::function<void(const SearchTask &, llvm::ArrayRef<std::string> schedules, double bestSeconds)> prepare;
  /// Whether confirm() (`isRelease`) or measure() has an answer for a schedule: a log may hold none. Null: always.
  std::function<bool(const SearchTask &, llvm::StringRef schedule, bool isRelease)> holds;
  /// Told the default schedule of a task, before it is measured or prepared. Null: nobody wants to know.
  std::function<void(const SearchTask &, llvm::StringRef schedule)> setDefault = nullptr;
  /// Says that confirm() will most likely be asked for this, of up to `confirmationsAtOnce` schedules, which may go on
  /// beside each other. Null: one at a time.
  std::function<void(const SearchTask &, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time)>
      confirmAhead = nullptr;
  unsigned confirmationsAtOnce = 1;
};

struct SessionTask {
  SearchTask task;
  double weight = 1; ///< calls per run of the model
  std::unique_ptr<SearchPolicy> policy;
};

struct SessionOptions {
  unsigned trials = 0; ///< measurements in total; 0: no limit
  double seconds = 0;  ///< of the whole session, which begins no round that would not end in time; 0: no limit
  unsigned trialsPerRound = 32;
  unsigned firstRoundTrials =
      4; ///< small, so that all tasks have a cost soon; each round has twice as many, up to trialsPerRound
  unsigned earlyStopping = 0;     ///< ends after so many trials without any gain; 0: does not
  unsigned taskEarlyStopping = 0; ///< the same for one task
  unsigned roundsAhead = 1;       ///< that are proposed while one is measured, of as many other tasks
  unsigned workers = 1;           ///< threads that propose while nothing is measured
  uint64_t seed = 0;
  double modelSeconds = 0; ///< of a run of the whole model with default schedules; 0: not known
  TaskSchedulerOptions scheduler;
};

/// One of a farm.
struct DeviceProgress {
  std::string name;
  unsigned measured = 0; ///< candidates, and confirmations of those
  unsigned failed = 0;   ///< of these
};

/// What a user may want to see after a round.
struct SessionState {
  llvm::ArrayRef<TaskProgress> tasks;
  llvm::ArrayRef<std::string> names;
  std::vector<DeviceProgress> devices; ///< that measured in this run, by name; none: it is this machine, or one
  std::optional<size_t> current, next; ///< task of this round and of the following one
  unsigned trials = 0;                 ///< in total, resumed ones included
  unsigned resumedTrials = 0;          ///< known from an earlier run
  unsigned misses = 0;                 ///< schedules that nobody could measure; no trials
  double elapsedSeconds = 0;
  double totalSeconds = 0;    ///< estimate for one run of the model; of the tasks with a cost while others have none
  unsigned unknownTasks = 0;  ///< without a cost
  double forecastGain = 0;    ///< the part of totalSeconds that the next `forecastSeconds` are expected to save
  double forecastSeconds = 0; ///< what is left of the time, or as long again; 0: nothing can be said
  unsigned failuresInARow = 0;
  MeasureError lastFailure;
  bool isLast = false; ///< tuning ended with this
};

class TuningSession {
public:
  using Observer = std::function<void(const SessionState &)>;

  /// `known` are records of an earlier run: what they hold is not measured again, so a session with the same tasks,
  /// options and seed goes where the earlier one went, and on. New records go to `writer`, which may be null.
  TuningSession(std::vector<SessionTask> tasks, const SessionOptions &options, MeasureFunctions functions,
                llvm::ArrayRef<TuningRecord> known, RecordWriter *writer);
  /// Waits for what is proposed beside.
  ~TuningSession();

  /// Until the trials or the time are used up, nothing is left, or `isInterrupted`. An error is one of the record file,
  /// or of MeasureFunctions.
  llvm::Error run(Observer observer, std::function<bool()> isInterrupted);

  llvm::ArrayRef<TaskProgress> progress() const { return states; }
  /// The confirmed schedule of a task; empty: none.
  llvm::StringRef bestSchedule(size_t task) const {
    const TuningRecord *best = fastest(winners[task].confirmed);
    return best ? llvm::StringRef(best->schedule) : "";
  }

private:
  /// What is known of the best schedules of a task.
  struct Winners {
    std::vector<TuningRecord> confirmed; ///< in the order of time, failures included
    std::string defaultSchedule;         ///< empty: the search knows none
    double tuningSeconds = 0;            ///< the least of brief measurements, which candidates are compared by; 0: none
  };
  /// What is measured in one round.
  struct Round {
    size_t task = 0;
    std::vector<Candidate> candidates;
    std::vector<std::string> schedules; ///< of the candidates
  };
  /// One that is proposed while the round before it is measured.
  struct NextRound {
    size_t task = 0;
    unsigned count = 0; ///< candidates that were asked for
    std::future<Round> round;
  };
  unsigned roundSize(size_t index, unsigned trialsBefore) const;
  unsigned trialsAfter(const Round &current) const;
  Round propose(size_t index, unsigned count, unsigned workers);
  std::optional<size_t> guessNext(const Round &current) const;
  void beginNext(const Round &current);
  unsigned leaveOutMisses(Round &round) const;
  llvm::Error runRound(Round round);
  void learn(const Round &round, llvm::ArrayRef<TuningRecord> records);
  bool canMeasure(size_t index, llvm::StringRef schedule, bool isRelease, size_t time = 0) const;
  std::vector<std::string> unknownOf(size_t index, llvm::ArrayRef<std::string> schedules) const;
  llvm::Expected<std::vector<TuningRecord>> measure(size_t index, llvm::ArrayRef<std::string> schedules);
  llvm::Error confirm(size_t index, std::vector<TuningRecord> &records);
  llvm::Error confirmDefault(size_t index, std::vector<TuningRecord> &records);
  llvm::Expected<bool> takeIfBest(size_t index, TuningRecord &record);
  void correctBest(size_t index, double seconds);
  void lowerBest(size_t index, double relativeCost, const TuningRecord &confirmed);
  void valueDefault(size_t index);
  llvm::Expected<TuningRecord> confirmOne(size_t index, llvm::StringRef schedule);
  void confirmAhead(size_t index, llvm::StringRef schedule);
  void confirmFastestAhead(size_t index, llvm::ArrayRef<TuningRecord> records);
  const TuningRecord *bestToMeasureAgain(size_t index) const;
  llvm::Expected<bool> measureBestAgain(size_t index);
  llvm::Error finish(Observer observer, std::function<bool()> isInterrupted);
  double secondsToFinish() const;
  llvm::Error append(TuningRecord record);
  const TuningRecord *recall(const SearchTask &task, llvm::StringRef schedule, bool isRelease, size_t time = 0) const;
  SessionState describe(std::optional<size_t> current, std::optional<size_t> next, bool isLast = false) const;
  void addForecast(SessionState &state) const;
  /// Of the limit on trials.
  unsigned spentTrials() const { return trials + misses; }
  bool isOver(size_t next) const;
  double elapsed() const;

  std::vector<SessionTask> tasks;
  std::vector<TaskProgress> states;
  std::vector<std::string> names;
  std::vector<Winners> winners;
  SessionOptions options;
  MeasureFunctions functions;
  std::unique_ptr<TaskScheduler> scheduler;
  std::deque<NextRound> ahead;
  llvm::StringMap<std::vector<TuningRecord>>
      known; ///< by task, level and schedule; several of what was confirmed several times
  RecordWriter *writer;
  double begin = 0, secondsPerTrial = 0; ///< the latter of the latest round
  double confirmSeconds = 0;             ///< that all of the following took
  unsigned confirmations = 0;            ///< that were measured
  unsigned trials = 0, resumedTrials = 0, misses = 0, trialsSinceGain = 0, failuresInARow = 0;
  MeasureError lastFailure;
  std::map<std::string, DeviceProgress> devices; ///< by name
};

} // namespace cameo::autotune

#endif
