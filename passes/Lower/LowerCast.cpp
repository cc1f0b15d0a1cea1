// Conversions of element types.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// The result's type says what to convert to, for CastLike too.
Lowered lowerCast(Operation *op, Operands operands, GenericBuilder &b) {
  return one(b.convert(operands[0], resultElement(op), signOf(op->getOperand(0)), signOf(op->getResult(0))));
}

} // namespace

void addCasts(LoweringTable &table) { table.addAll<onnx::CastOp, onnx::CastLikeOp>(lowerCast); }

} // namespace cameo::lower
