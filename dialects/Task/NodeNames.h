// The ONNX nodes that a task stands for.
#ifndef CAMEO_DIALECTS_TASK_NODENAMES_H
#define CAMEO_DIALECTS_TASK_NODENAMES_H

#include "mlir/IR/Location.h"

#include <string>

namespace cameo::task {

/// The names of the nodes that `loc`, of a call, came from, joined by '+'; empty where none is known.
std::string nodeNames(mlir::Location loc);

} // namespace cameo::task

#endif
