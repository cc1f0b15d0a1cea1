// Which calls of GPU tasks become one task, whose pieces share kernel launches. Tiles of products are chosen for all
// that a launch does, so this is known before schedules are chosen.
#ifndef CAMEO_PASSES_SCHEDULE_MERGEDCALLS_H
#define CAMEO_PASSES_SCHEDULE_MERGEDCALLS_H

#include "dialects/Target/GpuMachine.h"
#include "dialects/Task/TaskDialect.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace cameo {

/// Whether `def` is in loop form with a single program of static sizes that computes all results in order.
bool canBeMember(task::DefOp def);

/// Returns lists of two or more independent calls of `block` in its order, each of which becomes one call. `defOf`
/// returns the task of a call, or null.
std::vector<llvm::SmallVector<task::CallOp>> findMergedCalls(mlir::Block &block, const GpuMachine &gpu,
                                                             llvm::function_ref<task::DefOp(task::CallOp)> defOf);

} // namespace cameo

#endif
