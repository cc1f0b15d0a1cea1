// Indices of extrema: a reduction that carries the value and its index.
#include "passes/Lower/Formulas/FindExtremum.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

template <typename OpTy> Lowered lowerArgExtremum(OpTy op, Operands operands, GenericBuilder &b) {
  Choice choice{{isa<onnx::ArgMaxOp>(op), signOf(op.getData())}, op.getSelectLastIndex() != 0};
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  return one(b.reshape(findExtremum(b, operands[0], axis, choice).index, resultShape(op)));
}

Lowered lowerHardmax(onnx::HardmaxOp op, Operands operands, GenericBuilder &b) {
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  Value index = findExtremum(b, operands[0], axis, {}).index;
  Shape shape = resultShape(op);
  Type element = resultElement(op);
  return one(b.map(shape, element, {b.spread(index, shape)}, [&](ScalarBuilder &s, ValueRange x) {
    Value isThere = s.compare(Order::Equal, s.fromIndex(s.position(axis), b.getI64Type()), x[0]);
    return s.select(isThere, s.number(element, 1), s.number(element, 0));
  }));
}

} // namespace

void addArgExtrema(LoweringTable &table) {
  table.add(lowerArgExtremum<onnx::ArgMaxOp>);
  table.add(lowerArgExtremum<onnx::ArgMinOp>);
  table.add(lowerHardmax);
}

} // namespace cameo::lower
