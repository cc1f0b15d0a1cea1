// Schedules from rules over the structure of a nest and the description of the target: no measurement, no search.
#ifndef CAMEO_PASSES_SCHEDULE_RULES_DEFAULTSCHEDULE_H
#define CAMEO_PASSES_SCHEDULE_RULES_DEFAULTSCHEDULE_H

#include "passes/Schedule/Rules/CacheModel.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// Whether `nest`, as a step down decision trees, hardly does more than to load from places that are computed for each
/// point along `dim`: vectors along it would be put together lane by lane.
bool walksTables(const LoopNest &nest, unsigned dim);

/// Of one element in a register; 8 for an index.
int64_t bytesOf(mlir::Type type);

/// The default schedule of `nest`, whose first `rowDims` dimensions are fixed by its group.
NestSchedule defaultSchedule(const TaskProgram &program, const LoopNest &nest, unsigned rowDims,
                             const Machine &machine);

/// Those of all nests of `program`, in order; the ones that share a range are taken into account.
std::vector<NestSchedule> defaultSchedules(const TaskProgram &program, const Machine &machine);

/// Points per dimension of the register block that computes a reduction in the fewest cycles, by a model of a core with
/// two multiply-add and two load units: `vectors` along the vector dimension, `inner` and `outer` along the dimensions
/// of these numbers (0 where there is none). The first `rowDims` dimensions are fixed by the nest's group; `partial`
/// has the loops over the reductions. `isTakenInParts` says whether blocks of so many vectors are run through part by
/// part, so that they may be larger than the cache.
struct RegisterTile {
  int64_t vectors = 1, inner = 1, outer = 1;
  double cycles = 0; ///< of all blocks along these dimensions
};
RegisterTile chooseRegisterTile(const LoopNest &nest, unsigned rowDims, const NestSchedule &partial,
                                std::optional<unsigned> innerDim, std::optional<unsigned> outerDim,
                                const Machine &machine, llvm::function_ref<bool(int64_t)> isTakenInParts);

/// Cycles of the register blocks that the default schedule of `nest`, a reduction in a group of its own, would have, by
/// the same model.
double registerBlockCycles(const TaskProgram &program, const LoopNest &nest, const Machine &machine);

/// Points of all dimensions of `nest`.
int64_t workOf(const LoopNest &nest);

/// Chooses the dimension along which bytes are contracted in groups, where the nest and the machine can, and has the
/// factor that varies along the vector dimension packed.
void chooseDot(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
               NestSchedule &schedule);

/// What the product `nest` reaches of the multiply-adds of whole vectors where its steps are the `lanes` of vectors: in
/// the end it adds up those of each sum.
double shareOfSteps(const LoopNest &nest, int64_t lanes, const Machine &machine);

/// Chooses vectorDim and lanes of `schedule`, and which operands must be packed for it.
void chooseVectorDimension(const TaskProgram &program, const LoopNest &nest, unsigned rowDims, const Machine &machine,
                           NestSchedule &schedule);

} // namespace cameo::schedule

#endif
