// The tuning loop with costs that follow a formula: its records, its failures, and resuming after a kill at any point.
#include "TuningSessionFixture.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <mutex>
#include <random>
#include <thread>

using namespace cameo;
using namespace cameo::autotune;

namespace {

TEST_F(TuningSessionTest, EveryTrialIsRecordedAndTheBestIsCompared) {
  SessionState last = run(makeOptions());
  EXPECT_TRUE(last.isLast);
  EXPECT_EQ(last.trials, 80u);
  EXPECT_EQ(measurements, 80u);
  RecordFile file = llvm::cantFail(readRecords(path));
  EXPECT_EQ(llvm::count_if(file.records, [](const TuningRecord &record) { return !record.isRelease; }), 80);
  EXPECT_EQ(tasks[0].trials + tasks[1].trials, 80u);
  EXPECT_GT(tasks[0].trials, tasks[1].trials) << "three calls and the slower one";
  EXPECT_FALSE(bests[0].empty());
  EXPECT_EQ(last.unknownTasks, 0u);
}

TEST_F(TuningSessionTest, EachRoundIsTwiceTheOneBefore) {
  SessionOptions options = makeOptions(24 + 24);
  options.trialsPerRound = 20;
  options.firstRoundTrials = 3;
  options.scheduler.strategy = "round-robin";
  run(options);
  std::map<unsigned, unsigned> perRound;
  for (const TuningRecord &record : llvm::cantFail(readRecords(path)).records)
    if (!record.isRelease)
      perRound[record.round] += record.task == "aaaa";
  EXPECT_EQ(perRound, (std::map<unsigned, unsigned>{{0, 3}, {1, 6}, {2, 12}, {3, 6}}));
}

TEST_F(TuningSessionTest, FailuresAreCountedAndTheLastReasonIsKept) {
  SessionState last = run(makeOptions());
  EXPECT_GT(tasks[0].failures, 0u);
  EXPECT_EQ(last.lastFailure.message, "crashed: planted");
}

TEST_F(TuningSessionTest, AWrongAnswerIsNeverTheBest) {
  // The cost grows with size * 37 % 100, which is 1 for tile 73. Among the 60 proposed tiles the minimum is 2, for tile
  // 46.
  run(makeOptions(120));
  std::string fastest = bests[0];
  unsigned size = 0;
  llvm::StringRef(fastest).substr(fastest.find("size = ") + 7).consumeInteger(10, size);
  wrong.insert(size);
  bests.clear();
  llvm::sys::fs::remove(path);
  SessionState last = run(makeOptions(120));
  EXPECT_NE(bests[0], fastest);
  EXPECT_FALSE(bests[0].empty());
  EXPECT_EQ(last.unknownTasks, 0u);
  RecordFile file = llvm::cantFail(readRecords(path));
  EXPECT_TRUE(llvm::any_of(file.records, [](const TuningRecord &record) {
    return record.isRelease && record.error.kind == ErrorKind::WrongAnswer;
  }));
}

TEST_F(TuningSessionTest, WhatIsNotFasterThanTheDefaultInTurnsIsNotTheBest) {
  marksDefault = true;
  auto confirm = functions.confirm;
  functions.confirm = [confirm](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                                size_t time) {
    EXPECT_FALSE(defaultSchedule.empty());
    TuningRecord record = llvm::cantFail(confirm(task, schedule, defaultSchedule, time));
    if (record.isValid() && schedule != defaultSchedule)
      record.costs = record.defaultCosts = std::vector<double>(5, 1e-3 * 38);
    return record;
  };
  run(makeOptions());
  EXPECT_EQ(tasks[0].bestSeconds, 1e-3 * 38) << "the cost of the first one, which is the default schedule";
  EXPECT_NE(bests[0].find("size = 1>"), std::string::npos) << bests[0];
}

TEST_F(TuningSessionTest, ADefaultThatWasMeasuredInABadMomentIsCorrected) {
  marksDefault = true;
  auto confirm = functions.confirm;
  functions.confirm = [confirm](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                                size_t time) {
    TuningRecord record = llvm::cantFail(confirm(task, schedule, defaultSchedule, time));
    if (record.isValid())
      record.costs.assign(5, schedule == defaultSchedule ? 1e-3 * 50 : 1e-3 * 30);
    if (schedule != defaultSchedule)
      record.defaultCosts.assign(5, 1e-3 * 30);
    return record;
  };
  run(makeOptions());
  EXPECT_EQ(tasks[0].bestSeconds, 1e-3 * 30);
  for (double past : tasks[0].history)
    EXPECT_NEAR(past, 1e-3 * 30, 1e-12) << "a correction is no gain";
  EXPECT_NE(bests[0].find("size = 1>"), std::string::npos) << bests[0];
}

/// If all schedules take 0.9 of the time of the default one, the one with the luckiest measurement would be the best,
/// and its luck would count as a gain.
TEST_F(TuningSessionTest, WhatIsBestAtTheEndIsMeasuredAgain) {
  marksDefault = true;
  auto confirm = functions.confirm;
  std::map<std::string, size_t> times;
  double luck = 0.9;
  functions.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                          size_t time) {
    TuningRecord record = llvm::cantFail(confirm(task, schedule, defaultSchedule, time));
    if (schedule == defaultSchedule)
      return record;
    record.defaultCosts.assign(6, 1e-3);
    EXPECT_EQ(times[task.key + schedule.str()]++, time);
    if (record.isValid())
      record.costs.assign(6, time == 0 ? (luck -= 0.01) * 1e-3 : 0.9e-3);
    return record;
  };
  run(makeOptions());
  for (const TaskProgress &task : tasks) {
    EXPECT_NEAR(*task.bestSeconds, 0.9e-3, 1e-12);
    EXPECT_NEAR(*task.untunedSeconds, 1e-3, 1e-12);
  }
  size_t twice = 0, most = 0;
  for (const auto &[schedule, count] : times) {
    twice += count > 1;
    most = std::max(most, count);
  }
  EXPECT_EQ(most, 2u);
  EXPECT_GE(twice, 2u);
  EXPECT_LE(twice, 2u * 3) << "three of each task at most";
}

