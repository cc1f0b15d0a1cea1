// Allocations go to the function's begin: memory of the stack that a loop allocates is not given back before the kernel
// ends.
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
