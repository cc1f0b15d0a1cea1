// Runs cameo-worker in its sandbox, sends packages to it, and restarts it.
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
  /// `command` is a shell command. `lock` is the open file that marks the device as taken; all processes of the worker
  /// keep it open.
  WorkerProcess(std::string command, SandboxLimits limits, int lock)
      : command(std::move(command)), limits(std::move(limits)), lock(lock) {}
  ~WorkerProcess() { stop(); }
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Measures a package and stores its lines, including the last one. Calls `meanwhile` about twice a second, and gives
  /// up if that returns false. After a failure the worker is gone, and the next package starts it again.
  Failure measure(std::string_view package, double seconds, const std::function<bool()> &meanwhile, std::string &lines);
  /// Ends the worker and all processes that it left behind.
  void stop();
  /// Returns the parts of the sandbox that this system does not support, in one line.
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
