// Explains the schedule of a task to users: its steps, the resulting loops, and its origin.
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

/// Returns the loops of a task's nests after `steps`. Fails if the steps do not fit the nests.
llvm::Expected<std::vector<std::string>> explainLoops(schedule::TaskProgram program, schedule::StepsAttr steps,
                                                      const Machine &machine);

} // namespace cameo

#endif
