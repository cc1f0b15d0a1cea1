// A child process that reads packages from its standard input and prints results line by line: cameo-worker, a command
// that connects to one, or cameo-farm.
#ifndef CAMEO_AUTOTUNE_MEASURE_LINECHANNEL_H
#define CAMEO_AUTOTUNE_MEASURE_LINECHANNEL_H

#include "autotune/Measure/MeasurementResult.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace cameo::autotune {

class LineChannel {
public:
  /// `name` is used in errors.
  LineChannel(std::vector<std::string> arguments, std::string name)
      : arguments(std::move(arguments)), name(std::move(name)) {}
  ~LineChannel() { stop(); }
  LineChannel(const LineChannel &) = delete;
  LineChannel &operator=(const LineChannel &) = delete;

  bool isOpen() const { return channel >= 0; }
  llvm::Error start();
  /// Closes the input of the process, which makes it exit. If it has not exited after `patienceMs`, kills it and its
  /// children.
  void stop(unsigned patienceMs = 100);
  bool send(llvm::ArrayRef<char> bytes);
  /// Returns nothing at the deadline. On an error, the process is stopped.
  llvm::Expected<std::optional<ResultLine>> receiveLine(double deadlineSeconds);
  /// Stops the process. Returns an error that begins with its name.
  llvm::Error fail(const llvm::Twine &what);

private:
  std::vector<std::string> arguments;
  std::string name;
  std::string received; ///< received bytes after the last complete line
  ResultReader reader;
  int channel = -1;
  pid_t process = -1;
};

/// Returns the time of a monotonic clock in seconds.
double secondsNow();

} // namespace cameo::autotune

#endif
