// Convolutions in small groups: the channels of all groups as one dimension, so that a vector is filled by several
// groups.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_JOINGROUPS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_JOINGROUPS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Makes one dimension of the groups of `nest` and the few results of each, where all that a group reads of one operand
/// lies side by side and is as much as it computes. Loads of that operand are then `shared`. The first `rowDims`
/// dimensions stay as they are.
void joinGroups(const TaskProgram &program, LoopNest &nest, unsigned rowDims);

} // namespace cameo::schedule

#endif
