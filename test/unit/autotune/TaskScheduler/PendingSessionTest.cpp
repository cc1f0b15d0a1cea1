// A session whose candidates are measured elsewhere: while it is not running, or several at a time.
#include "TuningSessionFixture.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// Each run ends at a missing result, and the last run has the same records as a session that measures itself.
TEST_F(TuningSessionTest, WhatIsPendingEndsTheSessionAndIsTakenUp) {
  for (unsigned roundsAhead : {0, 1, 4}) {
    SessionOptions options = makeOptions();
    options.roundsAhead = roundsAhead;
    llvm::sys::fs::remove(path);
    run(options);
    std::string whole = text();
    llvm::sys::fs::remove(path);
    MeasureFunctions own = functions;
    std::set<std::string> asked, known;
    unsigned runs = 0;
    own.prepare = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double) {
      for (const std::string &schedule : schedules)
        asked.insert(task.key + schedule);
    };
    own.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules,
                      double best) -> llvm::Expected<std::vector<TuningRecord>> {
      own.prepare(task, schedules, best);
      for (const std::string &schedule : schedules)
        if (!known.count(task.key + schedule))
          return llvm::make_error<MeasurementPending>();
      return functions.measure(task, schedules, best);
    };
    own.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                      size_t time) -> llvm::Expected<TuningRecord> {
      std::string key = ("confirm " + llvm::Twine(time) + task.key + schedule).str();
      asked.insert(key);
      if (!known.count(key))
        return llvm::make_error<MeasurementPending>();
      return functions.confirm(task, schedule, defaultSchedule, time);
    };
    for (bool isPending = true; isPending && runs < 200; ++runs) {
      std::vector<TuningRecord> before;
      if (llvm::sys::fs::exists(path))
        before = std::move(llvm::cantFail(readRecords(path)).records);
      auto writer = llvm::cantFail(RecordWriter::open(path, RecordWriter::Sync::Never));
      TuningSession session(makeTasks(), options, own, before, writer.get());
      llvm::Error error = session.run([](const SessionState &) {}, [] { return false; });
      isPending = error.isA<MeasurementPending>();
      EXPECT_EQ(llvm::errorToBool(std::move(error)), isPending);
      known.insert(asked.begin(), asked.end());
    }
    EXPECT_GT(runs, 5u);
    EXPECT_LT(runs, 200u);
    EXPECT_EQ(text(), whole) << roundsAhead << " rounds ahead";
  }
}

/// Confirmations start before earlier ones end, and the session does not change.
TEST_F(TuningSessionTest, ConfirmationsThatGoOnBesideEachOtherChangeNothing) {
  run(makeOptions());
  std::string whole = text();
  llvm::sys::fs::remove(path);
  MeasureFunctions own = functions;
  std::set<std::string> begun;
  unsigned together = 0;
  auto keyOf = [](const SearchTask &task, llvm::StringRef schedule, size_t time) {
    return (llvm::Twine(time) + task.key + schedule).str();
  };
  own.confirmationsAtOnce = 2;
  own.confirmAhead = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef, size_t time) {
    EXPECT_TRUE(begun.insert(keyOf(task, schedule, time)).second);
    together += begun.size() > 1;
  };
  own.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule, size_t time) {
    begun.erase(keyOf(task, schedule, time));
    return functions.confirm(task, schedule, defaultSchedule, time);
  };
  auto writer = llvm::cantFail(RecordWriter::open(path, RecordWriter::Sync::Never));
  TuningSession session(makeTasks(), makeOptions(), own, {}, writer.get());
  llvm::cantFail(session.run([](const SessionState &) {}, [] { return false; }));
  EXPECT_GT(together, 0u);
  EXPECT_TRUE(begun.empty()) << "something was confirmed for nothing";
  EXPECT_EQ(text(), whole);
}

} // namespace
