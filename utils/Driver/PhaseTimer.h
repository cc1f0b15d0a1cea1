// Where the time of a compilation goes.
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
  /// Runs `work`, of which the thread's sink is told, and adds its time under `phase`.
  llvm::LogicalResult time(llvm::StringRef phase, llvm::function_ref<llvm::LogicalResult()> work);

  /// A table of phases with seconds, share of the total, and the process's peak memory at the end of each.
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
