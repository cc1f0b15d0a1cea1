// Runs images in the worker: times them, or gets their results.
#ifndef CAMEO_AUTOTUNE_MEASURE_RUNCANDIDATE_H
#define CAMEO_AUTOTUNE_MEASURE_RUNCANDIDATE_H

#include "autotune/Measure/BuildCandidate.h"
#include "autotune/Measure/MeasurementPolicy.h"
#include "autotune/Measure/WorkerProcess.h"

namespace cameo::autotune {

struct RunResult {
  MeasureError error;
  std::vector<double> costs; ///< seconds; fewer than asked for when the candidate was given up as too slow
  bool isDisturbed = false;
  std::vector<char> outputs; ///< each at a multiple of 64
};

/// The bytes that runs of an image go through before one gets weights that another had.
uint64_t rotationBytes(const MeasurementPolicy &policy, const TaskSource &task, const CandidateImage &image);

class CandidateRunner {
public:
  CandidateRunner(WorkerCommand worker, const MeasurementPolicy &policy) : worker(std::move(worker)), policy(policy) {}

  /// Times an image. `bestSeconds` of its task so far, 0 for none, decides when it is given up.
  RunResult time(const TaskSource &task, const CandidateImage &image, unsigned repeats, double bestSeconds);

  /// Runs an image once on the arguments of `check`, for its outputs.
  RunResult run(const TaskSource &task, const CandidateImage &image, const CheckData &check, double timeoutSeconds);

private:
  cameo_worker_request makeRequest(const TaskSource &task, const CandidateImage &image) const;

  WorkerProcess worker;
  MeasurementPolicy policy;
  double fastestSentinel = 0; ///< of the session
};

} // namespace cameo::autotune

#endif
