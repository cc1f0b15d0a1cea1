// cameo-worker in its sandbox: started, given packages, started again.
#ifndef CAMEO_FARM_WORKERPROCESS_H
#define CAMEO_FARM_WORKERPROCESS_H

#include "Sandbox.h"

#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace cameo::farm {

class WorkerProcess {
public:
  /// `command` is one of the shell. All processes of the worker hold `lock` open, a file that says that the device is
  /// taken.
  WorkerProcess(std::string command, SandboxLimits limits, int lock)
      : command(std::move(command)), limits(std::move(limits)), lock(lock) {}
  ~WorkerProcess() { stop(); }
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// The lines of a package, with the last one. Calls `meanwhile` about twice a second, and gives up if that says
  /// false. A failure says that the worker is gone, which the next package starts again.
  Failure measure(std::string_view package, double seconds, const std::function<bool()> &meanwhile, std::string &lines);
  /// Ends it with all processes that it left behind.
  void stop();
  /// What the sandbox lacks on this system, in a line.
  const std::string &getMissing() const { return missing; }

private:
  Failure start();
  [[noreturn]] void become(int input, int output, int report);
  Failure readReport(int report);

  std::string command, missing;
  SandboxLimits limits;
  int lock;
  int input = -1, output = -1;
  pid_t process = -1;
};

} // namespace cameo::farm

#endif
