// Emission of scalar and vector code for single points.
#include "passes/Schedule/Emission/PointEvaluator.h"

#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

Value PointEvaluator::indexConstant(const Size &value) {
  Value &constant = constants[value];
  if (!constant)
    constant = createSize(builder, loc, value);
  return constant;
}

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
    Value left = arith::SubIOp::create(builder, loc, length, indexConstant(point[*schedule.vectorDim]));
    mask = vector::CreateMaskOp::create(builder, loc, VectorType::get(schedule.lanes, builder.getI1Type()), left);
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

/// The part of an address that the surrounding loops' variables make, shared by all points of the block.
Value PointEvaluator::sumOfTerms(ArrayRef<Size> coefficients) {
  Value sum;
  for (auto [dim, coefficient] : llvm::enumerate(coefficients)) {
    if (coefficient == 0)
      continue;
    for (auto [value, scale] : positions[dim].terms) {
      Size factor = coefficient * scale;
      Value term = factor == 1 ? value : arith::MulIOp::create(builder, loc, value, indexConstant(factor)).getResult();
      sum = sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
    }
  }
  return sum;
}

Size PointEvaluator::constantPart(const LinearForm &form, const Point &point) const {
  Size constant = form.constant;
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    if (coefficient != 0)
      constant += coefficient * (positions[dim].constant + point[dim]);
  return constant;
}

/// The number among the terms of `size`.
static int64_t knownPart(const Size &size) {
  if (size.isKnown())
    return size;
  std::vector<onnx::DimTerm> terms = *onnx::getTerms(size.exact());
  auto number = llvm::find_if(terms, [](const onnx::DimTerm &term) { return term.atoms.empty(); });
  return number == terms.end() ? 0 : number->coefficient;
}

Value PointEvaluator::address(const LinearForm &form, const Point &point, Value further) {
  Size constant = constantPart(form, point), known = knownPart(constant), counted = constant - known;
  auto add = [&](Value sum, const Size &size) -> Value {
    if (!sum)
      return indexConstant(size);
    return size == 0 ? sum : arith::AddIOp::create(builder, loc, sum, indexConstant(size)).getResult();
  };
  // Points that only a number tells apart share the rest: instructions have a place for numbers.
  auto [it, added] = sums.try_emplace({form.coefficients, counted});
  if (added)
    it->second = sumOfTerms(form.coefficients);
  if (added && counted != 0)
    it->second = add(it->second, counted);
  Value sum = it->second;
  if (further)
    sum = sum ? arith::AddIOp::create(builder, loc, sum, further).getResult() : further;
  return add(sum, known);
}

/// The address of the block's first lanes.
LinearForm PointEvaluator::packedForm(const Node &node) const {
  const PackedLayout &layout = *node.packed;
  int64_t width = llvm::alignTo(positions[*schedule.vectorDim].size, schedule.lanes);
  LinearForm form(nest.dims.size());
  form.constant = layout.offset;
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    form.coefficients[dim] = layout.fixed[dim] + layout.perWidth[dim] * width;
  form.coefficients[*schedule.vectorDim] = layout.blockStride;
  return form;
}

/// The address of the lanes at `point`.
LinearForm PointEvaluator::packedForm(const Node &node, const Point &point) const {
  LinearForm form = packedForm(node);
  // Up to the block's begin every element counts blockStride, from there those side by side.
  form.constant += (node.packed->group - node.packed->blockStride) * point[*schedule.vectorDim];
  return form;
}

SmallVector<Position> since(ArrayRef<Position> before, ArrayRef<Position> now) {
  SmallVector<Position> moved;
  for (auto [from, to] : llvm::zip_equal(before, now))
    moved.push_back({{to.terms.begin() + from.terms.size(), to.terms.end()}, to.constant - from.constant, to.size, to.length});
  return moved;
}

