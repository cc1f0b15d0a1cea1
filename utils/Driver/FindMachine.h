// Finds the machine that measures candidates, and the programs needed for this.
#ifndef CAMEO_UTILS_DRIVER_FINDMACHINE_H
#define CAMEO_UTILS_DRIVER_FINDMACHINE_H

#include "autotune/Measure/BundleTransport.h"
#include "autotune/Measure/WorkerTransport.h"
#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// Returns the path of cameo-worker: the value of CAMEO_WORKER, or next to this program.
std::string findWorker();

/// Returns the path of cameo-farm: the value of CAMEO_FARM, or next to this program. If there is none, the error names
/// the package that contains it.
llvm::Expected<std::string> findFarmProgram();

/// Returns the path of a worker for machines of `target` that a bundle can begin with: the value of CAMEO_WORKER, or
/// that of this installation. Fails if there is none.
llvm::Expected<std::string> findBundleWorker(const TargetInfo &target);

/// The transport to the machine that measures, and the known properties of the machine.
struct FoundMachine {
  std::unique_ptr<autotune::Transport> transport;
  autotune::MachineFacts facts;
  autotune::BundleTransport *bundles = nullptr; ///< the transport, if it writes bundles
  autotune::WorkerTransport *worker = nullptr;  ///< the transport, if candidates run on this machine
};

/// Finds the machine according to `options`. On this machine, builders leave the CPUs that candidates need free; for
/// other machines `policy` is changed.
llvm::Expected<FoundMachine> findMachine(const TuneOptions &options, const TargetInfo &target,
                                         autotune::MeasurementPolicy &policy);

} // namespace cameo

#endif
