// What machine a worker is on.
#ifndef CAMEO_AUTOTUNE_MEASURE_DESCRIBEWORKER_H
#define CAMEO_AUTOTUNE_MEASURE_DESCRIBEWORKER_H

#include "autotune/Measure/WorkerProcess.h"
#include "passes/Target/TargetInfo.h"

namespace cameo::autotune {

struct WorkerFacts {
  std::string text;                   ///< all that the worker says, for people
  uint64_t l2Bytes = 0, l3Bytes = 0; ///< 0: unknown
};

/// Starts a worker and asks it. An error says that there is none, or that candidates for `target` do not fit its machine.
llvm::Expected<WorkerFacts> describeWorker(const WorkerCommand &command, const TargetInfo &target);

} // namespace cameo::autotune

#endif
