// The schedule dialect: attributes only, see ScheduleSteps.td and RATIONALE.md.
#ifndef CAMEO_DIALECTS_SCHEDULE_SCHEDULEDIALECT_H
#define CAMEO_DIALECTS_SCHEDULE_SCHEDULEDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "dialects/Schedule/ScheduleDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Schedule/ScheduleSteps.h.inc"

#endif
