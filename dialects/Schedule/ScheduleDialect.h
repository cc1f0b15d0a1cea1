// The schedule dialect: attributes only, see ScheduleSteps.td and RATIONALE.md.
#ifndef CAMEO_DIALECTS_SCHEDULE_SCHEDULEDIALECT_H
#define CAMEO_DIALECTS_SCHEDULE_SCHEDULEDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "dialects/Schedule/ScheduleDialect.h.inc"

namespace cameo::schedule {

/// Limits of the parameters of steps, see RATIONALE.md.
constexpr unsigned maxLanes = 256;
constexpr int64_t maxTileSize = int64_t(1) << 48, maxWinogradSize = int64_t(1) << 20;
/// The limit for schedules that are parsed only: a rule's schedule has some steps for each nest of its task.
constexpr size_t maxSteps = 16384;
constexpr unsigned maxStages = 4, maxVectorStages = 2;
constexpr int64_t maxUnroll = 64;

/// The rows and columns of one mma.sync, and the bytes of its depth: 16 elements of f16 or bf16, or 8 of tf32.
constexpr int64_t mmaRows = 16, mmaColumns = 8, mmaDepthBytes = 32;
/// The rows of one wgmma, its least and most columns, and the warps that multiply together.
constexpr int64_t wgmmaRows = 64, leastWgmmaColumns = 16, mostWgmmaColumns = 256, groupWarps = 4;

} // namespace cameo::schedule

#include "dialects/Schedule/StepInterface.h.inc"

#include "dialects/Schedule/ScheduleEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Schedule/ScheduleSteps.h.inc"

#endif
