// The tuning loop: choose a task, let its search propose candidates, measure them, confirm the best ones, record,
// learn. The next task is chosen and searched during the measurements. At the end, the best schedules are measured once
// more.
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

/// The functions that measure schedules, on a machine or from a log.
struct MeasureFunctions {
  /// Measures `schedules` briefly and returns one record for each. `bestSeconds` is the best cost of the task so far, 0
  /// if none.
  std::function<llvm::Expected<std::vector<TuningRecord>>(const SearchTask &, llvm::ArrayRef<std::string> schedules,
                                                          double bestSeconds)>
      measure;
  /// Compares `schedule` with the naive path and measures it with many repeats, alternating with `defaultSchedule` if
  /// that is another schedule and not empty. `time` is the number of earlier confirmations.
  std::function<llvm::Expected<TuningRecord>(const SearchTask &, llvm::StringRef schedule,
                                             llvm::StringRef defaultSchedule, size_t time)>
      confirm;
  /// Runs `work` on another thread during measure() and confirm(). Null: work runs at once on the calling thread.
  std::function<void(std::function<void()> work)> beside;
  /// Announces the next call of measure(), as far as it is known; called from work that `beside` runs. May be null.
  std::function<void(const SearchTask &, llvm::ArrayRef<std::string> schedules, double bestSeconds)> prepare;
  /// Whether confirm() (`isRelease`) or measure() has a result for a schedule: a log may have none. Null: always.
  std::function<bool(const SearchTask &, llvm::StringRef schedule, bool isRelease)> holds;
  /// Receives the default schedule of a task before that is measured or prepared. May be null.
  std::function<void(const SearchTask &, llvm::StringRef schedule)> setDefault = nullptr;
  /// Announces a likely call of confirm(). Up to `confirmationsAtOnce` confirmations may run at the same time. Null:
  /// one at a time.
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
  unsigned trials = 0; ///< limit of measurements in total; 0: none
  double seconds = 0;  ///< time limit of the whole session, which starts no round that would exceed it; 0: none
  unsigned trialsPerRound = 32;
  unsigned firstRoundTrials =
      4;                      ///< small, so that all tasks have a cost soon; doubled in each round up to trialsPerRound
  unsigned earlyStopping = 0; ///< end after this many trials without any gain; 0: never
  unsigned taskEarlyStopping = 0; ///< the same for one task
  unsigned roundsAhead = 1;       ///< rounds, each of another task, that are proposed while one is measured
  unsigned workers = 1;           ///< threads for proposals while nothing is measured
  uint64_t seed = 0;
  double modelSeconds = 0; ///< time of a run of the whole model with default schedules; 0: unknown
  TaskSchedulerOptions scheduler;
};

/// The progress of one device of a farm.
struct DeviceProgress {
  std::string name;
  unsigned measured = 0; ///< number of candidates and confirmations
  unsigned failed = 0;   ///< number of failures among these
};

/// State of the session for display after a round.
struct SessionState {
  llvm::ArrayRef<TaskProgress> tasks;
  llvm::ArrayRef<std::string> names;
  std::vector<DeviceProgress> devices; ///< devices that measured in this run, by name; empty if there is only one
                                       ///< machine
  std::optional<size_t> current, next; ///< tasks of this round and of the next one
  unsigned trials = 0;                 ///< in total, resumed ones included
  unsigned resumedTrials = 0;          ///< trials from an earlier run
  unsigned misses = 0;                 ///< schedules without a measurement; they are no trials
  double elapsedSeconds = 0;
  double totalSeconds = 0;    ///< estimate for one run of the model; without the tasks that have no cost yet
  unsigned unknownTasks = 0;  ///< number of tasks without a cost
  double forecastGain = 0;    ///< share of totalSeconds that the next `forecastSeconds` are expected to save
  double forecastSeconds = 0; ///< the remaining time, or the elapsed time if there is no limit; 0: no forecast
  unsigned failuresInARow = 0;
  MeasureError lastFailure;
  bool isLast = false; ///< whether this is the last round
};

class TuningSession {
public:
  using Observer = std::function<void(const SessionState &)>;

  /// `known` are records of an earlier run, which are not measured again. A session with the same tasks, options and
  /// seed therefore repeats the earlier one and continues it. New records go to `writer`, which may be null.
  TuningSession(std::vector<SessionTask> tasks, const SessionOptions &options, MeasureFunctions functions,
                llvm::ArrayRef<TuningRecord> known, RecordWriter *writer);
  /// Waits for running proposals.
  ~TuningSession();

  /// Runs until the limit of trials or time is reached, nothing is left to measure, or `isInterrupted` returns true.
  /// Fails on an error of the record file or of MeasureFunctions.
  llvm::Error run(Observer observer, std::function<bool()> isInterrupted);

  llvm::ArrayRef<TaskProgress> progress() const { return states; }
  /// Returns the best confirmed schedule of a task, or "".
  llvm::StringRef bestSchedule(size_t task) const {
    const TuningRecord *best = fastest(winners[task].confirmed);
    return best ? llvm::StringRef(best->schedule) : "";
  }

private:
  /// The best schedules of a task.
  struct Winners {
    std::vector<TuningRecord> confirmed; ///< in chronological order, with failures
    std::string defaultSchedule;         ///< empty if the search has none
    double tuningSeconds = 0;            ///< least cost of brief measurements, by which candidates are compared; 0:
                                         ///< none
  };
  /// The schedules to measure in one round.
  struct Round {
    size_t task = 0;
    std::vector<Candidate> candidates;
    std::vector<std::string> schedules; ///< schedules of the candidates
  };
  /// A round that is proposed while the one before is measured.
  struct NextRound {
    size_t task = 0;
    unsigned count = 0; ///< number of candidates that were requested
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
  /// Returns the number of trials that count towards the limit.
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
      known; ///< by task, level and schedule; several records for a schedule that was confirmed several times
  RecordWriter *writer;
  double begin = 0, secondsPerTrial = 0; ///< `secondsPerTrial` is that of the last round
  double confirmSeconds = 0;             ///< total time of `confirmations`
  unsigned confirmations = 0;            ///< number of confirmations that were measured
  unsigned trials = 0, resumedTrials = 0, misses = 0, trialsSinceGain = 0, failuresInARow = 0;
  MeasureError lastFailure;
  std::map<std::string, DeviceProgress> devices; ///< by name
};

} // namespace cameo::autotune

#endif
