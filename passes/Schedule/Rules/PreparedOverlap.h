// What neighbouring points share if the steps of a window are unrolled.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_PREPAREDOVERLAP_H
#define CAMEO_PASSES_SCHEDULE_RULES_PREPAREDOVERLAP_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The largest number of rows of a window that are unrolled.
constexpr int64_t longestWindow = 5;

/// Whether all steps along `dim` are shuffled out of the same vectors.
bool isBetweenLanes(const LoopNest &nest, const NestSchedule &schedule, unsigned dim);

/// The reduction along which windows of neighbouring points share elements that are prepared before they are
/// multiplied.
struct Overlap {
  unsigned window;
  bool isConverted; ///< elements are converted; else vectors are only shuffled out of others
};

/// Returns the overlap of neighbouring points along `dim`. If all steps along its window are unrolled, each element is
/// prepared once for several points.
std::optional<Overlap> preparedOverlap(const LoopNest &nest, const NestSchedule &schedule, unsigned dim);

} // namespace cameo::schedule

#endif
