// Grouped convolutions with few channels per group: merges the channels of all groups into one dimension, so that
// several groups fill a vector.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_JOINGROUPS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_JOINGROUPS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Merges the dimension of the groups of `nest` with that of the few results of each group. Requires that the elements
/// a group reads from one operand are contiguous and as many as its results. Loads of that operand become `shared`. The
/// first `rowDims` dimensions are not considered.
void joinGroups(const TaskProgram &program, LoopNest &nest, unsigned rowDims);

} // namespace cameo::schedule

#endif
