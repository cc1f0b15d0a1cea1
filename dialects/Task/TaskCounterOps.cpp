// Verification of the counters of GPU kernels.
#include "dialects/Task/TaskCounterOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskCounterOps.cpp.inc"

LogicalResult ArriveOp::verify() {
  if (static_cast<int64_t>(getCount()) < 2) // arrive_c1
    return emitOpError("expected at least two blocks, got ") << static_cast<int64_t>(getCount());
  return success();
}
