#include "utils/Driver/EstimateTask.h"

#include "autotune/Features/ExtractFeatures.h"
#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Nests/BuildNests.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include <cmath>

using namespace cameo;

std::optional<double> cameo::estimateTask(task::DefOp def, llvm::ArrayRef<bool> constantArguments, const Machine &machine, int threads) {
  auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule");
  if (!steps)
    return std::nullopt;
  // Who attached the schedule has checked it against the task.
  schedule::TaskProgram program = llvm::cantFail(schedule::buildNests(def, constantArguments));
  schedule::ScheduledProgram state = llvm::cantFail(schedule::applySteps(steps, std::move(program), machine));
  autotune::FeatureMatrix features = autotune::FeatureExtractor(state.program, machine, static_cast<unsigned>(threads)).extract(state.schedules);
  if (features.rows() == 0)
    return std::nullopt;
  return std::exp2(static_cast<double>(features.at(0, autotune::Feature::TaskCycles))) - 1; // as ExtractFeatures puts it
}
