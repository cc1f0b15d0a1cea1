// Candidates that compute wrong results, crash, hang or return an error, in a whole tuning session: built, run by the
// worker, compared, recorded. No model may be compiled with any of them.
#include "PlantedImages.h"

#include "autotune/Measure/MeasureCandidates.h"
#include "autotune/Measure/WorkerTransport.h"
#include "autotune/Records/BestRecord.h"
#include "autotune/TaskScheduler/TuningSession.h"

#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Schedule/ScheduleDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

#include <atomic>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// The faults of schedules with tiles of 1, 2, 3, ...; the naive path has none.
const char *const faults[] = {"is-wrong", "crashes",     "sound",   "hangs",
                              "is-wrong", "eats-memory", "refuses", "is-wrong"};

const char *faultOf(llvm::StringRef schedule) {
  unsigned size = 0;
  schedule.substr(schedule.find("size = ") + 7).consumeInteger(10, size);
  return schedule.empty() ? "sound" : faults[size - 1];
}

/// Counts the builds of the schedule without a fault, except the naive path.
BuildFunction makePlantedBuilder(std::atomic<unsigned> &soundBuilds) {
  return [&](const TaskSource &, const BuildRequest &request) {
    const char *fault = faultOf(request.schedule);
    soundBuilds += !request.schedule.empty() && llvm::StringRef(fault) == "sound";
    return BuildResult{{}, plantedImage(fault)};
  };
}

class EachInTurn : public SearchPolicy {
public:
  explicit EachInTurn(mlir::MLIRContext *context) : context(context) {}
  std::vector<Candidate> propose(unsigned count, unsigned) override {
    std::vector<Candidate> candidates;
    for (; count > 0 && !isExhausted(); --count)
      candidates.push_back(
          {schedule::StepsAttr::get(context, mlir::Attribute(schedule::TileAttr::get(context, 0, 0, ++proposed)))});
    return candidates;
  }
  void observe(llvm::ArrayRef<Outcome> outcomes) override { observed.append(outcomes.begin(), outcomes.end()); }
  bool isExhausted() const override { return proposed == std::size(faults); }

  llvm::SmallVector<Outcome> observed;

private:
  mlir::MLIRContext *context;
  int64_t proposed = 0;
};

/// The parameter says whether all candidates are compared, or only those that may become the best.
class Gate : public testing::TestWithParam<bool> {};

TEST_P(Gate, OnlyWhatComputesTheSameNumbersIsUsed) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, onnx::OnnxDialect, task::TaskDialect, schedule::ScheduleDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(task.def @mul_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {key = "planted", flops = 4.0 : f64} { task.return %x : tensor<4xf32> })",
      &context);
  SearchTask task{*module->getOps<task::DefOp>().begin(), {false}, {}, 1, "planted"};

  MeasurementPolicy policy = quickPolicy();
  policy.runTimeoutSeconds = 1;
  policy.checksAll = GetParam();
  TargetInfo target;
  target.triple = HOST_TRIPLE;
  std::atomic<unsigned> soundBuilds = 0;
  CandidateMeasurer measurer(std::make_unique<BuilderPool>([&] { return makePlantedBuilder(soundBuilds); }, 1, 10),
                             target, std::make_unique<WorkerTransport>(CAMEO_WORKER_PATH), policy);
  MeasureFunctions functions;
  functions.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double bestSeconds) {
    std::vector<TuningRecord> records = llvm::cantFail(measurer.measure(task, schedules, bestSeconds));
    for (TuningRecord &record : records)
      for (double &cost : record.costs)
        cost *= llvm::StringRef(faultOf(record.schedule)) == "is-wrong" ? 1e-3 : 1; // as if it skipped work
    return records;
  };
  functions.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                          size_t time) { return measurer.confirm(task, schedule, defaultSchedule, time); };

  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("gate", "jsonl", path));
  auto writer = llvm::cantFail(RecordWriter::open(path, RecordWriter::Sync::Never));
  SessionOptions options;
  options.firstRoundTrials = options.trialsPerRound = 1;
  auto search = std::make_unique<EachInTurn>(&context);
  EachInTurn &policyOfTask = *search;
  std::vector<SessionTask> tasks;
  tasks.push_back({task, 1, std::move(search)});
  TuningSession session(std::move(tasks), options, functions, {}, writer.get());
  EXPECT_EQ(llvm::toString(session.run([](const SessionState &) {}, [] { return false; })), "");

  EXPECT_STREQ(faultOf(session.bestSchedule(0)), "sound");
  // It is built for the comparison before its time counts, and again at the end; if only the best are compared, it is
  // built once more for timing.
  EXPECT_EQ(soundBuilds, GetParam() ? 2u : 3u);
  EXPECT_EQ(session.progress()[0].failures, std::size(faults) - 1);
  for (const Outcome &outcome : policyOfTask.observed) {
    std::string text;
    llvm::raw_string_ostream(text) << outcome.steps;
    EXPECT_EQ(outcome.costSeconds.has_value(), llvm::StringRef(faultOf(text)) == "sound")
        << "a search must not learn that it is fast: " << text;
  }
  std::vector<TuningRecord> records = llvm::cantFail(readRecords(path)).records;
  unsigned wrong = 0;
  for (const TuningRecord &record : records)
    if (record.error.kind == ErrorKind::WrongAnswer) {
      ++wrong;
      EXPECT_TRUE(record.isRelease != GetParam() && !record.proof && record.costs.empty());
      EXPECT_NE(record.error.message.find("differs by"), std::string::npos) << record.error.message;
    }
  EXPECT_EQ(wrong, 3u);
  EXPECT_TRUE(llvm::all_of(records, [](const TuningRecord &record) {
    return record.proof.has_value() == (record.isValid() && (record.isRelease || GetParam()));
  }));
  BestRecords bests(records);
  BestAnswer answer = bests.find("planted", {HOST_TRIPLE, "", vectorExtensions(target), 1});
  ASSERT_TRUE(answer.record) << answer.reason;
  EXPECT_STREQ(faultOf(answer.record->schedule), "sound");
  llvm::sys::fs::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Checked, Gate, testing::Bool());

} // namespace
