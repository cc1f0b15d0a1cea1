// Converts a task that calls a function of the program to buffer form.
#ifndef CAMEO_PASSES_SCHEDULE_NAIVE_EXTERNCALL_H
#define CAMEO_PASSES_SCHEDULE_NAIVE_EXTERNCALL_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskExternOps.h"

namespace cameo::schedule {

/// Returns the only operation of `def` if it is an external call, or null.
task::ExternOp getExternCall(task::DefOp def);

/// Converts `def`, which consists of `call`, to buffer form. `dims` are the dimensions of its arguments, then of its
/// results. Outputs of the function that are not read become scratch memory.
void emitExternCall(task::DefOp def, task::ExternOp call, llvm::ArrayRef<llvm::SmallVector<Dim>> dims);

} // namespace cameo::schedule

#endif
