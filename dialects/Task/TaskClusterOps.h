// Clusters in the task dialect, apart from TaskDialect.h because only GPU kernels use them.
#ifndef CAMEO_DIALECTS_TASK_TASKCLUSTEROPS_H
#define CAMEO_DIALECTS_TASK_TASKCLUSTEROPS_H

#include "dialects/Task/TaskDialect.h"

#define GET_OP_CLASSES
#include "dialects/Task/TaskClusterOps.h.inc"

#endif
