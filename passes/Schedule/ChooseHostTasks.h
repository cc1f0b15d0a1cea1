// Decides which tasks of a model for a GPU the host executes.
#ifndef CAMEO_PASSES_SCHEDULE_CHOOSEHOSTTASKS_H
#define CAMEO_PASSES_SCHEDULE_CHOOSEHOSTTASKS_H

#include "dialects/Task/TaskDialect.h"

namespace cameo {

/// Whether `def`, a task lowered to linalg, reads or makes strings. A GPU can only move the addresses of strings, which
/// are in the memory of the host.
bool needsHost(task::DefOp def);

} // namespace cameo

#endif
