// Schedules that rules derive from the structure of a nest and the description of the target, without measurements or
// search.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_DEFAULTSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_DEFAULTSCHEDULE_H

#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Returns the size in bytes of one element in a register; 8 for an index.
int64_t bytesOf(mlir::Type type);

/// Returns the bytes of the largest values that are vectors if `dim` is the vector dimension: those that vary along it,
/// and results.
int64_t vectorElementBytes(const LoopNest &nest, unsigned dim);

/// Returns the default schedule of `nest`. The loops over its first `rowDims` dimensions belong to its group.
NestSchedule defaultSchedule(const TaskProgram &program, const LoopNest &nest, unsigned rowDims,
                             const Machine &machine);

/// Returns the default schedules of all nests of `program`, in order, and takes nests that share a parallel range into
/// account.
std::vector<NestSchedule> defaultSchedules(const TaskProgram &program, const Machine &machine);

/// The register block that computes a reduction in the fewest cycles, by a model of a core with two multiply-add and
/// two load units: `vectors` vectors along the vector dimension, `inner` and `outer` points along `innerDim` and
/// `outerDim`. The loops over the first `rowDims` dimensions belong to the nest's group; `partial` has the loops over
/// the reductions. `isTakenInParts` says whether blocks of so many vectors are processed in parts of the reduction, so
/// that they may be larger than the cache.
struct RegisterTile {
  int64_t vectors = 1, inner = 1, outer = 1;
  double cycles = 0; ///< the sum over all blocks along these dimensions
};
RegisterTile chooseRegisterTile(const LoopNest &nest, unsigned rowDims, const NestSchedule &partial,
                                std::optional<unsigned> innerDim, std::optional<unsigned> outerDim,
                                const Machine &machine, llvm::function_ref<bool(int64_t)> isTakenInParts);

/// Returns the cycles of the register blocks in the default schedule of `nest`, a reduction in a group of its own, by
/// the same model.
double registerBlockCycles(const TaskProgram &program, const LoopNest &nest, const Machine &machine);

/// Returns the number of points of all dimensions of `nest`.
int64_t workOf(const LoopNest &nest);

/// Sets the dimension along which bytes are multiplied in groups, if nest and machine allow it, and packs the factor
/// that varies along the vector dimension.
void chooseDot(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
               NestSchedule &schedule);

/// Returns the efficiency of the product `nest`, as a fraction of the peak of multiply-adds, if steps of the reduction
/// are the `lanes` of vectors: at the end it adds up the lanes of each sum.
double shareOfSteps(const LoopNest &nest, int64_t lanes, const Machine &machine);

/// Returns the number of points of `nest`, which has no reduction, that an instruction computes along the best vector
/// dimension.
double pointsPerInstruction(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine);

/// Sets vectorDim and lanes of `schedule`, and the operands that must be packed for them.
void chooseVectorDimension(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
                           NestSchedule &schedule);

/// Returns the start of a schedule of `nest`, a reduction in a group of its own, with vectors along `dim`, and what
/// must be packed for them. There are at least two points along it.
NestSchedule vectorsAlong(const TaskProgram &program, const LoopNest &nest, const Machine &machine, unsigned dim);

/// Returns the start of another schedule of `nest`, a product in a group of its own, whose lanes are steps, if the
/// vectors of `chosen` are not full.
std::optional<NestSchedule> chooseSteps(const TaskProgram &program, const LoopNest &nest, const Machine &machine,
                                        const NestSchedule &chosen);

} // namespace cameo::schedule

#endif