PointShare sharePoints(OpBuilder &builder, Location loc, const LoopNest &nest, const NestSchedule &schedule, Value begin, Value end) {
  PointShare share{begin, {}, parallelExtent(nest, schedule), 1};
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (!dimension.reduction && schedule.vectorDim != dim)
      share.points *= dimension.extent;
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  Value count = arith::MaxUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, end, begin), constant(1));
  share.reciprocal = arith::DivUIOp::create(builder, loc, constant((share.pieces << PointShare::fraction) / share.points), count);
  return share;
}

void PointEvaluator::prefetch(NodeId id, ArrayRef<Position> panel, const std::optional<PointShare> &share) {
  constexpr int64_t lineBytes = 64, streamBytes = 8192;
  const Node &node = nest.nodes[id];
  LinearForm block = packedForm(node), progress(nest.dims.size());
  int64_t width = llvm::alignTo(positions[*schedule.vectorDim].size, schedule.lanes), blockElements = node.packed->group * width;
  int64_t total = 1, points = 1, steps = 1;
  SmallVector<Position> start(positions);
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (nest.dims[dim].reduction) {
      start[dim] = panel[dim];
      steps *= positions[dim].size;
      if (block.coefficients[dim] != 0)
        blockElements *= schedule.dotDim == dim ? llvm::divideCeil(panel[dim].size, dotGroup) : panel[dim].size;
    }
  for (unsigned dim = nest.dims.size(); dim-- > 0;)
    if (!nest.dims[dim].reduction && block.coefficients[dim] == 0) {
      progress.coefficients[dim] = total * blockElements;
      total *= std::min<int64_t>(panel[dim].size, nest.dims[dim].extent);
      points *= positions[dim].size;
    }
  for (unsigned dim = 0; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].reduction)
      progress.coefficients[dim] = points * block.coefficients[dim];
  Value memory = buffers[node.buffer];
  int64_t elementBytes = cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8;
  // A block that is run through once is far ahead too early: the stream is followed at a distance.
  block.constant += points == total ? std::min(blockElements, streamBytes / elementBytes) : blockElements;
  Point origin(nest.dims.size(), 0);
  SmallVector<Position> done = since(panel, positions);
  PointEvaluator relative(builder, loc, nest, schedule, buffers, done, hasFusedMultiplyAdd);
  PointEvaluator ahead(builder, loc, nest, schedule, buffers, start, hasFusedMultiplyAdd);
  Value part = relative.address(progress, origin);
  if (share) {
    Value begun = arith::MulIOp::create(builder, loc, share->before, indexConstant(share->points * blockElements / share->pieces));
    part = arith::MulIOp::create(builder, loc, arith::SubIOp::create(builder, loc, part, begun), share->reciprocal);
    part = arith::ShRUIOp::create(builder, loc, part, indexConstant(PointShare::fraction));
  } else {
    part = arith::DivUIOp::create(builder, loc, part, indexConstant(total));
  }
  Value at = arith::AddIOp::create(builder, loc, ahead.address(block, origin), part);
  int64_t stepElements = llvm::divideCeil(points * steps * width, total);
  for (int64_t first = 0; first < stepElements; first += lineBytes / elementBytes) {
    Value line = first == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(first)).getResult();
    memref::PrefetchOp::create(builder, loc, memory, line, /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }
}

Value PointEvaluator::toStorage(Value value) {
  if (!getElementTypeOrSelf(value).isInteger(1))
    return value;
  Type byte = builder.getI8Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    byte = VectorType::get(vector.getShape(), byte);
  return arith::ExtUIOp::create(builder, loc, byte, value);
}

Value PointEvaluator::indexValue(const Node &node, const Point &point) {
  Value first = address(node.address, point);
  if (!isVector(node))
    return first;
  Value offsets = laneOffsets(node.address.coefficients[*schedule.vectorDim]);
  return arith::AddIOp::create(builder, loc, asVector(first), offsets);
}

