// From a scheduled task to what a cost model sees.
#ifndef CAMEO_AUTOTUNE_FEATURES_EXTRACTFEATURES_H
#define CAMEO_AUTOTUNE_FEATURES_EXTRACTFEATURES_H

#include "autotune/Features/FeatureVector.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::autotune {

/// One row per nest of `program`, whose nests are replaced already. `schedules` are theirs, in order, and verify. Emits nothing:
/// tens of thousands of rows per second. Thread-safe.
FeatureMatrix extractFeatures(const schedule::TaskProgram &program, llvm::ArrayRef<schedule::NestSchedule> schedules,
                              const schedule::Machine &machine, unsigned threads);

} // namespace cameo::autotune

#endif
