// A worker's description of its machine, as fields, and as a string that differs between machines with different costs.
#ifndef CAMEO_FARM_MACHINEFACTS_H
#define CAMEO_FARM_MACHINEFACTS_H

#include "WorkerProcess.h"

namespace cameo::farm {

struct MachineFacts {
  std::string cpu, machine;
  std::string gpu;      ///< of the machine, if candidates run on a GPU
  std::string identity; ///< equal for equal machines: processor, number of CPUs, caches, features

  /// Asks a worker, with a package for each architecture that has workers.
  static Failure ask(WorkerProcess &worker, MachineFacts &result);
};

/// Returns the value of a string or number field in a line of JSON; empty if there is none.
std::string fieldOf(std::string_view line, const std::string &name);

/// Returns a package without items for machines of an ELF architecture, which requests a description of the machine.
std::string emptyPackage(uint32_t machine);
/// Returns the maximum time that a worker needs for a package, from the timeouts of its items.
double secondsOf(std::string_view package);

} // namespace cameo::farm

#endif
