// The other end of cameo-worker: starts it, sends it candidates, starts it again when it is gone.
#ifndef CAMEO_AUTOTUNE_MEASURE_WORKERPROCESS_H
#define CAMEO_AUTOTUNE_MEASURE_WORKERPROCESS_H

#include "autotune/Measure/WorkerProtocol.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace cameo::autotune {

struct WorkerReply {
  cameo_worker_reply header = {};
  std::string message;
  std::vector<double> costs;
  std::vector<char> outputs;
};

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

class WorkerProcess {
public:
  /// The first request starts it.
  explicit WorkerProcess(WorkerCommand command) : command(std::move(command)) {}
  ~WorkerProcess() { stop(); }
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// Fills in magic, version and the numbers of bytes. `data`: pieces that follow each other, each padded to a multiple of 64. An error
  /// says that there is no worker, or that it ended without a reply; the next request starts a new one.
  llvm::Expected<WorkerReply> request(cameo_worker_request header, llvm::ArrayRef<char> image,
                                      llvm::ArrayRef<llvm::ArrayRef<char>> data = {});

private:
  llvm::Error start();
  void stop();
  bool send(const void *bytes, size_t count);
  bool receive(void *bytes, size_t count, double deadlineSeconds);
  llvm::Expected<WorkerReply> exchange(const cameo_worker_request &header, llvm::ArrayRef<char> image,
                                       llvm::ArrayRef<llvm::ArrayRef<char>> data);

  WorkerCommand command;
  int channel = -1;
  pid_t process = -1;
};

} // namespace cameo::autotune

#endif
