// What keeps a worker, and the code that it runs for others, away from the rest of the machine.
#ifndef CAMEO_FARM_SANDBOX_H
#define CAMEO_FARM_SANDBOX_H

#include "Failure.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace cameo::farm {

struct SandboxLimits {
  long memoryMb = 0; ///< of the address space of a process; 0: half of the machine's
  long processes = 256;
  bool hasGpu = false; ///< candidates run on one: its driver maps more than there is, and opens devices for writing
  std::vector<std::string> hidden; ///< files that a worker finds empty: passwords
  bool isOff = false;
};

/// Two halves of what a process does before it becomes the worker. The first one ends in namespaces of its own: without
/// network, with file systems that cannot be written to. The process that it forks next is the first one of its own
/// numbers, with which all others end. `missing` says in a line what this system does not give.
Failure enterNamespaces(const SandboxLimits &limits, std::string &missing);
/// Then: another user for root, limits, and no system calls that make connections or more rights.
Failure dropRights(const SandboxLimits &limits, std::string &missing);

} // namespace cameo::farm

#endif
