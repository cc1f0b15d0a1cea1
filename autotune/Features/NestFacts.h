// What features need to know of a nest whatever its schedule is: found once, for thousands of schedules.
#ifndef CAMEO_AUTOTUNE_FEATURES_NESTFACTS_H
#define CAMEO_AUTOTUNE_FEATURES_NESTFACTS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::autotune {

/// Refers to the nest, which must outlive it.
struct NestFacts {
  /// What computes the values of expression trees that depend on the same dimensions. Trees have hundreds of nodes,
  /// which lie apart in memory.
  struct Work {
    uint64_t dims;       ///< bit d: differs along dimension d
    double instructions; ///< of one vector
  };
  /// Accesses to one buffer that differ in where they begin only.
  struct Access {
    const schedule::LinearForm *address;
    uint64_t dims; ///< bit d: differs along dimension d
    int64_t elementBytes;
    unsigned buffer;
    bool isGathered; ///< where depends on data
    double count;
  };

  const schedule::LoopNest *nest;
  std::vector<Work> reductionWork, outputWork; ///< each value once
  std::vector<Access> reductionReads, outputReads, writes;
  unsigned operations = 0;      ///< per point
  unsigned transcendentals = 0; ///< of these: how many take tens of instructions

  explicit NestFacts(const schedule::LoopNest &nest);
};

} // namespace cameo::autotune

#endif
