// Strings in the task dialect, apart from TaskDialect.h because few passes use them.
#ifndef CAMEO_DIALECTS_TASK_TASKTEXTOPS_H
#define CAMEO_DIALECTS_TASK_TASKTEXTOPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskTextOps.h.inc"

namespace cameo::task {

/// Attributes of the last arguments of the planned @main: the addresses of the model's constant strings, and the memory
/// for strings that a run creates.
constexpr llvm::StringLiteral textsName = "task.texts", textAreaName = "task.text_area";

} // namespace cameo::task

#endif
