// What a cost model sees of a schedule: one row of named numbers per loop nest. Plain C++: models know nothing of MLIR.
#ifndef CAMEO_AUTOTUNE_FEATURES_FEATUREVECTOR_H
#define CAMEO_AUTOTUNE_FEATURES_FEATUREVECTOR_H

#include <cstddef>
#include <vector>

namespace cameo::autotune {

/// Saved models hold it: columns that change their meaning or order, and trees that say something else of them, need
/// another number.
constexpr unsigned featureVersion = 3;

/// Columns. Counts, bytes and cycles are log2(1 + x); fractions and flags are as they are. Cycles are those of one core
/// by the model in EstimateCycles.h.
enum class Feature : unsigned {
  Operations,         ///< scalar operations of the nest
  ParallelPoints,     ///< points of its parallel dimensions
  ReductionPoints,    ///< terms per point
  Reductions,         ///< running results per point
  Outputs,            ///< stores per point
  Transcendentals,    ///< operations per point that take tens of instructions
  Lanes,              ///< of a vector
  LaneUse,            ///< part of the lanes that computes something
  ReducesLanes,       ///< whether the vector dimension is a reduction
  StridedLoads,       ///< loads that take an instruction per lane
  StridedStores,      ///< stores that do
  BlockVectors,       ///< vectors of the register block along the vector dimension
  BlockPoints,        ///< points of the block along the other dimensions
  BlockTotal,         ///< their product
  Unrolled,           ///< steps of the reduction in one iteration of its innermost loop
  InnerTrips,         ///< iterations of the innermost loop
  Registers,          ///< part of the registers that the block takes
  Spilled,            ///< registers beyond those there are
  EmittedPoints,      ///< size of the code
  ParallelDepth,      ///< loops over parallel dimensions
  ReductionDepth,     ///< loops over reductions
  ParallelPieces,     ///< of the kernel's range: rows, or pieces of the parallel loops; 1 on one thread
  Balance,            ///< part of the time in which all threads work
  Partial,            ///< whether a loop keeps partial results
  PackedBytes,        ///< of operands laid out anew
  CopiedBytes,        ///< of those that a copy lays out at run time
  PrefetchedBytes,    ///< of operands fetched ahead
  LoadsPerStep,       ///< load instructions per step of the block
  OperationsPerLoad,  ///< arithmetic instructions per load instruction
  StepBytes,          ///< that one run of the innermost loop touches
  BlockBytes,         ///< that all reductions of one block touch
  TileBytes,          ///< that the innermost loop over blocks touches
  OuterTileBytes,     ///< the loop around that
  TotalBytes,         ///< the nest
  FirstLevelTraffic,  ///< bytes that pass into the first-level cache
  SecondLevelTraffic, ///< into the second-level cache
  ArithmeticCycles,
  LoadCycles,
  LatencyCycles,
  StoreCycles,
  OverheadCycles,
  FirstLevelCycles,
  MemoryCycles,
  NestCycles,         ///< estimate for the nest
  TaskCycles,         ///< for all nests of the task
  TaskShare,          ///< NestCycles by TaskCycles
  TaskNests,          ///< how many nests the task has
  CyclesPerOperation, ///< of the task
  Count
};

constexpr size_t featureCount = static_cast<size_t>(Feature::Count);

/// For people and files: "operations", "lane-use", ...
const char *nameOf(Feature feature);

/// One row per nest, row-major.
struct FeatureMatrix {
  std::vector<float> values;

  size_t rows() const { return values.size() / featureCount; }
  float at(size_t row, Feature feature) const { return values[row * featureCount + static_cast<size_t>(feature)]; }
};

} // namespace cameo::autotune

#endif
