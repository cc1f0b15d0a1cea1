// Builds the loop nests of a task from its linalg body.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_BUILDNESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_BUILDNESTS_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// Returns the loop nests of `def`, with elementwise operations fused into their producers or consumers.
/// `constantArguments[i]` says whether argument i is constant in every call. The error names the construct that the
/// emitter does not support; such a task takes the naive path.
llvm::Expected<TaskProgram> buildNests(task::DefOp def, llvm::ArrayRef<bool> constantArguments);

/// In sequential groups, replaces a copy by a store of the nest that computes the copied value.
void absorbCopies(TaskProgram &program);

/// Moves independent long loops with ordered rows next to each other.
void gatherLoops(TaskProgram &program);

/// Joins all nests of the program into one group of rows, if the data between them allows it.
void formRowGroup(TaskProgram &program);

/// Forms groups of rows for GPUs, where a thread block computes a row. Products stay separate, because they have too
/// few rows for that; the nests between them are joined.
void formRowGroups(TaskProgram &program);

} // namespace cameo::schedule

#endif
