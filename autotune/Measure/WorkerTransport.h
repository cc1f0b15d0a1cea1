// The other end of cameo-worker: starts it, sends it packages, starts it again when it is gone.
#ifndef CAMEO_AUTOTUNE_MEASURE_WORKERTRANSPORT_H
#define CAMEO_AUTOTUNE_MEASURE_WORKERTRANSPORT_H

#include "autotune/Measure/Transport.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace cameo::autotune {

/// How a worker is started.
struct WorkerCommand {
  std::string text;      ///< the path of cameo-worker, or a command of the shell whose standard input and output are those of one, on any machine
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
  explicit WorkerTransport(WorkerCommand command) : command(std::move(command)) {}
  ~WorkerTransport() override { stop(); }
  WorkerTransport(const WorkerTransport &) = delete;
  WorkerTransport &operator=(const WorkerTransport &) = delete;

  /// An error says that there is no worker, or that it ended without results; the next package starts a new one.
  llvm::Error submit(const MeasurementPackage &package) override;
  llvm::Expected<std::vector<MeasurementResult>> receive(double seconds) override;
  bool leadsElsewhere() const override { return command.isShell; }

  /// What machine the worker is on. An error says that there is none, or that candidates for `target` do not fit its machine.
  llvm::Expected<MachineFacts> describe(const cameo_package_target &target);

private:
  llvm::Error start();
  void stop();
  bool send(llvm::ArrayRef<char> bytes);
  llvm::Expected<std::optional<ResultLine>> receiveLine(double deadlineSeconds);
  llvm::Error fail(const llvm::Twine &what);

  WorkerCommand command;
  std::string received; ///< beyond the last whole line
  bool isBusy = false;  ///< with a package whose last line is still to come
  int channel = -1;
  pid_t process = -1;
};

} // namespace cameo::autotune

#endif
