// The other end of cameo-worker: starts it, sends it packages, starts it again when it is gone.
#ifndef CAMEO_AUTOTUNE_MEASURE_WORKERTRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_WORKERTRANSPORT_H

#include "autotune/Measure/LineChannel.h"
#include "autotune/Measure/Transport.h"

#include <string>

namespace cameo::autotune {

/// How a worker is started.
struct WorkerCommand {
  std::string text; ///< the path of cameo-worker, or a command of the shell whose standard input and output are those
                    ///< of one, on any machine
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
  /// The first package starts it.
  explicit WorkerTransport(WorkerCommand command);

  /// An error says that there is no worker, or that it ended without results; the next package starts a new one.
  llvm::Error submit(const MeasurementPackage &package) override;
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  bool leadsElsewhere() const override { return leadsAway; }

  /// What machine the worker is on. An error says that there is none, or that candidates for `target` do not fit its
  /// machine.
  llvm::Expected<MachineFacts> describe(const cameo_package_target &target);

private:
  bool leadsAway;
  bool isBusy = false; ///< with a package whose last line is still to come
  LineChannel channel;
};

} // namespace cameo::autotune

#endif
