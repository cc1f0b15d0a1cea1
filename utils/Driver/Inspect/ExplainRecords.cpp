#include "utils/Driver/Inspect/ExplainRecords.h"

#include "autotune/Records/BestRecord.h"
#include "passes/Schedule/Nests/Build/BuildNests.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"
#include "utils/Driver/Inspect/ExplainSchedule.h"
#include "utils/Driver/Records/FitRecords.h"
#include "utils/Driver/Records/MatchRecords.h"
#include "utils/Driver/Tune/TrainCostModel.h"

#include <algorithm>

using namespace cameo;
using namespace cameo::autotune;

static std::vector<std::string> loopsOf(const SearchTask &task, const TuningRecord &best) {
  schedule::StepsAttr steps = schedule::parseSteps(best.schedule, task.def->getContext());
  if (!steps)
    return {};
  llvm::Expected<schedule::TaskProgram> program = schedule::buildNests(task.def, task.constantArguments);
  if (!program) {
    llvm::consumeError(program.takeError());
    return {};
  }
  llvm::Expected<std::vector<std::string>> loops = explainLoops(std::move(*program), steps, task.machine);
  if (!loops) {
    llvm::consumeError(loops.takeError());
    return {};
  }
  return std::move(*loops);
}

static std::vector<std::pair<double, double>> predictionsOf(const CostModel &model, llvm::ArrayRef<Sample> samples) {
  std::vector<const FeatureMatrix *> schedules;
  std::vector<double> costs;
  for (const Sample &sample : samples)
    if (sample.costSeconds > 0) {
      schedules.push_back(&sample.features);
      costs.push_back(sample.costSeconds);
    }
  std::vector<std::pair<double, double>> pairs;
  if (costs.empty())
    return pairs;
  double fastest = *llvm::min_element(costs);
  std::vector<double> scores = model.predict(schedules);
  double lowest = *llvm::min_element(scores);
  for (auto [score, cost] : llvm::zip_equal(scores, costs))
    pairs.emplace_back(score - lowest, fastest / cost);
  return pairs;
}

llvm::FailureOr<std::map<std::string, TaskInsight>> cameo::explainRecords(const CompileOptions &compile,
                                                                          llvm::ArrayRef<std::string> models,
                                                                          llvm::StringRef costModel,
                                                                          llvm::ArrayRef<TuningRecord> records) {
  ModelTasks all;
  if (llvm::failed(importModels(compile, models, all)))
    return llvm::failure();
  std::shared_ptr<CostModel> model = createCostModel(/*seed=*/0);
  if (llvm::failed(loadCostModel(costModel, all.target(), *model)))
    return llvm::failure();
  llvm::StringMap<std::string> nests;
  for (const SearchTask &task : all.tasks)
    nests[task.key] = task.nests.all;
  std::vector<TuningRecord> fitting = records.vec();
  takeForeign(fitting, nests);
  BestRecords bests(fitting);
  RecordTarget target = recordTarget(all.target(), static_cast<unsigned>(compile.threads));
  std::vector<KnownOutcome> outcomes = outcomesOf(all, records);
  std::map<std::string, TaskInsight> insights;
  for (const SearchTask &task : all.tasks) {
    TaskInsight &insight = insights[task.key];
    if (auto bytes = task.def->getAttrOfType<mlir::FloatAttr>("bytes"))
      insight.bytes = bytes.getValueAsDouble();
    if (const TuningRecord *best = bests.find(task.key, target).record)
      insight.loops = loopsOf(task, *best);
    insight.predictions = predictionsOf(*model, samplesOf(task, outcomes));
  }
  return insights;
}