/// A schedule that fails when it is measured again must not be the best one.
TEST_F(TuningSessionTest, WhatFailsTheSecondTimeIsNotTheBest) {
  auto confirm = functions.confirm;
  std::string failed;
  functions.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                          size_t time) {
    TuningRecord record = llvm::cantFail(confirm(task, schedule, defaultSchedule, time));
    if (time > 0 && failed.empty()) {
      failed = schedule.str();
      record.costs.clear();
      record.error = {ErrorKind::Runtime, "planted"};
    }
    return record;
  };
  run(makeOptions());
  EXPECT_FALSE(failed.empty());
  EXPECT_NE(bests[0], failed);
  EXPECT_FALSE(bests[0].empty());
}

/// The best schedule of every task takes half the time of the default one, and so does the model, for all times of the
/// single tasks.
TEST_F(TuningSessionTest, TheEstimateIsThePartOfTheModelThatIsLeft) {
  marksDefault = true;
  auto confirm = functions.confirm;
  functions.confirm = [confirm](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                                size_t time) {
    TuningRecord record = llvm::cantFail(confirm(task, schedule, defaultSchedule, time));
    if (record.isValid())
      record.costs.assign(5, schedule == defaultSchedule ? 1e-3 : 5e-4);
    if (schedule != defaultSchedule)
      record.defaultCosts.assign(5, 1e-3);
    return record;
  };
  SessionOptions options = makeOptions();
  EXPECT_NEAR(run(options).totalSeconds, (3 + 1) * 5e-4, 1e-12) << "weights 3 and 1";
  llvm::sys::fs::remove(path);
  options.modelSeconds = 6e-3;
  EXPECT_NEAR(run(options).totalSeconds, 3e-3, 1e-12);
}

