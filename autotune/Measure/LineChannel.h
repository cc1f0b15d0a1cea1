// A program that takes packages through its standard input and says results line by line on its standard output:
// cameo-worker, a command that leads to one, or cameo-farm.
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
  /// `name` is what errors call it.
  LineChannel(std::vector<std::string> arguments, std::string name)
      : arguments(std::move(arguments)), name(std::move(name)) {}
  ~LineChannel() { stop(); }
  LineChannel(const LineChannel &) = delete;
  LineChannel &operator=(const LineChannel &) = delete;

  bool isOpen() const { return channel >= 0; }
  llvm::Error start();
  /// It ends by itself when its input does; if it has not after `patienceMs`, it and what it started are ended.
  void stop(unsigned patienceMs = 100);
  bool send(llvm::ArrayRef<char> bytes);
  /// None: the time is over. An error: it is stopped.
  llvm::Expected<std::optional<ResultLine>> receiveLine(double deadlineSeconds);
  /// Stops it; the error begins with its name.
  llvm::Error fail(const llvm::Twine &what);

private:
  std::vector<std::string> arguments;
  std::string name;
  std::string received; ///< beyond the last whole line
  ResultReader reader;
  int channel = -1;
  pid_t process = -1;
};

/// By a clock that only goes forwards.
double secondsNow();

} // namespace cameo::autotune

#endif
