// Isolates a worker, and the code that it runs for others, from the rest of the machine.
#ifndef CAMEO_FARM_SANDBOX_H
#define CAMEO_FARM_SANDBOX_H

#include "Failure.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace cameo::farm {

struct SandboxLimits {
  long memoryMb = 0; ///< limit of a process's address space; 0: half of the machine's memory
  long processes = 256;
  bool hasGpu =
      false; ///< candidates run on a GPU, whose driver maps more memory than there is and opens devices for writing
  std::vector<std::string> hidden; ///< files that appear empty to a worker, such as those with passwords
  bool isOff = false;
};

/// First half of the isolation of a process that will become the worker. Moves it to namespaces of its own, without a
/// network and with read-only file systems. The process that it forks next is the first one of its PID namespace, so
/// all others end with it. Adds what this system does not support to `missing`, which is one line.
Failure enterNamespaces(const SandboxLimits &limits, std::string &missing);
/// Second half: changes root to another user, sets limits, and forbids system calls that open connections or gain
/// privileges.
Failure dropRights(const SandboxLimits &limits, std::string &missing);

} // namespace cameo::farm

#endif
