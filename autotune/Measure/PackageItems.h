// Items of packages: what is measured of a candidate, by the rules of the policy.
#ifndef CAMEO_AUTOTUNE_MEASURE_PACKAGEITEMS_H
#define CAMEO_AUTOTUNE_MEASURE_PACKAGEITEMS_H

#include "autotune/Measure/BuildCandidate.h"
#include "autotune/Measure/MeasurementPackage.h"
#include "autotune/Measure/MeasurementPolicy.h"

namespace cameo::autotune {

/// The bytes that runs of an image go through before one gets weights that another had.
uint64_t rotationBytes(const MeasurementPolicy &policy, const TaskSource &task, const CandidateImage &image);

/// What the result of a measurement is known by, in this run of the tuner and in others: `time`, how often that was
/// measured before.
uint64_t measurementId(const TaskSource &task, llvm::StringRef target, llvm::StringRef schedule, bool isRelease,
                       size_t time = 0);

/// An item that times an image. `bestSeconds` of its task so far, 0 for none, decides when it is given up.
cameo_package_item timeItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                            const CandidateImage &image, double bestSeconds);

/// What an image is compared and measured in turns with.
struct Confirmation {
  const CandidateImage &image; ///< built with `check`
  const CheckData &check;
  const CandidateImage *rival = nullptr; ///< null: none
  const CandidateImage *reference =
      nullptr; ///< the naive path, built with `check`; null: the machine has run it before
};
cameo_package_item confirmItem(MeasurementPackage &package, const MeasurementPolicy &policy, const TaskSource &task,
                               const Confirmation &confirmation);

/// The time that a machine has for the item at most.
double secondsOf(const cameo_package_item &item);

} // namespace cameo::autotune

#endif
