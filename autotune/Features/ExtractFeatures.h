// From a scheduled task to what a cost model sees.
#ifndef CAMEO_AUTOTUNE_FEATURES_EXTRACTFEATURES_H
#define CAMEO_AUTOTUNE_FEATURES_EXTRACTFEATURES_H

#include "autotune/Features/FeatureVector.h"
#include "autotune/Features/NestFacts.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::autotune {

class FeatureExtractor {
public:
  /// Refers to `program`, whose nests are replaced already: it must outlive this.
  FeatureExtractor(const schedule::TaskProgram &program, const Machine &machine, unsigned threads);

  /// One row per nest. `schedules` are those of the nests, in order, and verify; rules complete them as they do before
  /// emission. Emits nothing: a hundred thousand rows per second. Thread-safe.
  FeatureMatrix extract(llvm::ArrayRef<schedule::NestSchedule> schedules) const;

private:
  const schedule::TaskProgram &program;
  Machine machine;
  unsigned threads;
  std::vector<NestFacts> facts; ///< by nest
};

} // namespace cameo::autotune

#endif
