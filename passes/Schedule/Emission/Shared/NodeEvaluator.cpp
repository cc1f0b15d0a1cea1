#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"

#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace cameo::schedule {

SmallVector<Position> since(ArrayRef<Position> before, ArrayRef<Position> now) {
  SmallVector<Position> moved;
  for (auto [from, to] : llvm::zip_equal(before, now))
    moved.push_back(
        {{to.terms.begin() + from.terms.size(), to.terms.end()}, to.constant - from.constant, to.size, to.length});
  return moved;
}

Value NodeEvaluator::indexConstant(const Size &value) {
  Value &constant = constants[value];
  if (!constant)
    constant = createSize(builder, loc, value);
  return constant;
}

/// Returns the part of an address that depends on the variables of outer loops; all points of the block share it.
Value NodeEvaluator::sumOfTerms(ArrayRef<Size> coefficients) {
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

Size NodeEvaluator::constantPart(const LinearForm &form, const Point &point) const {
  Size constant = form.constant;
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    if (coefficient != 0)
      constant += coefficient * (positions[dim].constant + point[dim]);
  return constant;
}

/// Returns the constant term of `size`.
static int64_t knownPart(const Size &size) {
  if (size.isKnown())
    return size;
  SmallVector<DimTerm, 2> terms = getTerms(size.exact());
  auto *number = llvm::find_if(terms, [](const DimTerm &term) { return !term.product; });
  return number == terms.end() ? 0 : number->coefficient;
}

Value NodeEvaluator::address(const LinearForm &form, const Point &point, Value further) {
  Size constant = constantPart(form, point), known = knownPart(constant), counted = constant - known;
  auto add = [&](Value sum, const Size &size) -> Value {
    if (!sum)
      return indexConstant(size);
    return size == 0 ? sum : arith::AddIOp::create(builder, loc, sum, indexConstant(size)).getResult();
  };
  // Points whose addresses differ by a constant share the sum, because instructions have an immediate offset.
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

Value NodeEvaluator::fromStorage(Value value, Type elementType) {
  if (!elementType.isInteger(1))
    return value;
  auto zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
}

Value NodeEvaluator::loadScalar(const Node &node, Value address) {
  return fromStorage(memref::LoadOp::create(builder, loc, buffers[node.buffer], address), node.type);
}

Value NodeEvaluator::toStorage(Value value) {
  if (!getElementTypeOrSelf(value).isInteger(1))
    return value;
  Type byte = builder.getI8Type();
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    byte = VectorType::get(vector.getShape(), byte);
  return arith::ExtUIOp::create(builder, loc, byte, value);
}

std::optional<Size> NodeEvaluator::elementKey(const Node &node, const Point &point) const {
  return node.shared ? std::nullopt : std::optional(constantPart(node.address, point));
}

Value NodeEvaluator::load(const Node &node, const Point &point) {
  Value at = address(node.address, point);
  if (node.shared) {
    Value inRun =
        arith::RemSIOp::create(builder, loc, address(node.shared->position, point), indexConstant(node.shared->length));
    at = arith::SubIOp::create(builder, loc, at, inRun);
  }
  return loadScalar(node, at);
}

Value NodeEvaluator::gather(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  Value further;
  for (auto [operand, stride] : llvm::zip_equal(node.operands, node.strides)) {
    Value scaled = arith::MulIOp::create(builder, loc, evaluate(operand, point, accumulators), indexConstant(stride));
    further = further ? arith::AddIOp::create(builder, loc, further, scaled).getResult() : scaled;
  }
  return loadScalar(node, address(node.address, point, further));
}

Value NodeEvaluator::indexValue(const Node &node, const Point &point) { return address(node.address, point); }

Value NodeEvaluator::applyTo(const Node &node, ValueRange operands, Type type) {
  OperationState state(loc, node.op->getName(), operands, type, node.op->getAttrDictionary().getValue());
  return builder.create(state)->getResult(0);
}

Value NodeEvaluator::apply(const Node &node, const Point &point, ArrayRef<Value> accumulators) {
  auto operands =
      llvm::map_to_vector(node.operands, [&](NodeId operand) { return evaluate(operand, point, accumulators); });
  return applyTo(node, operands, node.type);
}

/// Returns `point` with the offsets cleared on which the node does not depend.
Point NodeEvaluator::relevantPart(NodeId id, const Point &point) const {
  const Node &node = nest.nodes[id];
  Point relevant = point;
  for (auto [dim, offset] : llvm::enumerate(relevant))
    if (!((node.dependsOn >> dim) & 1) && !node.usesAccumulator)
      offset = 0;
  return relevant;
}

void NodeEvaluator::define(NodeId id, const Point &point, Value value) {
  values[{id, relevantPart(id, point)}] = value;
}

Value NodeEvaluator::evaluate(NodeId id, const Point &point, ArrayRef<Value> accumulators) {
  const Node &node = nest.nodes[id];
  if (node.kind == Node::Kind::Accumulator)
    return accumulators[node.accumulator];
  if (node.kind == Node::Kind::Load) {
    // Windows overlap, so loads are keyed by element instead of point.
    if (std::optional<Size> key = elementKey(node, point)) {
      Value &value = loads[{id, *key}];
      if (!value)
        value = load(node, point);
      return value;
    }
  }
  Point relevant = relevantPart(id, point);
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

void NodeEvaluator::store(const Output &output, const Point &point, ArrayRef<Value> accumulators) {
  Value value = toStorage(evaluate(output.value, point, accumulators)), further;
  if (output.index)
    further =
        arith::MulIOp::create(builder, loc, evaluate(*output.index, point, accumulators), indexConstant(output.stride));
  memref::StoreOp::create(builder, loc, value, buffers[output.buffer], address(output.address, point, further));
}

} // namespace cameo::schedule
