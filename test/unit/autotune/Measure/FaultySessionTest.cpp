// If a transport loses, repeats and reorders packages and results, neither the search nor the records of a session
// change.
#include "../TaskScheduler/TuningSessionFixture.h"
#include "FaultyTransport.h"

#include "autotune/Measure/MeasureCandidates.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// A transport without faults.
class FaithfulTransport : public Transport {
public:
  explicit FaithfulTransport(FaultyTransport::Machine machine) : machine(std::move(machine)) {}
  llvm::Error submit(const MeasurementPackage &package) override {
    for (const cameo_package_item &item : package.getItems())
      results.push_back(machine(item));
    return llvm::Error::success();
  }
  llvm::Expected<std::vector<MeasurementResult>> receive(double) override { return std::exchange(results, {}); }

private:
  FaultyTransport::Machine machine;
  std::vector<MeasurementResult> results;
};

class FaultySessionTest : public TuningSessionTest {
protected:
  FaultySessionTest() {
    context.loadDialect<mlir::func::FuncDialect, onnx::OnnxDialect>();
    marksDefault = true;
  }

  /// Returns a machine whose costs follow a formula; some candidates fail, and some have wrong results. It forgets the
  /// naive path after a third of the confirmations.
  FaultyTransport::Machine makeMachine() {
    return [known = std::set<uint64_t>()](const cameo_package_item &item) mutable {
      MeasurementResult result;
      result.id = item.id;
      result.time = "2026-01-01T00:00:00Z";
      if (item.kind != CAMEO_PACKAGE_TIME) {
        if (item.reference != CAMEO_PACKAGE_NO_BLOB)
          known.insert(item.reference_id);
        result.needsReference = !known.count(item.reference_id);
        result.error.kind = result.needsReference                                     ? ErrorKind::Unknown
                            : item.kind == CAMEO_PACKAGE_CONFIRM && item.id % 13 == 2 ? ErrorKind::WrongAnswer
                                                                                      : ErrorKind::None;
        result.proof = Proof();
        if (item.kind == CAMEO_PACKAGE_CONFIRM && item.id % 3 == 0)
          known.clear();
      } else if (item.id % 11 == 3) {
        result.error = {ErrorKind::Runtime, "crashed: planted"};
      }
      if (result.error.kind == ErrorKind::None)
        result.costs.assign(5, 1e-3 * static_cast<double>(1 + item.id % 1000));
      if (item.kind == CAMEO_PACKAGE_CONFIRM && item.rival != CAMEO_PACKAGE_NO_BLOB)
        result.defaultCosts.assign(result.costs.size(), 1.001);
      return result;
    };
  }

  std::string recordsThrough(std::unique_ptr<Transport> transport) {
    auto build = []() -> BuildFunction {
      return [](const TaskSource &, const BuildRequest &request) {
        BuildResult built;
        built.image.library.assign(request.schedule.begin(), request.schedule.end());
        return built;
      };
    };
    TargetInfo target;
    target.triple = HOST_TRIPLE;
    CandidateMeasurer measurer(std::make_unique<BuilderPool>(build, 2, 10), target, std::move(transport), policy);
    functions.measure = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double best) {
      return measurer.measure(task, schedules, best);
    };
    functions.confirm = [&](const SearchTask &task, llvm::StringRef schedule, llvm::StringRef defaultSchedule,
                            size_t time) { return measurer.confirm(task, schedule, defaultSchedule, time); };
    functions.beside = [&](std::function<void()> work) { measurer.beside(std::move(work)); };
    functions.prepare = [&](const SearchTask &task, llvm::ArrayRef<std::string> schedules, double best) {
      measurer.prepare(task, schedules, best);
    };
    llvm::sys::fs::remove(path);
    bests.clear();
    run(makeOptions());
    return text();
  }

  MeasurementPolicy policy;
};

TEST_F(FaultySessionTest, FaultsOfTheWayChangeNoRecord) {
  std::string expected = recordsThrough(std::make_unique<FaithfulTransport>(makeMachine()));
  std::vector<std::string> expectedBests = bests;
  EXPECT_FALSE(bests[0].empty());
  EXPECT_NE(expected.find("crashed: planted"), std::string::npos);
  // A package counts as lost after a part of a second instead of minutes.
  policy.runTimeoutSeconds = 0.00001;
  policy.transportSeconds = 0.05;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    auto faulty = std::make_unique<FaultyTransport>(makeMachine(), seed, /*loss=*/0.15);
    EXPECT_EQ(recordsThrough(std::move(faulty)), expected) << "seed " << seed;
    EXPECT_EQ(bests, expectedBests);
  }
}

} // namespace
