// Emits scalar and vector code for single points.
#include "passes/Schedule/Emission/Cpu/PointEvaluator.h"

#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

bool PointEvaluator::isVector(const Node &node) const {
  return schedule.vectorDim && ((node.dependsOn >> *schedule.vectorDim) & 1 || node.usesAccumulator);
}

int64_t PointEvaluator::lanesAt(const Point &point) const {
  if (!schedule.vectorDim)
    return 1;
  return std::min<int64_t>(schedule.lanes, positions[*schedule.vectorDim].size - point[*schedule.vectorDim]);
}

Value PointEvaluator::maskOf(int64_t lanes) {
  if (lanes == schedule.lanes)
    return {};
  Value &mask = masks[lanes];
  if (!mask)
    mask = vector::ConstantMaskOp::create(builder, loc, VectorType::get(schedule.lanes, builder.getI1Type()),
                                          ArrayRef<int64_t>{lanes});
  return mask;
}

Value PointEvaluator::maskAt(const Point &point) {
  if (!schedule.vectorDim)
    return {};
  Value length = positions[*schedule.vectorDim].length;
  if (!length)
    return maskOf(lanesAt(point));
  Value &mask = countedMasks[point[*schedule.vectorDim]];
  if (!mask) {
    mask = vector::CreateMaskOp::create(builder, loc, VectorType::get(schedule.lanes, builder.getI1Type()),
                                        lanesLeft(point));
  }
  return mask;
}

Value PointEvaluator::asVector(Value value) {
  if (!schedule.vectorDim || isa<VectorType>(value.getType()))
    return value;
  Value &vector = vectors[value];
  if (!vector)
    vector = vector::BroadcastOp::create(builder, loc, VectorType::get(schedule.lanes, value.getType()), value);
  return vector;
}

/// Returns the address of the block's first lanes.
LinearForm PointEvaluator::packedForm(const Node &node) const {
  const PackedLayout &layout = *node.packed;
  int64_t width = layout.width > 0 ? layout.width : llvm::alignTo(positions[*schedule.vectorDim].size, schedule.lanes);
  LinearForm form(nest.dims.size());
  form.constant = layout.offset;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    form.coefficients[dim] = layout.fixed[dim] + layout.perWidth[dim] * width;
  form.coefficients[*schedule.vectorDim] = layout.blockStride;
  return form;
}

/// Returns the address of the lanes at `point`.
LinearForm PointEvaluator::packedForm(const Node &node, const Point &point) const {
  LinearForm form = packedForm(node);
  // Up to the begin of the block, an element counts blockStride; within it, `group`.
  const PackedLayout &layout = *node.packed;
  int64_t within = point[*schedule.vectorDim];
  if (layout.width > 0)
    within %= layout.width;
  form.constant += (layout.group - layout.blockStride) * within;
  return form;
}

Value PointEvaluator::indexValue(const Node &node, const Point &point) {
  Value first = address(node.address, point);
  if (!isVector(node))
    return first;
  Value offsets = laneOffsets(node.address.coefficients[*schedule.vectorDim]);
  return arith::AddIOp::create(builder, loc, asVector(first), offsets);
}

/// Emits x*y + z as one operation if the processor has one; returns null if `node` has another form. Contraction
/// changes a result by less than its rounding.
Value PointEvaluator::fusedMultiplyAdd(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  if (!machine.fusedMultiplyAdd || !isa<arith::AddFOp>(node.op) || !(node.type.isF32() || node.type.isF64()))
    return {};
  for (unsigned side : {1, 0}) {
    const Node &product = nest.nodes[node.operands[side]];
    if (product.kind != Node::Kind::Apply || !isa<arith::MulFOp>(product.op))
      continue;
    Value x = evaluate(product.operands[0], point, accumulators);
    Value y = evaluate(product.operands[1], point, accumulators);
    Value z = evaluate(node.operands[1 - side], point, accumulators);
    if (llvm::any_of(ValueRange{x, y, z}, [](Value value) { return isa<VectorType>(value.getType()); }))
      return vector::FMAOp::create(builder, loc, asVector(x), asVector(y), asVector(z));
    return math::FmaOp::create(builder, loc, x, y, z);
  }
  return {};
}

/// Emits the maximum (or minimum) of a value and a constant that is not NaN; returns null if `node` has another form.
/// This form, which propagates NaN and keeps the sign of zero, is one instruction; `maximumf` of a value and 0 needs
/// two.
Value PointEvaluator::limit(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  bool isMaximum = isa<arith::MaximumFOp>(node.op);
  if (!isMaximum && !isa<arith::MinimumFOp>(node.op))
    return {};
  for (unsigned side : {1, 0}) {
    auto bound = dyn_cast_or_null<FloatAttr>(nest.nodes[node.operands[side]].constant);
    if (!bound || bound.getValue().isNaN())
      continue;
    Value constant = evaluate(node.operands[side], point, accumulators);
    Value value = evaluate(node.operands[1 - side], point, accumulators);
    if (isa<VectorType>(value.getType()))
      constant = asVector(constant);
    auto predicate = isMaximum ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    Value isBeyond = arith::CmpFOp::create(builder, loc, predicate, constant, value);
    return arith::SelectOp::create(builder, loc, isBeyond, constant, value);
  }
  return {};
}

Value PointEvaluator::apply(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  if (Value fused = fusedMultiplyAdd(node, point, accumulators))
    return fused;
  if (Value limited = limit(node, point, accumulators))
    return limited;
  SmallVector<Value> operands;
  bool vector = false;
  for (NodeId operand : node.operands) {
    operands.push_back(evaluate(operand, point, accumulators));
    vector |= isa<VectorType>(operands.back().getType());
  }
  Type type = node.type;
  if (vector) {
    for (Value &operand : operands)
      operand = asVector(operand);
    type = VectorType::get(schedule.lanes, type);
  }
  return applyTo(node, operands, type);
}

std::optional<Size> PointEvaluator::elementKey(const Node &node, const Point &point) const {
  if (node.packed || (isVector(node) && (positions[*schedule.vectorDim].length || lanesAt(point) != schedule.lanes)))
    return std::nullopt;
  Size key = constantPart(node.address, point);
  if (!node.shared)
    return key;
  PlaceInRun place = placeInRun(*node.shared, point);
  bool isWhole = !isVector(node) || place.offset == 0 || place.offset + schedule.lanes <= place.step;
  return place.step == node.shared->length && isWhole ? std::optional(key - place.offset) : std::nullopt;
}

} // namespace cameo::schedule
