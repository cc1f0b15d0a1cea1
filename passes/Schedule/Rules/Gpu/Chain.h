// Products that the blocks of the product before them compute: a block has all columns of the first product, keeps its
// rows of the result in shared memory, and multiplies them by the right operand of the second one from there.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_CHAIN_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_CHAIN_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Nests/Contraction.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// Two products of a program, of which the second one reads the result of the first one as its left operand.
struct Chain {
  /// A dimension of the first product and the matching one of the second product.
  struct Pair {
    unsigned ofFirst, ofSecond;
  };

  unsigned firstNest, secondNest; ///< numbers among the nests of the program
  const LoopNest *first, *second;
  NodeId left;     ///< load of the second nest that reads the result
  NodeId right;    ///< its other operand
  unsigned buffer; ///< that holds the result
  llvm::SmallVector<Pair, 4> rows;
  Pair column;   ///< columns of the first product, which are the depth of the second one
  bool isStored; ///< whether others read the result, too

  /// Returns the dimension of the second nest that matches parallel dimension `dim` of the first one.
  unsigned matching(unsigned dim) const;
};

/// The most parts into which the columns of the second product are divided; a block computes one after the other. Each
/// has code of its own.
constexpr int64_t mostChainParts = 4;

/// The most columns of the first product, which are the steps of the second one: their products are unrolled.
constexpr int64_t mostChainSteps = 256;

/// Returns the chain whose second product is nest number `second` of `program`: no other nest writes what it reads as
/// its left operand, both nests are alone in their groups and have equal dimensions in between, and the result has 16
/// bits.
std::optional<Chain> findChain(const TaskProgram &program, unsigned second);

/// The schedules of both products.
struct ChainSchedules {
  const NestSchedule &firstLoops, &secondLoops;
  const GpuSchedule &firstThreads, &secondThreads;
};

/// Returns why blocks cannot compute both products of `chain` with these schedules, each of which is valid by itself;
/// empty if they can.
std::string findChainFault(Chain chain, const ChainSchedules &schedules, const GpuMachine &gpu);

/// Returns the bytes of shared memory of a block: the operands of the first product, the right one of the second
/// product over the larger of them, the rows in between, and vectors behind the sums of both.
int64_t chainBytes(const Chain &chain, const ChainSchedules &schedules);

} // namespace cameo::schedule

#endif
