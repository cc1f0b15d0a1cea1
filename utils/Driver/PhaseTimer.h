// Measures the time of the phases of a compilation.
#ifndef CAMEO_UTILS_DRIVER_PHASETIMER_H
#define CAMEO_UTILS_DRIVER_PHASETIMER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cameo {

class PhaseTimer {
public:
  /// Reports the phase to the thread's sink, runs `work`, and adds its time to `phase`.
  llvm::LogicalResult time(llvm::StringRef phase, llvm::function_ref<llvm::LogicalResult()> work);

  /// Prints a table of phases with seconds, share of the total, and the process's peak memory at the end of each.
  void print(llvm::raw_ostream &os) const;

private:
  struct Entry {
    std::string phase;
    double seconds;
    double peakMb;
  };
  std::vector<Entry> entries;
};

} // namespace cameo

#endif
