// Allocations are placed at the begin of the function, because stack memory that a loop allocates is not released
// before the kernel returns.
#include "passes/Schedule/Emission/Cpu/KernelStack.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

Value cameo::schedule::allocateOnStack(OpBuilder &builder, Location loc, MemRefType type) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *kernel = builder.getInsertionBlock()->getParentOp();
  while (!isa<FunctionOpInterface>(kernel))
    kernel = kernel->getParentOp();
  builder.setInsertionPointToStart(&kernel->getRegion(0).front());
  return memref::AllocaOp::create(builder, loc, type, builder.getI64IntegerAttr(stackAlignment));
}