/// Two of eight similar tasks take four times as long as the others, with every schedule. They take 8 of 14 ms, so they
/// should get about this share of the trials. A scheduler that keeps each of them in the group while the other one has
/// rounds would give them all trials.
TEST_F(TuningSessionTest, TasksThatGainNothingDoNotEatTheRun) {
  std::string eight;
  for (int number = 0; number < 8; ++number)
    eight += llvm::formatv("task.def @conv_{0}(%x: tensor<4xf32>) -> tensor<4xf32> attributes {{key = \"{1}{0}\", "
                           "flops = 1.0e6 : f64} {{\n"
                           "  task.return %x : tensor<4xf32>\n}\n",
                           number, number < 2 ? "slow" : "fast");
  module = mlir::parseSourceString<mlir::ModuleOp>(eight, &context);
  auto record = [this](const SearchTask &task, llvm::StringRef schedule, bool isRelease) {
    TuningRecord record = makeRecord(task, schedule, isRelease);
    record.error = {};
    record.costs.assign(5, llvm::StringRef(task.key).starts_with("slow") ? 4e-3 : 1e-3);
    if (isRelease)
      record.proof = Proof();
    return record;
  };
  functions.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double) {
    std::vector<TuningRecord> records;
    for (const std::string &schedule : schedules)
      records.push_back(record(task, schedule, /*isRelease=*/false));
    return records;
  };
  functions.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef, size_t) {
    return record(task, schedule, /*isRelease=*/true);
  };
  std::vector<SessionTask> made = makeTasks(1000);
  for (SessionTask &task : made)
    task.weight = 1;
  TuningSession session(std::move(made), makeOptions(800), functions, {}, nullptr);
  EXPECT_FALSE(llvm::errorToBool(session.run([](const SessionState &) {}, [] { return false; })));
  tasks = session.progress().vec();
  EXPECT_LT(tasks[0].trials + tasks[1].trials, 520u);
  EXPECT_GT(tasks[0].trials + tasks[1].trials, 400u);
  for (unsigned number = 2; number < 8; ++number)
    EXPECT_GT(tasks[number].trials, 40u);
}

TEST_F(TuningSessionTest, ATaskWithoutAnyResultHidesNoTotal) {
  auto measure = functions.measure;
  functions.measure = [measure](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double best) {
    std::vector<TuningRecord> records = llvm::cantFail(measure(task, schedules, best));
    if (task.key == "bbbb")
      for (TuningRecord &record : records)
        record.costs.clear(), record.error = {ErrorKind::CompileHost, "no"};
    return records;
  };
  SessionState last = run(makeOptions());
  EXPECT_EQ(last.unknownTasks, 1u);
  EXPECT_GT(last.totalSeconds, 0);
  EXPECT_TRUE(tasks[1].isFinished) << "three rounds without a result are enough";
}

TEST_F(TuningSessionTest, SmallSpacesEnd) {
  SessionState last = run(makeOptions(1000));
  EXPECT_EQ(last.trials, 120u);
  EXPECT_TRUE(tasks[0].isFinished && tasks[1].isFinished);
}

TEST_F(TuningSessionTest, EarlyStopping) {
  SessionOptions options = makeOptions(1000);
  options.earlyStopping = 16;
  EXPECT_LT(run(options).trials, 120u);
}

/// Two rounds of 4 trials and one of 8 take 320 ms, or longer on a busy machine; the next one would take 160 more.
TEST_F(TuningSessionTest, NoRoundIsBegunThatWouldNotEndInTime) {
  auto measure = functions.measure;
  functions.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double best) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20 * schedules.size()));
    return measure(task, schedules, best);
  };
  SessionOptions options = makeOptions(1000);
  options.seconds = 0.4;
  SessionState last = run(options);
  EXPECT_GE(last.trials, 4u);
  EXPECT_LE(last.trials, 16u);
}

/// If there is a thread for it, the next round is proposed while one is measured; the records are the same.
TEST_F(TuningSessionTest, TheNextRoundIsProposedBesideThisOne) {
  run(makeOptions());
  std::string alone = text();
  llvm::sys::fs::remove(path);
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::vector<std::string> prepared, measured;
  unsigned besides = 0;
  functions.beside = [&](std::function<void()> work) {
    ++besides;
    threads.emplace_back([work = std::move(work)] {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      work();
    });
  };
  functions.prepare = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double) {
    std::lock_guard lock(mutex);
    prepared.push_back(task.key + llvm::join(schedules, ""));
  };
  auto measure = functions.measure;
  functions.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double best) {
    measured.push_back(task.key + llvm::join(schedules, ""));
    return measure(task, schedules, best);
  };
  run(makeOptions());
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(text(), alone);
  EXPECT_GT(besides, 0u);
  EXPECT_EQ(prepared.size(), besides);
  for (const std::string &each : prepared)
    EXPECT_TRUE(llvm::is_contained(measured, each)) << "what is prepared is what is measured";
}

