// A transport to cameo-worker: starts it, sends packages to it, and restarts it after it has exited.
#ifndef CAMEO_AUTOTUNE_MEASURE_WORKERTRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_WORKERTRANSPORT_H

#include "autotune/Measure/LineChannel.h"
#include "autotune/Measure/Transport.h"

#include <string>

namespace cameo::autotune {

/// How a worker is started.
struct WorkerCommand {
  std::string text; ///< the path of cameo-worker, or a shell command whose standard input and output are those of a
                    ///< worker, on any machine
  bool isShell = false;

  WorkerCommand(std::string path) : text(std::move(path)) {}
  WorkerCommand(const char *path) : text(path) {}
  static WorkerCommand shell(std::string command) {
    WorkerCommand made(std::move(command));
    made.isShell = true;
    return made;
  }
};

class WorkerTransport : public Transport {
public:
  /// The first package starts the worker.
  explicit WorkerTransport(WorkerCommand command);

  /// Fails if the worker cannot be started, or ended without results; the next package starts a new one.
  llvm::Error submit(const MeasurementPackage &package) override;
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  bool leadsElsewhere() const override { return leadsAway; }

  /// Returns the facts about the machine of the worker. Fails if there is no worker, or if its machine does not support
  /// candidates for `target`.
  llvm::Expected<MachineFacts> describe(const cameo_package_target &target);

private:
  bool leadsAway;
  bool isBusy = false; ///< whether the last line of a package is still outstanding
  LineChannel channel;
};

} // namespace cameo::autotune

#endif
