// The names of the ONNX nodes of a task.
#ifndef CAMEO_DIALECTS_TASK_NODENAMES_H
#define CAMEO_DIALECTS_TASK_NODENAMES_H

#include "mlir/IR/Location.h"

#include <string>

namespace cameo::task {

/// Returns the names of the nodes in the location of a call, joined by '+'; empty if there are none.
std::string nodeNames(mlir::Location loc);

} // namespace cameo::task

#endif