/// A search of one task must learn from a round before it proposes the next one.
TEST_F(TuningSessionTest, OneTaskAloneIsNeverProposedBeside) {
  functions.beside = [](std::function<void()>) { ADD_FAILURE() << "there is no other task"; };
  std::vector<SessionTask> one;
  one.push_back(std::move(makeTasks().front()));
  TuningSession session(std::move(one), makeOptions(40), functions, {}, nullptr);
  EXPECT_FALSE(llvm::errorToBool(session.run([](const SessionState &) {}, [] { return false; })));
  EXPECT_EQ(session.progress().front().trials, 40u);
}

/// A run with half of the trials forecasts the gain of the other half. The position of the best schedule among the
/// trials is random.
TEST_F(TuningSessionTest, TheForecastIsOfTheSizeOfWhatComes) {
  double forecast = 0, gain = 0;
  for (unsigned trials : {16, 32, 60}) {
    llvm::sys::fs::remove(path);
    SessionState half = run(makeOptions(trials));
    EXPECT_GT(half.forecastSeconds, 0);
    EXPECT_GE(half.forecastGain, 0);
    llvm::sys::fs::remove(path);
    SessionState whole = run(makeOptions(2 * trials));
    forecast += half.forecastGain;
    gain += 1 - whole.totalSeconds / half.totalSeconds;
  }
  EXPECT_GT(forecast, gain / 3);
  EXPECT_LT(forecast, gain * 3);
}

TEST_F(TuningSessionTest, WhereNothingIsLeftThereIsNoForecast) {
  SessionState last = run(makeOptions(1000));
  EXPECT_EQ(last.forecastSeconds, 0);
}

/// A candidate that is missing in a log was not measured. It is not recorded as a failure, and a machine that resumes
/// the run measures it.
TEST_F(TuningSessionTest, WhatCannotBeMeasuredIsNoFailure) {
  auto sizeOf = [](llvm::StringRef schedule) {
    unsigned size = 0;
    schedule.substr(schedule.find("size = ") + 7).consumeInteger(10, size);
    return size;
  };
  functions.holds = [&](const SearchTask &, llvm::StringRef schedule, bool isRelease) {
    return sizeOf(schedule) % 2 == 0 && (!isRelease || sizeOf(schedule) % 4 == 0);
  };
  auto measure = functions.measure;
  functions.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double best) {
    for (const std::string &schedule : schedules)
      EXPECT_EQ(sizeOf(schedule) % 2, 0u);
    return measure(task, schedules, best);
  };
  SessionState last = run(makeOptions());
  EXPECT_EQ(last.misses, 40u);
  EXPECT_EQ(last.trials, 40u);
  EXPECT_EQ(measurements, 40u);
  unsigned failures = 0;
  for (const TuningRecord &record : llvm::cantFail(readRecords(path)).records) {
    EXPECT_EQ(sizeOf(record.schedule) % (record.isRelease ? 4 : 2), 0u);
    failures += !record.isValid();
    EXPECT_TRUE(record.isValid() || sizeOf(record.schedule) % 7 == 3);
  }
  EXPECT_EQ(tasks[0].failures + tasks[1].failures, failures);
  EXPECT_FALSE(bests[0].empty());
  functions.holds = nullptr;
  functions.measure = measure;
  last = run(makeOptions(), /*resumes=*/true);
  EXPECT_EQ(last.misses, 0u);
  EXPECT_EQ(last.trials, 80u);
  EXPECT_EQ(last.resumedTrials, 40u);
}

/// A killed session leaves a prefix of the file. The resumed session writes the same records as the killed one would
/// have.
TEST_F(TuningSessionTest, ResumesExactlyWhereverItWasKilled) {
  run(makeOptions());
  std::string whole = text();
  std::mt19937 random(1);
  for (int kill = 0; kill < 100; ++kill) {
    size_t cut = random() % whole.size();
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << whole.substr(0, cut);
    size_t lines = llvm::StringRef(whole).take_front(cut).count('\n');
    measurements = 0;
    SessionState last = run(makeOptions(), /*resumes=*/true);
    ASSERT_EQ(text(), whole) << "killed after " << cut << " bytes";
    EXPECT_LE(last.resumedTrials, lines);
    EXPECT_EQ(measurements + last.resumedTrials, 80u);
  }
}

} // namespace
