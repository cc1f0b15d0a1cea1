#include "utils/Driver/EstimateTask.h"

#include "autotune/Features/ExtractFeatures.h"
#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Loops/ReadLoops.h"
#include "passes/Schedule/Rules/ScheduleSteps.h"

#include <cmath>

using namespace cameo;

std::optional<double> cameo::estimateTask(task::DefOp def, const Machine &machine, int threads) {
  auto steps = def->getAttrOfType<schedule::StepsAttr>("schedule");
  if (!steps)
    return std::nullopt;
  // Who attached the schedule has checked it against the task.
  schedule::TaskProgram program = schedule::readNests(def);
  llvm::cantFail(schedule::replaceNests(steps, program));
  std::vector<schedule::NestSchedule> schedules = llvm::cantFail(schedule::fromSteps(steps, program, machine));
  autotune::FeatureMatrix features = autotune::FeatureExtractor(program, machine, static_cast<unsigned>(threads)).extract(schedules);
  if (features.rows() == 0)
    return std::nullopt;
  return std::exp2(static_cast<double>(features.at(0, autotune::Feature::TaskCycles))) - 1; // as ExtractFeatures puts it
}