/// x*y + z as one operation where the processor has one; null when `node` is nothing of the kind. Contraction changes
/// a result by less than its rounding.
Value PointEvaluator::fusedMultiplyAdd(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  if (!hasFusedMultiplyAdd || !isa<arith::AddFOp>(node.op) || !(node.type.isF32() || node.type.isF64()))
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

/// The larger (or smaller) of a value and a constant that is no NaN; null when `node` is nothing of the kind. In this form, which
/// passes a NaN on and a zero of either sign, it is one instruction; `maximumf` of a value and 0 is two.
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
  OperationState state(loc, node.op->getName(), operands, type, node.op->getAttrDictionary().getValue());
  return builder.create(state)->getResult(0);
}

/// What all points have in common at which the load `node` gives the same as at `point`; nothing where that is not known.
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

Value PointEvaluator::evaluate(NodeId id, const Point &point, ArrayRef<Value> accumulators) {
  const Node &node = nest.nodes[id];
  if (node.kind == Node::Kind::Accumulator)
    return accumulators[node.accumulator];
  if (node.kind == Node::Kind::Load) {
    // Windows overlap: what counts is the element, not the point it is read for.
    if (std::optional<Size> key = elementKey(node, point)) {
      Value &value = loads[{id, *key}];
      if (!value)
        value = load(node, point);
      return value;
    }
  }
  Point relevant = point;
  for (auto [dim, offset] : llvm::enumerate(relevant))
    if (!((node.dependsOn >> dim) & 1) && !node.usesAccumulator)
      offset = 0;
  if (auto it = values.find({id, relevant}); it != values.end())
    return it->second;
  Value value;
  switch (node.kind) {
  case Node::Kind::Load:
    value = load(node, point);
    break;
  case Node::Kind::Gather:
    value = gather(node, point, accumulators);
    break;
  case Node::Kind::Constant:
    value = arith::ConstantOp::create(builder, loc, node.constant);
    break;
  case Node::Kind::Index:
    value = indexValue(node, point);
    break;
  case Node::Kind::Apply:
    value = apply(node, point, accumulators);
    break;
  case Node::Kind::Accumulator:
    llvm_unreachable("handled above");
  }
  values[{id, relevant}] = value;
  return value;
}

void PointEvaluator::store(const Output &output, const Point &point, ArrayRef<Value> accumulators) {
  Value value = toStorage(evaluate(output.value, point, accumulators));
  Value memory = buffers[output.buffer], index = output.index ? evaluate(*output.index, point, accumulators) : Value();
  bool isComputedByLane = index && isa<VectorType>(index.getType());
  auto addressOf = [&](Value index) {
    return address(output.address, point, index ? arith::MulIOp::create(builder, loc, index, indexConstant(output.stride)).getResult() : Value());
  };
  Value at = isComputedByLane ? Value() : addressOf(index);
  Size stride = schedule.vectorDim ? output.address.coefficients[*schedule.vectorDim] : Size(0);
  bool perPoint = schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction;
  if (!perPoint) {
    memref::StoreOp::create(builder, loc, value, memory, at);
    return;
  }
  value = asVector(value);
  Value mask = maskAt(point);
  if (!isComputedByLane && stride == 1 && !mask) {
    vector::StoreOp::create(builder, loc, value, memory, at);
    return;
  }
  if (!isComputedByLane && stride == 1) {
    vector::MaskedStoreOp::create(builder, loc, memory, at, mask, value);
    return;
  }
  if (positions[*schedule.vectorDim].length) {
    vector::ScatterOp::create(builder, loc, /*resultType=*/Type(), memory, at, laneOffsets(stride), mask, value);
    return;
  }
  for (int64_t lane = 0; lane < lanesAt(point); ++lane) {
    if (isComputedByLane)
      at = addressOf(vector::ExtractOp::create(builder, loc, index, lane));
    Value to = lane == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(lane * stride)).getResult();
    Value element = vector::ExtractOp::create(builder, loc, value, lane);
    memref::StoreOp::create(builder, loc, element, memory, to);
  }
}

} // namespace cameo::schedule
