// What a worker says that its machine is: in parts, and as a text that tells machines apart which would not give the
// same costs.
#ifndef CAMEO_FARM_MACHINEFACTS_H
#define CAMEO_FARM_MACHINEFACTS_H

#include "WorkerProcess.h"

namespace cameo::farm {

struct MachineFacts {
  std::string cpu, machine;
  std::string gpu;      ///< where candidates are for one
  std::string identity; ///< the same for equal machines: processor, number of CPUs, caches, features

  /// Asks a worker, for each architecture that there are workers for.
  static Failure ask(WorkerProcess &worker, MachineFacts &result);
};

/// The value of a field of one line of JSON, a text or a number; empty: it has none.
std::string fieldOf(std::string_view line, const std::string &name);

/// A package without items for machines of an ELF architecture: it asks what a machine is.
std::string emptyPackage(uint32_t machine);
/// At most so long a worker measures a package, by the time-outs of its items.
double secondsOf(std::string_view package);

} // namespace cameo::farm

#endif
