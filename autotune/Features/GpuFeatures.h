// What a cost model sees of a schedule for a GPU, before anything is compiled: a row of numbers per nest, as for
// processors, with columns of its own.
#ifndef CAMEO_AUTOTUNE_FEATURES_GPUFEATURES_H
#define CAMEO_AUTOTUNE_FEATURES_GPUFEATURES_H

#include "autotune/Features/FeatureVector.h"
#include "autotune/Features/NestFacts.h"
#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Rules/Gpu/DefaultGpuSchedule.h"

namespace cameo::autotune {

/// Columns of a row, from its first on. Counts and bytes are log2(1 + x), flags and fractions as they are. The columns
/// from Feature::NestCycles on have cycles of the device where those of processors have cycles of a core.
enum class GpuFeature : unsigned {
  Operations,        ///< scalar operations of the nest
  ParallelPoints,    ///< points of its parallel dimensions
  ReductionPoints,   ///< terms per point
  Transcendentals,   ///< operations per point that take tens of instructions
  IsTiled,           ///< whether blocks have tiles in shared memory
  ReducesTogether,   ///< whether the threads of a block reduce points together
  Blocks,            ///< of the grid
  Splits,            ///< blocks that divide a reduction
  Threads,           ///< of a block
  ThreadPoints,      ///< points of a thread
  ThreadColumns,     ///< of these along the last parallel dimension
  Lanes,             ///< of a vector of neighbouring points
  Unrolled,          ///< steps of the innermost reduction at once, where a schedule says so
  Registers,         ///< of a thread, as far as its points and what they multiply say
  SharedBytes,       ///< of a block
  Stages,            ///< parts of the operands in shared memory
  IsAsync,           ///< whether copies go past registers
  FetchedSteps,      ///< steps of the reduction between two fetches
  Fetches,           ///< of a block
  FetchedBytes,      ///< by all blocks
  OperationsPerByte, ///< log2 of operations by fetched bytes
  ResidentBlocks,    ///< that a multiprocessor has room for, by threads, registers and shared memory
  ResidentThreads,   ///< the threads of these
  Waves,             ///< rounds of blocks that the device needs
  WaveUse,           ///< part of these rounds that computes something
  EdgeUse,           ///< part of the points of tiles that are points of the nest
  UsesTensor,        ///< whether the matrix unit multiplies
  Count
};

static_assert(static_cast<unsigned>(GpuFeature::Count) <= static_cast<unsigned>(Feature::NestCycles),
              "cycles have the same place in all rows");

/// For people: "operations", "is-tiled", ...
const char *nameOf(GpuFeature feature);

class GpuFeatureExtractor {
public:
  /// Refers to `program`, which must outlive this.
  GpuFeatureExtractor(const schedule::TaskProgram &program, const GpuMachine &gpu);

  /// What one nest may have. `cycles` are those of the rules' model; none where it has nothing to say.
  struct NestChoice {
    const schedule::ThreadSchedule *schedule;
    std::optional<double> cycles;
  };
  /// One row per nest, in order. Thread-safe.
  FeatureMatrix extract(llvm::ArrayRef<NestChoice> nests) const;

private:
  const GpuMachine &gpu;
  std::vector<NestFacts> facts; ///< by nest
};

} // namespace cameo::autotune

#endif
