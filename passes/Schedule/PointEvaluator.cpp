// Emission of scalar and vector code for single points.
#include "passes/Schedule/PointEvaluator.h"

#include "passes/Schedule/TransposeLanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

Value PointEvaluator::indexConstant(int64_t value) {
  Value &constant = constants[value];
  if (!constant)
    constant = arith::ConstantIndexOp::create(builder, loc, value);
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
  Value &mask = masks[lanes];
  if (!mask)
    mask = vector::ConstantMaskOp::create(builder, loc, VectorType::get(schedule.lanes, builder.getI1Type()),
                                          ArrayRef<int64_t>{lanes});
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
Value PointEvaluator::sumOfTerms(ArrayRef<int64_t> coefficients) {
  Value sum;
  for (auto [dim, coefficient] : llvm::enumerate(coefficients)) {
    if (coefficient == 0)
      continue;
    for (auto [value, scale] : positions[dim].terms) {
      int64_t factor = coefficient * scale;
      Value term = factor == 1 ? value : arith::MulIOp::create(builder, loc, value, indexConstant(factor)).getResult();
      sum = sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
    }
  }
  return sum;
}

int64_t PointEvaluator::constantPart(const LinearForm &form, const Point &point) const {
  int64_t constant = form.constant;
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    constant += coefficient * (positions[dim].constant + point[dim]);
  return constant;
}

Value PointEvaluator::address(const LinearForm &form, const Point &point) {
  auto [it, added] = sums.try_emplace({false, form.coefficients});
  if (added)
    it->second = sumOfTerms(form.coefficients);
  int64_t constant = constantPart(form, point);
  if (!it->second)
    return indexConstant(constant);
  return constant == 0 ? it->second
                       : arith::AddIOp::create(builder, loc, it->second, indexConstant(constant)).getResult();
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
  form.constant -= (node.packed->blockStride - node.packed->group) * point[*schedule.vectorDim];
  return form;
}

SmallVector<Position> since(ArrayRef<Position> before, ArrayRef<Position> now) {
  SmallVector<Position> moved;
  for (auto [from, to] : llvm::zip_equal(before, now))
    moved.push_back({{to.terms.begin() + from.terms.size(), to.terms.end()}, to.constant - from.constant, to.size});
  return moved;
}

void PointEvaluator::prefetch(NodeId id, ArrayRef<Position> panel) {
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
      total *= panel[dim].size;
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
  Value part = arith::DivUIOp::create(builder, loc, relative.address(progress, origin), indexConstant(total));
  Value at = arith::AddIOp::create(builder, loc, ahead.address(block, origin), part);
  int64_t stepElements = llvm::divideCeil(points * steps * width, total);
  for (int64_t first = 0; first < stepElements; first += lineBytes / elementBytes) {
    Value line = first == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(first)).getResult();
    memref::PrefetchOp::create(builder, loc, memory, line, /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
  }
}

Value PointEvaluator::fromStorage(Value value, Type elementType) {
  if (!elementType.isInteger(1))
    return value;
  auto zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}

Value PointEvaluator::toStorage(Value value) {
  if (!getElementTypeOrSelf(value).isInteger(1))
    return value;
  Type byte = builder.getI8Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    byte = VectorType::get(vector.getShape(), byte);
  return arith::ExtUIOp::create(builder, loc, byte, value);
}

Value PointEvaluator::loadScalar(const Node &node, Value address) {
  return fromStorage(memref::LoadOp::create(builder, loc, buffers[node.buffer], address), node.type);
}

Value PointEvaluator::loadLanes(const Node &node, Value address, int64_t stride, int64_t lanes) {
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value at = lane == 0 ? address
                         : arith::AddIOp::create(builder, loc, address, indexConstant(lane * stride)).getResult();
    elements.push_back(loadScalar(node, at));
  }
  elements.resize(schedule.lanes, elements.front());
  return vector::FromElementsOp::create(builder, loc, VectorType::get(schedule.lanes, node.type), elements);
}

