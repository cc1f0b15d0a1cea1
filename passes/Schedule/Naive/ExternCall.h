// The buffer form of a task that calls a function of the program.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_EXTERNCALL_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_EXTERNCALL_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskExternOps.h"

namespace cameo::schedule {

/// The call that `def` consists of, or null for another task.
task::ExternOp getExternCall(task::DefOp def);

/// Brings `def`, which consists of `call`, into buffer form. `dims` are those of its arguments and then of its results.
/// Outputs of the function that nobody reads become scratch.
void emitExternCall(task::DefOp def, task::ExternOp call, llvm::ArrayRef<llvm::SmallVector<Dim>> dims);

} // namespace cameo::schedule

#endif
