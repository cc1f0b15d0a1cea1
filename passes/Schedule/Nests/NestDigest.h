// Identifies the nests that a schedule was made for: steps name nests, dimensions and buffers by number, so they are
// wrong for other nests.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_NESTDIGEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_NESTDIGEST_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// The version of the meaning of steps. It is incremented when a step changes its meaning: schedules made for another
/// version do not apply.
constexpr unsigned stepsVersion = 1;

/// The largest number of nests for which `each` is kept.
constexpr size_t mostDigests = 64;

/// Hashes that are equal for equal nests on every machine, as 16 hexadecimal digits.
struct NestDigest {
  std::string all; ///< of all nests and buffers
  std::vector<std::string>
      each; ///< of each nest with the buffers that it names, in order; only for 2 to `mostDigests` nests
};

/// Returns the digest of the nests of a task before any step is applied.
NestDigest digestOf(const TaskProgram &program);

} // namespace cameo::schedule

#endif
