#include "utils/Driver/Inspect/EstimateTask.h"

#include "autotune/Features/ExtractFeatures.h"
#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Steps/ScheduleSteps.h"

#include <cmath>

using namespace cameo;

std::optional<double> cameo::estimateTask(task::DefOp def, const Machine &machine, int threads) {
  auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule");
  if (!steps)
    return std::nullopt;
  // The steps were checked when the schedule was attached.
  schedule::ScheduledProgram state = llvm::cantFail(schedule::applySteps(steps, schedule::readNests(def), machine));
  autotune::FeatureMatrix features =
      autotune::FeatureExtractor(state.program, machine, static_cast<unsigned>(threads)).extract(state.schedules);
  if (features.rows() == 0)
    return std::nullopt;
  return std::exp2(static_cast<double>(features.at(0, autotune::Feature::TaskCycles))) -
         1; // the inverse of ExtractFeatures
}
