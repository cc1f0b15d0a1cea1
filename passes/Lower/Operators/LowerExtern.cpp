// Calls of functions of the program. The call keeps what its code and the header need, because types lose signs and
// names here.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskExternOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Lowered lowerExtern(onnx::ExternOp op, Operands operands, GenericBuilder &b) {
  SmallVector<Value> inputs;
  llvm::copy_if(operands, std::back_inserter(inputs), [](Value operand) { return operand != nullptr; });
  SmallVector<Type> outputs;
  for (Value output : op.getOutputs())
    if (!isa<NoneType>(output.getType()))
      outputs.push_back(toSignless(output.getType()));
  auto call = task::ExternOp::create(b, b.getLoc(), outputs, op.getFunctionAttr(), op.getOperatorNameAttr(),
                                     op.getParametersAttr(), op.getOptionalAttr(), op.getMissingAttr(),
                                     b.getTypeArrayAttr(op.getInputs().getTypes()),
                                     b.getTypeArrayAttr(op.getOutputs().getTypes()), inputs);
  Values results;
  unsigned next = 0;
  for (Value output : op.getOutputs())
    results.push_back(isa<NoneType>(output.getType()) ? Value() : call.getOutputs()[next++]);
  return results;
}

} // namespace

void addExterns(LoweringTable &table) { table.add(lowerExtern); }

} // namespace cameo::lower
