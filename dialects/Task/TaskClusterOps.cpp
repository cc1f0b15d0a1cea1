// Verification of what blocks of a cluster do together.
#include "dialects/Task/TaskClusterOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskClusterOps.cpp.inc"

LogicalResult MeetClusterOp::verify() {
  if (static_cast<int64_t>(getCount()) < 2) // meet_cluster_c1
    return emitOpError("expected at least two blocks, got ") << static_cast<int64_t>(getCount());
  return success();
}

LogicalResult ReadNeighbourOp::verify() {
  constexpr int64_t most = 4;
  if (int64_t elements = cast<VectorType>(getValue().getType()).getNumElements(); elements > most) // read_neighbour_c1
    return emitOpError("expected at most ") << most << " elements, got " << elements;
  return success();
}
