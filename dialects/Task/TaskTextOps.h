// Texts in the task dialect: apart from TaskDialect.h, because few passes know of them.
#ifndef CAMEO_DIALECTS_TASK_TASKTEXTOPS_H
#define CAMEO_DIALECTS_TASK_TASKTEXTOPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskTextOps.h.inc"

namespace cameo::task {

/// On the last arguments of the planned @main: the addresses of the model's constant texts, and the area for texts that
/// a run makes.
constexpr llvm::StringLiteral textsName = "task.texts", textAreaName = "task.text_area";

} // namespace cameo::task

#endif
