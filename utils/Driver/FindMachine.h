// Who measures candidates, and the programs that it takes.
#ifndef CAMEO_UTILS_DRIVER_FINDMACHINE_H
#define CAMEO_UTILS_DRIVER_FINDMACHINE_H

#include "autotune/Measure/BundleTransport.h"
#include "autotune/Measure/WorkerTransport.h"
#include "utils/Driver/Tune/TuneModel.h"

namespace cameo {

/// The path of cameo-worker: the environment's CAMEO_WORKER, or beside this program.
std::string findWorker();

/// The path of cameo-farm: the environment's CAMEO_FARM, or beside this program. An error names the package that it is
/// in.
llvm::Expected<std::string> findFarmProgram();

/// A program for machines of `target` that runs candidates and may begin a bundle: the environment's CAMEO_WORKER, or
/// that of this installation. An error says that there is none.
llvm::Expected<std::string> findBundleWorker(const TargetInfo &target);

/// The way to the machine that measures, and what that is, as far as it is known.
struct FoundMachine {
  std::unique_ptr<autotune::Transport> transport;
  autotune::MachineFacts facts;
  autotune::BundleTransport *bundles = nullptr; ///< the transport, if it is of bundles
  autotune::WorkerTransport *worker = nullptr;  ///< the transport, if candidates run here
};

/// As `options` say. On this machine, builders leave candidates the CPUs that they need; for others `policy` is told
/// otherwise.
llvm::Expected<FoundMachine> findMachine(const TuneOptions &options, const TargetInfo &target,
                                         autotune::MeasurementPolicy &policy);

} // namespace cameo

#endif
