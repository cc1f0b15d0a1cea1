// Strings in the task dialect, apart from TaskDialect.h because few passes use them.
#ifndef CAMEO_DIALECTS_TASK_TASKSTRINGOPS_H
#define CAMEO_DIALECTS_TASK_TASKSTRINGOPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskStringOps.h.inc"

namespace cameo::task {

/// Attributes of the last arguments of the planned @main: the addresses of the model's constant strings, and the memory
/// for strings that a run creates.
constexpr llvm::StringLiteral stringsName = "task.strings", textAreaName = "task.text_area";

/// Attribute of definitions and kernels of a model for a GPU that the host executes; and of the dispatch of such a
/// kernel, or of the call of a function of the program, in the planned @main: a list with one element for each buffer,
/// but for those that later passes append. An element is a list of the access, "read" for an input of the task,
/// "written" for an output and "local" for scratch memory, and the number of elements of the buffer or its expression.
constexpr llvm::StringLiteral hostName = "task.host";

} // namespace cameo::task

#endif
