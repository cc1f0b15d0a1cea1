// The schedule of a task for people: its steps, the loops that they make, and where it came from.
#ifndef CAMEO_UTILS_DRIVER_INSPECT_EXPLAINSCHEDULE_H
#define CAMEO_UTILS_DRIVER_INSPECT_EXPLAINSCHEDULE_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Rules/NestSchedule.h"

#include <string>
#include <vector>

namespace cameo {

struct ScheduleExplanation {
  std::string from;               // "record of ...", "rules", or why there is none
  std::vector<std::string> steps; // one per step, as the IR has them
  std::vector<std::string> loops; // indented by depth
};

/// Explains the `schedule` of a task in loop form, for `machine`; without one, says that it has plain loops.
ScheduleExplanation explainSchedule(task::DefOp def, const Machine &machine);

/// The loops that `steps` make of a task's nests; an error when they do not fit them.
llvm::Expected<std::vector<std::string>> explainLoops(schedule::TaskProgram program, schedule::StepsAttr steps,
                                                      const Machine &machine);

} // namespace cameo

#endif
