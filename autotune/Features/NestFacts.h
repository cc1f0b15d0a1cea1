// What features need to know of a nest whatever its schedule is: found once, for thousands of schedules.
#ifndef CAMEO_AUTOTUNE_FEATURES_NESTFACTS_H
#define CAMEO_AUTOTUNE_FEATURES_NESTFACTS_H

#include "passes/Schedule/Nests/LoopNest.h"

namespace cameo::autotune {

/// Refers to the nest, which must outlive it.
struct NestFacts {
  /// One value of an expression tree.
  struct Value {
    const schedule::Node *node;
    double instructions; ///< of one vector; 0 for what computes nothing
  };
  /// Accesses to one buffer that differ in where they begin only.
  struct Access {
    const schedule::LinearForm *address;
    uint64_t dims; ///< bit d: differs along dimension d
    int64_t elementBytes;
    unsigned buffer;
    double count;
  };

  const schedule::LoopNest *nest;
  std::vector<Value> reductionValues; ///< of all updates, each once
  std::vector<std::vector<Value>> outputValues; ///< per output, what those before it did not need
  llvm::SmallVector<schedule::NodeId> reductionLoads, outputLoads; ///< loads and gathers inside the reductions, and in the outputs
  std::vector<Access> reductionReads, outputReads, writes;
  unsigned operations = 0; ///< per point
  unsigned transcendentals = 0; ///< of these: how many take tens of instructions

  explicit NestFacts(const schedule::LoopNest &nest);
};

} // namespace cameo::autotune

#endif
