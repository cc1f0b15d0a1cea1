// Sessions of two tasks whose costs follow a formula.
#ifndef CAMEO_TEST_UNIT_AUTOTUNE_TASKSCHEDULER_TUNINGSESSIONFIXTURE_H
#define CAMEO_TEST_UNIT_AUTOTUNE_TASKSCHEDULER_TUNINGSESSIONFIXTURE_H

#include "autotune/TaskScheduler/TuningSession.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <set>

namespace cameo::autotune {

/// Proposes tiles of 1, 2, 3, ... up to `size`.
class CountingPolicy : public SearchPolicy {
public:
  CountingPolicy(mlir::MLIRContext *context, unsigned size, bool marksDefault)
      : context(context), size(size), marksDefault(marksDefault) {}

  std::vector<Candidate> propose(unsigned count, unsigned) override {
    std::vector<Candidate> candidates;
    for (; count > 0 && proposed < size; --count) {
      mlir::Attribute tile = schedule::TileAttr::get(context, 0, 0, ++proposed);
      candidates.push_back({schedule::StepsAttr::get(context, tile), 0, marksDefault && proposed == 1});
    }
    return candidates;
  }
  void observe(llvm::ArrayRef<Outcome>) override {}
  bool isExhausted() const override { return proposed == size; }

private:
  mlir::MLIRContext *context;
  unsigned size, proposed = 0;
  bool marksDefault; ///< whether the first proposal is the default schedule
};

inline constexpr char source[] = R"(
  task.def @conv_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {key = "aaaa", flops = 1.0e6 : f64} {
    task.return %x : tensor<4xf32>
  }
  task.def @conv_1(%x: tensor<8xf32>) -> tensor<8xf32> attributes {key = "bbbb", flops = 2.0e6 : f64} {
    task.return %x : tensor<8xf32>
  }
)";

class TuningSessionTest : public testing::Test {
protected:
  TuningSessionTest() {
    context.loadDialect<task::TaskDialect, schedule::ScheduleDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("session", "jsonl", path));
    functions.measure = [this](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double) {
      std::vector<TuningRecord> records;
      for (const std::string &schedule : schedules)
        records.push_back(makeRecord(task, schedule, /*isRelease=*/false));
      measurements += schedules.size();
      return records;
    };
    functions.confirm = [this](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef, size_t) {
      return makeRecord(task, schedule, /*isRelease=*/true);
    };
  }
  ~TuningSessionTest() override { llvm::sys::fs::remove(path); }

  /// The cost is a formula of the tile size; some candidates fail.
  TuningRecord makeRecord(const SearchTask &task, llvm::StringRef schedule, bool isRelease) {
    TuningRecord record;
    record.task = task.key;
    record.triple = "x86_64";
    record.schedule = schedule.str();
    record.isRelease = isRelease;
    unsigned size = 0;
    schedule.substr(schedule.find("size = ") + 7).consumeInteger(10, size);
    if (size % 7 == 3)
      record.error = {ErrorKind::Runtime, "crashed: planted"};
    else
      record.costs.assign(5, 1e-3 * (1 + (size * 37 % 100)) / (task.key == "aaaa" ? 1 : 2));
    if (isRelease && wrong.count(size))
      record.error = {ErrorKind::WrongAnswer, "planted"}, record.costs.clear();
    if (isRelease && record.isValid())
      record.proof = Proof();
    return record;
  }

  std::vector<SessionTask> makeTasks(unsigned size = 60) {
    std::vector<SessionTask> tasks;
    for (auto def : module->getOps<task::DefOp>())
      tasks.push_back({{def, {false}, {}, 1, def->getAttrOfType<mlir::StringAttr>("key").str()},
                       tasks.empty() ? 3.0 : 1.0,
                       std::make_unique<CountingPolicy>(&context, size, marksDefault)});
    return tasks;
  }

  SessionOptions makeOptions(unsigned trials = 80) {
    SessionOptions options;
    options.trials = trials;
    options.trialsPerRound = 8;
    return options;
  }

  /// Runs a session on the file at `path`.
  SessionState run(const SessionOptions &options, bool resumes = false) {
    std::vector<TuningRecord> known;
    if (resumes)
      known = std::move(llvm::cantFail(readRecords(path)).records);
    auto writer = llvm::cantFail(RecordWriter::open(path, RecordWriter::Sync::Never));
    TuningSession session(makeTasks(), options, functions, known, writer.get());
    SessionState last;
    auto observe = [&](const SessionState &state) { last = state; };
    EXPECT_FALSE(llvm::errorToBool(session.run(observe, [] { return false; })));
    tasks = session.progress().vec();
    for (size_t task = 0; task < tasks.size(); ++task)
      bests.push_back(session.bestSchedule(task).str());
    return last;
  }
  std::string text() { return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str(); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  llvm::SmallString<128> path;
  MeasureFunctions functions;
  std::set<unsigned> wrong;
  size_t measurements = 0;
  bool marksDefault = false;
  std::vector<TaskProgress> tasks;
  std::vector<std::string> bests;
};

} // namespace cameo::autotune

#endif
