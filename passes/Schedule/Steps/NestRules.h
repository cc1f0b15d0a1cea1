// The rules for each step of one nest. Their implementations are in the files of the steps. VerifySchedule applies all
// of them, also for a search, whose schedules are not attributes.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_NESTRULES_H
#define CAMEO_PASSES_SCHEDULE_STEPS_NESTRULES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A nest with the schedule to be verified. Each rule returns an error message, or an empty string. The vector
/// dimension is verified first, because other rules depend on it.
struct NestToVerify {
  const LoopNest &nest;
  const NestSchedule &schedule;
  unsigned rowDims; ///< number of row dimensions of the group
  const Machine &machine;
};

std::string verifyVectorize(const NestToVerify &of);
/// Replaces `left`, the points of each dimension, by the points that the loops leave of them.
std::string verifyTiles(const NestToVerify &of, llvm::MutableArrayRef<int64_t> left);
std::string verifyParallel(const NestToVerify &of);
std::string verifyPrefetch(const NestToVerify &of);
std::string verifyRfactor(const NestToVerify &of);
std::string verifyPack(const NestToVerify &of);
std::string verifyDot(const NestToVerify &of);

} // namespace cameo::schedule

#endif
