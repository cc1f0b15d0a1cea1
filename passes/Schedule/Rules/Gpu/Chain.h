// Products that the blocks of the product before them compute: a block has all columns of the first product, keeps its
// rows of the result in shared memory, and multiplies them by the right operand of the second one from there. A third
// product may read the result of the second one in the same way.
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

/// Chains of which each begins with the product that the one before ends with; the same blocks compute all products.
using Chains = llvm::SmallVector<Chain, 2>;

/// Returns the chains of the blocks that compute nest number `last` of `program`, which is chained; `threads` are the
/// schedules of all nests. None if a chained nest is no second product.
Chains findChains(const TaskProgram &program, llvm::ArrayRef<GpuSchedule> threads, unsigned last);

/// The schedule of a product of a chain.
struct ProductSchedule {
  const NestSchedule *loops;
  const GpuSchedule *threads;
};

/// The schedules of all products of chains, in their order.
using ChainSchedules = llvm::SmallVector<ProductSchedule, 3>;

/// Returns those of the products of `chains`, from the schedules of all nests.
ChainSchedules schedulesOf(llvm::ArrayRef<Chain> chains, llvm::ArrayRef<NestSchedule> loops,
                           llvm::ArrayRef<GpuSchedule> threads);

/// Returns why blocks that compute all products but the last one of `chains` cannot compute that, too, with these
/// schedules, each of which is valid by itself; empty if they can.
std::string findChainFault(llvm::ArrayRef<Chain> chains, const ChainSchedules &schedules, const GpuMachine &gpu);

/// The most chains of a block. The rows that the second product keeps lie over an operand of the first one; those of a
/// third one have no such place.
constexpr size_t mostChains = 2;

/// Returns the bytes of shared memory of a block: the operands of the first product, the right ones of the others over
/// the larger of them, the rows of the second product over the other one, those of the first product, and vectors
/// behind all sums.
int64_t chainBytes(llvm::ArrayRef<Chain> chains, const ChainSchedules &schedules);

} // namespace cameo::schedule

#endif
