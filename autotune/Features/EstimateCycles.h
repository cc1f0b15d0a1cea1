// The cycles of one nest under a schedule, by a model of a core that loads as many vectors as it multiplies, with two
// levels of cache.
#ifndef CAMEO_AUTOTUNE_FEATURES_ESTIMATECYCLES_H
#define CAMEO_AUTOTUNE_FEATURES_ESTIMATECYCLES_H

#include "autotune/Features/MemoryTraffic.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

namespace cameo::autotune {

/// What a schedule runs on.
struct Execution {
  Machine machine;
  unsigned threads = 1;
  int64_t pieces = 1;     ///< that the nest's group divides among the threads
  double weightBytes = 0; ///< that the nest reads of constants: first they come from memory, all else from the cache
                          ///< that another task left it in
};

/// Averages over the pieces of a division: 56 by 6 is ten pieces of 5.6.
struct BlockShape {
  llvm::SmallVector<double, 8> steps;  ///< per dimension: points, or vectors along the vector dimension
  llvm::SmallVector<double, 8> pieces; ///< per dimension: blocks that it is divided into
  double parallelSteps = 1, reductionSteps = 1, blocks = 1, iterations = 1;
};

struct Cycles {
  double arithmetic = 0, loads = 0, latency = 0, stores = 0, overhead = 0, firstLevel = 0, memory = 0;
  double registers = 0;    ///< that the block takes
  double loadsPerStep = 0; ///< instructions of one step of the block
  double operationsPerStep = 0;
  double balance = 1; ///< part of the time in which all threads work
  double total = 0;   ///< of the slowest thread
};

BlockShape blockShape(const schedule::LoopNest &nest, const schedule::NestSchedule &schedule, unsigned rowDims);

Cycles estimateCycles(const NestFacts &facts, const schedule::NestSchedule &schedule, const BlockShape &shape,
                      const MemoryTraffic &traffic, const Execution &execution);

} // namespace cameo::autotune

#endif
