// From the linalg body of a task to its loop nests.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_BUILD_BUILDNESTS_H
#define CAMEO_PASSES_SCHEDULE_NESTS_BUILD_BUILDNESTS_H

#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/LoopNest.h"

#include "llvm/Support/Error.h"

namespace cameo::schedule {

/// The loop nests of `def`, elementwise operations fused into their producers or consumers. `constantArguments[i]`
/// says that argument i is a constant at every call. An error names what the emitter does not handle: such a task is
/// emitted the naive way.
llvm::Expected<TaskProgram> buildNests(task::DefOp def, llvm::ArrayRef<bool> constantArguments);

/// Lets nests of sequential groups store where a copy of their group would take what they store.
void absorbCopies(TaskProgram &program);

/// Moves long loops whose rows run in order beside others that do not look at them.
void gatherLoops(TaskProgram &program);

/// Joins all nests of the program into one group that runs row by row, when what passes between them allows it.
void formRowGroup(TaskProgram &program);

/// The same for GPUs, where a block has a row: products, whose rows are too few for that, stay apart, and the nests
/// between them join.
void formRowGroups(TaskProgram &program);

} // namespace cameo::schedule

#endif
