// Finds the nests that one kernel computes though they are in several groups.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_JOINEDNESTS_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_JOINEDNESTS_H

#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"
#include "passes/Schedule/Nests/Attention.h"
#include "passes/Schedule/Rules/Gpu/Chain.h"

#include <map>
#include <set>

namespace cameo::schedule {

/// The nests of a program that share a kernel, by the number of the group whose kernel that is.
struct JoinedNests {
  std::map<size_t, Attention> attentions; ///< by the number of their last group
  std::map<size_t, Chains> chains;        ///< by the number of the last product's group
  std::map<size_t, Pool> pools;           ///< by the number of the group before them
  std::set<unsigned> elsewhere;           ///< the numbers of nests that the kernel of another group computes

  /// Whether some blocks of a kernel may still read `argument` while others store the results of its last nest.
  bool isReadUntilEnd(const TaskProgram &program, unsigned argument) const;
};

JoinedNests findJoined(const TaskProgram &program, BlockSchedules schedules);

} // namespace cameo::schedule

#endif
