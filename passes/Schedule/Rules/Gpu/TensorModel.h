// The cost model for products on the matrix unit of a multiprocessor. The matrix unit, the schedulers, the integer
// units, the shared memory, the multiprocessor's share of the second-level cache, and the latency of a block are
// counted separately and joined by a norm, as utils/gpu/kernels does for machine code.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORMODEL_H
#define CAMEO_PASSES_SCHEDULE_RULES_GPU_TENSORMODEL_H

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/GpuSchedule.h"

namespace cameo::schedule {

/// Per cycle of a multiprocessor: instructions that start, one per scheduler, bytes from shared memory, and bytes from
/// the second-level cache.
inline constexpr double tensorSchedulers = 4, sharedBytesPerCycle = 128, cacheBytesPerCycle = 32;
/// Registers of a thread besides its sums and operands, the maximum of a thread, and the maximum number of threads on a
/// multiprocessor.
inline constexpr double plainRegisters = 56, mostRegisters = 255, heldThreads = 2048;
/// How well units overlap: the exponent of the norm that joins their times. 1 is their sum, infinity the slowest one.
inline constexpr double unitOverlap = 2.5;
/// Cycles: from the end of a kernel to the first instruction of the next one and from there to the loop, from a fetch
/// of global memory to its use, from a load of shared memory to its use, and of a barrier.
inline constexpr double launchedCycles = 2600, fetchedCycles = 825, loadedCycles = 30, barrierCycles = 40;
/// Cycles in which a warp executes a step, as ptxas makes it: per step, per instruction, and more per product of the
/// matrix unit.
inline constexpr double stepStall = 44, plainStall = 1.3, productStall = 4.6;
/// Bytes per cycle from the second-level cache where few multiprocessors read.
inline constexpr double aloneBytesPerCycle = 64;
/// Bytes per cycle from the shared memory of other multiprocessors of a cluster, cycles until the first of them arrive,
/// and those of a barrier of a cluster, with what it orders.
inline constexpr double neighbourBytesPerCycle = 11, neighbourCycles = 200, meetingCycles = 500;
/// Instructions per cycle of a scheduler with many warps, instructions of a kernel before its loop, and threads that
/// the integer units serve in a cycle.
inline constexpr double fullIssue = 0.9, beginIssue = 110, integerThreads = 64;
/// The size of a register of one thread.
inline constexpr int64_t registerBytes = 4;

/// The work of a piece of a launch whose blocks have tiles.
struct TensorWork {
  /// Instructions of a warp, those of the matrix unit, those that compute integers, and the bytes of shared memory that
  /// it accesses.
  struct Code {
    double instructions, products, integers, sharedBytes;
  };
  double blocks;          ///< of all multiprocessors
  double registers;       ///< of a thread
  double leftBytes;       ///< of shared memory for the left operand, all its stages
  double rightBytes;      ///< likewise for the right one
  double vectorBytes = 0; ///< of shared memory for vectors behind the sums
  double warps;           ///< of a block
  double steps;           ///< fetches of a block
  double ahead;           ///< fetches under way; with at least as many as steps, all copies are before the loop
  Code step;              ///< of each step
  Code rest;              ///< before and behind the steps
  double unitCycles;      ///< of the matrix unit for a block
  double cachedBytes;     ///< that a block reads and writes beyond shared memory
  bool isSplit;           ///< whether blocks divide the depth
  double partsBytes;   ///< partial sums that the last block of those reads, or those that each block of a cluster does
  int64_t cluster = 1; ///< blocks of a cluster, which divide the depth; 1: there are none
};

/// Returns the estimated cycles of a launch. Blocks of all pieces are handed out in their order; they have equal
/// clusters, and the registers and the shared memory of the piece that needs most.
double cyclesOf(llvm::ArrayRef<TensorWork> pieces, const GpuMachine &gpu);

/// Returns the estimated cycles of a launch whose blocks do the work of `products` one after the other, each as often
/// as it has more blocks than the first one, with `sharedBytes` of shared memory.
double chainCyclesOf(llvm::ArrayRef<const TensorWork *> products, double sharedBytes, const GpuMachine &gpu);

/// Returns the cycles in which a launch reads and writes `bytes`, if these do not stay in the second-level cache.
double memoryCyclesOf(double bytes, const GpuMachine &gpu);

/// Returns the cycles of the unit of a multiprocessor that is busiest with one block.
double busiestCyclesOf(const TensorWork &work);

/// Returns the bytes of shared memory that blocks have for the operands of `pieces`, each for the largest one.
double sharedBytesOf(llvm::ArrayRef<TensorWork> pieces);

/// Returns the products per cycle of a multiprocessor by mma.sync: of f16 those of the machine, half as many of tf32,
/// twice as many of bytes. By wgmma it has as many more as both reach of the peak (arXiv 2501.12084).
double productsPerCycle(const GpuMachine &gpu, const TensorShape &shape);

/// Returns the instructions that convert one loaded register for the matrix unit.
double issueOfConversion(TensorKind kind);

} // namespace cameo::schedule

#endif
