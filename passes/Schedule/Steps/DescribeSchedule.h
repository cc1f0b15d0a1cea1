// A schedule in one short line, for profiles.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_DESCRIBESCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_STEPS_DESCRIBESCHEDULE_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

namespace cameo::schedule {

/// What a schedule does, in parts of one line.
struct Description {
  std::string replacements; ///< what steps that replace nests say
  /// What the nest with the most work does, such as "16 pieces; d1/14 d3/32, sum d0 d2/4; 16 lanes of d3; packed,
  /// fetched ahead": how many pieces threads can share, the loops as dimension/size, parallel ones first, those over
  /// reductions behind "sum", lanes, and what its other steps say.
  std::string nest = "nothing to do";

  /// The line, for a task of so many nests with the copies that packing adds: their number stands there when it is
  /// not 1.
  std::string text(size_t nests) const;
};

/// Describes `state`, which `steps` made, before operands are packed.
Description describe(const ScheduledProgram &state, StepsAttr steps);

} // namespace cameo::schedule

#endif
