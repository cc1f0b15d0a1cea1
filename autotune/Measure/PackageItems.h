// Creates the items of packages, which describe how a candidate is measured according to the policy.
#ifndef CAMEO_AUTOTUNE_MEASURE_PACKAGEITEMS_H
#define CAMEO_AUTOTUNE_MEASURE_PACKAGEITEMS_H

#include "autotune/Measure/BuildCandidate.h"
#include "autotune/Measure/MeasurementPackage.h"
#include "autotune/Measure/MeasurementPolicy.h"

namespace cameo::autotune {

/// Returns the number of bytes of weights that the runs of an image cycle through before a copy is used again.
uint64_t rotationBytes(const MeasurementPolicy &policy, const TaskSource &task, const CandidateImage &image);

/// Returns an id of a measurement that is the same in every run of the tuner. `time` is the number of earlier
/// measurements of the same schedule.
uint64_t measurementId(const TaskSource &task, llvm::StringRef target, llvm::StringRef schedule, bool isRelease,
                       size_t time = 0);

/// Creates an item that times an image. `bestSeconds` is the best cost of its task so far, 0 if none; it decides when
/// the item is abandoned.
cameo_package_item timeItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                            const CandidateImage &image, double bestSeconds);

/// An image to confirm, and what it is compared with.
struct Confirmation {
  const CandidateImage &image; ///< built with `check`
  const CheckData &check;
  const CandidateImage *rival = nullptr; ///< null: none
  const CandidateImage *reference =
      nullptr; ///< the naive path, built with `check`; null if the machine has run it before
};
cameo_package_item confirmItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                               const Confirmation &confirmation);

/// Returns the time limit for the item on a machine.
double secondsOf(const cameo_package_item &item);

} // namespace cameo::autotune

#endif
