// Decides which tasks of a model for a GPU the host executes.
#ifndef CAMEO_PASSES_SCHEDULE_CHOOSEHOSTTASKS_H
#define CAMEO_PASSES_SCHEDULE_CHOOSEHOSTTASKS_H

#include "dialects/Task/TaskDialect.h"

namespace cameo {

/// Returns why the host must execute `def`, a task lowered to linalg of a model for a GPU: "reads or makes strings" or
/// "calls a function of the program"; empty if the GPU can execute it. A GPU can only move the addresses of strings,
/// which are in the memory of the host.
llvm::StringRef whyOnHost(task::DefOp def);

} // namespace cameo

#endif