Value PointEvaluator::loadVector(const Node &node, Value address, int64_t lanes) {
  Value memory = buffers[node.buffer];
  auto type = VectorType::get(schedule.lanes, cast<MemRefType>(memory.getType()).getElementType());
  if (lanes == schedule.lanes)
    return fromStorage(vector::LoadOp::create(builder, loc, type, memory, address), node.type);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return fromStorage(vector::MaskedLoadOp::create(builder, loc, type, memory, address, maskOf(lanes), zero),
                     node.type);
}

Value PointEvaluator::load(const Node &node, const Point &point) {
  if (node.packed) // padded to whole vectors
    return loadVector(node, address(packedForm(node, point), point), schedule.lanes);
  if (node.shared)
    return loadShared(node, point);
  Value at = address(node.address, point);
  if (!isVector(node))
    return loadScalar(node, at);
  int64_t stride = node.address.coefficients[*schedule.vectorDim];
  if (stride == 1)
    return loadVector(node, at, lanesAt(point));
  if (std::optional<unsigned> along = transposedDim(nest, node, *schedule.vectorDim, /*rowDims=*/0);
      along && positions[*along].size > 1 && schedule.lanes <= maxTransposedLanes)
    return loadTransposed(node, point, *along);
  return loadLanes(node, at, stride, lanesAt(point));
}

/// From the square of the block that `point` is in.
Value PointEvaluator::loadTransposed(const Node &node, const Point &point, unsigned along) {
  Point first = point;
  first[along] = llvm::alignDown(point[along], int64_t(schedule.lanes));
  SmallVector<Value> &square = squares[{&node, first}];
  if (square.empty()) {
    int64_t width = std::min<int64_t>(schedule.lanes, positions[along].size - first[along]);
    Point from = first;
    for (; std::ssize(square) < lanesAt(point); ++from[*schedule.vectorDim])
      square.push_back(loadVector(node, address(node.address, from), width));
    square.resize(schedule.lanes, square.front());
    square = transposeLanes(builder, loc, std::move(square));
  }
  return square[point[along] - first[along]];
}

/// One group, repeated in all lanes.
Value PointEvaluator::loadSharedGroup(const Node &node, const Point &point) {
  unsigned dim = *schedule.dotDim;
  Value memory = buffers[node.buffer], at = address(node.address, point);
  int64_t left = positions[dim].size - point[dim];
  auto type = VectorType::get(dotGroup, node.type);
  Value group;
  if (left >= dotGroup) {
    group = vector::LoadOp::create(builder, loc, type, memory, at);
  } else {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(node.type));
    SmallVector<Value> bytes(dotGroup, zero);
    for (int64_t number = 0; number < left; ++number) {
      Value from = number == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(number)).getResult();
      bytes[number] = loadScalar(node, from);
    }
    group = vector::FromElementsOp::create(builder, loc, type, bytes);
  }
  Value word = vector::BitCastOp::create(builder, loc, VectorType::get(1, builder.getI32Type()), group);
  Value repeated = vector::BroadcastOp::create(builder, loc, VectorType::get(schedule.lanes, builder.getI32Type()),
                                               vector::ExtractOp::create(builder, loc, word, 0));
  return vector::BitCastOp::create(builder, loc, VectorType::get(dotGroup * schedule.lanes, node.type), repeated);
}

Value PointEvaluator::loadGroup(NodeId id, const Point &point) {
  const Node &node = nest.nodes[id];
  LinearForm form = node.packed ? packedForm(node, point) : node.address;
  // Windows overlap: a group that ends early for one point may be whole for another.
  int64_t bytes = node.packed ? dotGroup : std::min(dotGroup, positions[*schedule.dotDim].size - point[*schedule.dotDim]);
  Value &group = groups[{id, constantPart(form, point), bytes}];
  if (!group && node.packed)
    group = vector::LoadOp::create(builder, loc, VectorType::get(dotGroup * schedule.lanes, node.type), buffers[node.buffer],
                                   address(form, point));
  else if (!group)
    group = loadSharedGroup(node, point);
  return group;
}

