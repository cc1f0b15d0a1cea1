// Functions of the program in the task dialect, apart from TaskDialect.h because few passes use them.
#ifndef CAMEO_DIALECTS_TASK_TASKEXTERNOPS_H
#define CAMEO_DIALECTS_TASK_TASKEXTERNOPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskExternOps.h.inc"

#endif
