// What each step may do to one nest, beside the file of the step. VerifySchedule asks them all; so does a search, whose
// schedules are no attributes.
#ifndef CAMEO_PASSES_SCHEDULE_STEPS_NESTRULES_H
#define CAMEO_PASSES_SCHEDULE_STEPS_NESTRULES_H

#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// A nest with the schedule to be verified. All rules return what is wrong, or nothing; the vector dimension is
/// verified first, since others look at it.
struct NestToVerify {
  const LoopNest &nest;
  const NestSchedule &schedule;
  unsigned rowDims; ///< dimensions that the group of the nest fixes
  const Machine &machine;
};

std::string verifyVectorize(const NestToVerify &of);
/// `left`, the points of each dimension, becomes what the loops leave of them.
std::string verifyTiles(const NestToVerify &of, llvm::MutableArrayRef<int64_t> left);
std::string verifyParallel(const NestToVerify &of);
std::string verifyPrefetch(const NestToVerify &of);
std::string verifyRfactor(const NestToVerify &of);
std::string verifyPack(const NestToVerify &of);
std::string verifyDot(const NestToVerify &of);

} // namespace cameo::schedule

#endif
