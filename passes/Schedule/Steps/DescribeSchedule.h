// Describes a schedule in one short line, for profiles.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_DESCRIBESCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_STEPS_DESCRIBESCHEDULE_H

#include "dialects/Schedule/ScheduleDialect.h"
#include "passes/Schedule/Steps/ScheduledProgram.h"

namespace cameo::schedule {

/// The parts of the line.
struct Description {
  std::string replacements; ///< explanations of the steps that replace nests
  /// Describes the nest with the most work, such as "16 pieces; d1/14 d3/32, sum d0 d2/4; 16 lanes of d3; packed,
  /// fetched ahead": the pieces that threads can share, the loops as dimension/size (parallel ones first, reduction
  /// loops after "sum"), lanes, and the explanations of its other steps.
  std::string nest = "nothing to do";

  /// Returns the line for a task of `nests` nests, including the copies of packing. The number of nests is part of the
  /// line unless it is 1.
  std::string text(size_t nests) const;
};

/// Describes `state`, the result of `steps`, before operands are packed.
Description describe(const ScheduledProgram &state, StepsAttr steps);

} // namespace cameo::schedule

#endif
