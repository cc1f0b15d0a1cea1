// Verification of calls of functions of the program.
#include "dialects/Task/TaskExternOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskExternOps.cpp.inc"

static size_t countPresent(ArrayAttr types) {
  return llvm::count_if(types.getAsValueRange<TypeAttr>(), [](Type type) { return !isa<NoneType>(type); });
}

LogicalResult ExternOp::verify() {
  size_t inputs = countPresent(getInputTypes()), outputs = countPresent(getOutputTypes());
  if (getInputs().size() != inputs || getOutputs().size() != outputs) // extern_c1
    return emitOpError("expected ") << inputs << " inputs and " << outputs << " outputs, got " << getInputs().size()
                                    << " and " << getOutputs().size();
  return success();
}

LogicalResult ExternCallOp::verify() {
  size_t buffers = countPresent(getInputTypes()) + countPresent(getOutputTypes());
  if (getBuffers().size() != buffers) // extern_call_c1
    return emitOpError("expected ") << buffers << " buffers of inputs and outputs, got " << getBuffers().size();
  return success();
}
