// Operators that leave the order of the elements: the result's type says all.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Lowered lowerReshape(Operation *op, Operands operands, GenericBuilder &b) {
  return one(b.reshape(operands[0], resultShape(op)));
}

Lowered lowerShape(onnx::ShapeOp op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  auto bound = [&](int64_t at) { return std::clamp<int64_t>(normalizeAxis(at, rank), 0, rank); };
  int64_t start = bound(op.getStart()), end = bound(op.getEnd().value_or(rank));
  return one(b.constantInts(shapeOf(operands[0]).slice(start, std::max<int64_t>(0, end - start))));
}

Lowered lowerSize(onnx::SizeOp op, Operands operands, GenericBuilder &b) {
  auto type = RankedTensorType::get({}, b.getI64Type());
  return one(b.constant(DenseElementsAttr::get(type, sizeOf(shapeOf(operands[0])))));
}

} // namespace

void addReshapes(LoweringTable &table) {
  table.addAll<onnx::ReshapeOp, onnx::FlattenOp, onnx::SqueezeOp, onnx::UnsqueezeOp, onnx::IdentityOp>(lowerReshape);
  table.add(lowerShape);
  table.add(lowerSize);
}

} // namespace cameo::lower