Value PointEvaluator::gather(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  SmallVector<Value> indices;
  bool uniform = true;
  for (NodeId operand : node.operands) {
    indices.push_back(evaluate(operand, point, accumulators));
    uniform &= !isa<VectorType>(indices.back().getType());
  }
  int64_t laneStride = schedule.vectorDim ? node.address.coefficients[*schedule.vectorDim] : 0;
  auto addressOf = [&](int64_t lane) {
    Value at = address(node.address, point);
    if (lane * laneStride != 0)
      at = arith::AddIOp::create(builder, loc, at, indexConstant(lane * laneStride));
    for (auto [index, stride] : llvm::zip_equal(indices, node.strides)) {
      Value scalar = index;
      if (isa<VectorType>(index.getType()))
        scalar = vector::ExtractOp::create(builder, loc, index, lane);
      Value scaled = arith::MulIOp::create(builder, loc, scalar, indexConstant(stride));
      at = arith::AddIOp::create(builder, loc, at, scaled);
    }
    return at;
  };
  if (!isVector(node))
    return loadScalar(node, addressOf(0));
  if (uniform && laneStride == 1)
    return loadVector(node, addressOf(0), lanesAt(point));
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanesAt(point); ++lane)
    elements.push_back(loadScalar(node, addressOf(lane)));
  elements.resize(schedule.lanes, elements.front());
  return vector::FromElementsOp::create(builder, loc, VectorType::get(schedule.lanes, node.type), elements);
}

Value PointEvaluator::indexValue(const Node &node, const Point &point) {
  Value first = address(node.address, point);
  if (!isVector(node))
    return first;
  SmallVector<int64_t> steps;
  for (int64_t lane = 0; lane < schedule.lanes; ++lane)
    steps.push_back(lane * node.address.coefficients[*schedule.vectorDim]);
  auto type = VectorType::get(schedule.lanes, builder.getIndexType());
  Value lanes = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, [&] {
                                            SmallVector<APInt> values;
                                            for (int64_t step : steps)
                                              values.push_back(APInt(64, step, /*isSigned=*/true));
                                            return values;
                                          }()));
  return arith::AddIOp::create(builder, loc, asVector(first), lanes);
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
std::optional<int64_t> PointEvaluator::elementKey(const Node &node, const Point &point) const {
  if (node.packed || (isVector(node) && lanesAt(point) != schedule.lanes))
    return std::nullopt;
  int64_t key = constantPart(node.address, point);
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
    if (std::optional<int64_t> key = elementKey(node, point)) {
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
  Value memory = buffers[output.buffer];
  Value at = address(output.address, point);
  int64_t stride = schedule.vectorDim ? output.address.coefficients[*schedule.vectorDim] : 0;
  bool perPoint = schedule.vectorDim && !nest.dims[*schedule.vectorDim].reduction;
  if (!perPoint) {
    memref::StoreOp::create(builder, loc, value, memory, at);
    return;
  }
  value = asVector(value);
  int64_t lanes = lanesAt(point);
  if (stride == 1 && lanes == schedule.lanes) {
    vector::StoreOp::create(builder, loc, value, memory, at);
    return;
  }
  if (stride == 1) {
    vector::MaskedStoreOp::create(builder, loc, memory, at, maskOf(lanes), value);
    return;
  }
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value to = lane == 0 ? at : arith::AddIOp::create(builder, loc, at, indexConstant(lane * stride)).getResult();
    Value element = vector::ExtractOp::create(builder, loc, value, lane);
    memref::StoreOp::create(builder, loc, element, memory, to);
  }
}

} // namespace cameo::schedule
