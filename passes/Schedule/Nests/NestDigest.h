// For which nests a schedule was made: steps name nests, dimensions and buffers by number, and mean others where nests
// are built otherwise.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_NESTDIGEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_NESTDIGEST_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::schedule {

/// Goes up when a step comes to mean something else than it did: a schedule that was made for another version is none
/// of this one.
constexpr unsigned stepsVersion = 1;

/// Of more nests only the digest of all is kept.
constexpr size_t mostDigests = 64;

/// What is equal for equal nests on every machine, as 16 hexadecimal digits.
struct NestDigest {
  std::string all; ///< of all nests and of the buffers
  std::vector<std::string>
      each; ///< of every nest by itself, with the buffers that it names, in order; only of 2 to `mostDigests` nests
};

/// The digest of the nests of a task before any step is applied.
NestDigest digestOf(const TaskProgram &program);

} // namespace cameo::schedule

#endif
