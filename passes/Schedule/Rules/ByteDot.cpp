#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

template <typename... OpTys> bool applies(const Node &node) {
  return node.kind == Node::Kind::Apply && isa<OpTys...>(node.op);
}

/// Returns the value of an integer constant node.
std::optional<int64_t> constantOf(const Node &node) {
  auto number = node.kind == Node::Kind::Constant ? dyn_cast<IntegerAttr>(node.constant) : IntegerAttr();
  return number ? std::optional(number.getInt()) : std::nullopt;
}

/// Whether `node` is zero; index constants are Index nodes.
bool isZero(const LoopNest &nest, const Node &node) {
  return node.kind == Node::Kind::Index ? node.address == LinearForm(nest.dims.size()) : constantOf(node) == 0;
}

/// Returns the byte that node `id` extends to i32.
std::optional<ByteFactor> matchFactor(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  if (!applies<arith::ExtSIOp, arith::ExtUIOp>(node))
    return std::nullopt;
  const Node &load = nest.nodes[node.operands[0]];
  if (load.kind != Node::Kind::Load || !load.type.isInteger(8))
    return std::nullopt;
  return ByteFactor{node.operands[0], isa<arith::ExtSIOp>(node.op)};
}

/// Returns the bits of a byte that node `id` extracts, or the whole byte: (i32(byte) >> shift) & mask.
std::optional<ByteFactor> matchPart(const LoopNest &nest, NodeId id) {
  int64_t shift = 0, mask = 255;
  if (const Node &node = nest.nodes[id]; applies<arith::AndIOp>(node)) {
    mask = constantOf(nest.nodes[node.operands[1]]).value_or(0);
    id = node.operands[0];
  }
  if (const Node &node = nest.nodes[id]; applies<arith::ShRUIOp>(node)) {
    shift = constantOf(nest.nodes[node.operands[1]]).value_or(-1);
    id = node.operands[0];
  }
  std::optional<ByteFactor> factor = matchFactor(nest, id);
  if (!factor || (factor->isSigned && (shift != 0 || mask != 255)) || shift < 0 || shift > 7 || !llvm::isMask_64(mask))
    return std::nullopt;
  factor->shift = shift;
  factor->bits = std::min<int64_t>(llvm::countr_one(uint64_t(mask)), 8 - shift);
  return factor;
}

/// Whether the byte varies along the vector dimension.
bool varies(const LoopNest &nest, const ByteFactor &factor, unsigned vectorDim) {
  return nest.nodes[factor.load].address.coefficients[vectorDim] != 0;
}

/// Collects the products that node `id` adds up.
class ProductSum {
public:
  ProductSum(const LoopNest &nest, unsigned vectorDim) : nest(nest), vectorDim(vectorDim) {}

  std::optional<ByteDot> match(NodeId id) {
    dot.sum = id;
    if (!add(id) || dot.products.empty() ||
        !llvm::all_equal(
            llvm::map_range(dot.products, [](const ByteProduct &product) { return product.varying.load; })))
      return std::nullopt;
    return dot;
  }

private:
  bool add(NodeId id) {
    const Node &node = nest.nodes[id];
    if (applies<arith::AddIOp>(node))
      return add(node.operands[0]) && add(node.operands[1]);
    if (applies<arith::SelectOp>(node) && !dot.start) {
      dot.start = id;
      return true;
    }
    if (!applies<arith::MulIOp>(node) || !node.type.isInteger(32))
      return false;
    for (unsigned side : {0, 1}) {
      std::optional<ByteFactor> shared = matchFactor(nest, node.operands[1 - side]),
                                varying = matchPart(nest, node.operands[side]);
      if (!shared || !varying || varies(nest, *shared, vectorDim) || !varies(nest, *varying, vectorDim))
        continue;
      dot.products.push_back({*shared, *varying});
      return true;
    }
    return false;
  }

  const LoopNest &nest;
  unsigned vectorDim;
  ByteDot dot;
};

/// Returns the integer sum that node `id` converts to a float and scales.
std::optional<NodeId> findScaledSum(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  if (applies<arith::SIToFPOp>(node))
    return node.operands[0];
  if (applies<arith::MulFOp>(node))
    for (NodeId operand : node.operands)
      if (std::optional<NodeId> sum = findScaledSum(nest, operand))
        return sum;
  return std::nullopt;
}

/// Whether a factor of the scaled value `id`, other than the sum, varies along `dim`.
bool isScaleAlong(const LoopNest &nest, NodeId id, NodeId sum, unsigned dim) {
  const Node &node = nest.nodes[id];
  if (id == sum || node.kind == Node::Kind::Accumulator)
    return false;
  if (node.kind != Node::Kind::Apply)
    return (node.dependsOn >> dim) & 1;
  return llvm::any_of(node.operands, [&](NodeId operand) { return isScaleAlong(nest, operand, sum, dim); });
}

/// Whether the select `id` is zero except at the begin of `dim`, where its value does not depend on `dim`.
bool isAtBegin(const LoopNest &nest, NodeId id, unsigned dim) {
  const Node &select = nest.nodes[id];
  const Node &condition = nest.nodes[select.operands[0]], &value = nest.nodes[select.operands[1]];
  if (!applies<arith::CmpIOp>(condition) ||
      cast<arith::CmpIOp>(condition.op).getPredicate() != arith::CmpIPredicate::eq || (value.dependsOn >> dim) & 1)
    return false;
  LinearForm begin(nest.dims.size());
  begin.coefficients[dim] = 1;
  const Node &index = nest.nodes[condition.operands[0]];
  return index.kind == Node::Kind::Index && index.address == begin && isZero(nest, nest.nodes[condition.operands[1]]) &&
         isZero(nest, nest.nodes[select.operands[2]]);
}

std::optional<ByteDot> matchScaledDot(const LoopNest &nest, unsigned vectorDim) {
  if (nest.reductions.size() != 1)
    return std::nullopt;
  const Node &update = nest.nodes[nest.reductions[0].update];
  if (!applies<arith::AddFOp>(update) || !update.type.isF32())
    return std::nullopt;
  for (unsigned side : {0, 1})
    if (nest.nodes[update.operands[1 - side]].kind == Node::Kind::Accumulator)
      if (std::optional<NodeId> sum = findScaledSum(nest, update.operands[side]))
        return ProductSum(nest, vectorDim).match(*sum);
  return std::nullopt;
}

} // namespace

std::optional<std::pair<ByteFactor, ByteFactor>> matchByteProducts(const LoopNest &nest) {
  if (nest.reductions.size() != 1)
    return std::nullopt;
  const Node &update = nest.nodes[nest.reductions[0].update];
  if (update.kind != Node::Kind::Apply || !isa<arith::AddIOp>(update.op) || !update.type.isInteger(32))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    const Node &product = nest.nodes[update.operands[side]];
    bool addsToSum = nest.nodes[update.operands[1 - side]].kind == Node::Kind::Accumulator;
    if (!addsToSum || product.kind != Node::Kind::Apply || !isa<arith::MulIOp>(product.op))
      continue;
    std::optional<ByteFactor> left = matchFactor(nest, product.operands[0]),
                              right = matchFactor(nest, product.operands[1]);
    if (!left || !right)
      return std::nullopt;
    return std::pair(*left, *right);
  }
  return std::nullopt;
}

std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule) {
  if (!schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction)
    return std::nullopt;
  std::optional<std::pair<ByteFactor, ByteFactor>> factors = matchByteProducts(nest);
  if (!factors)
    return matchScaledDot(nest, *schedule.vectorDim);
  auto [left, right] = *factors;
  bool variesLeft = varies(nest, left, *schedule.vectorDim);
  if (variesLeft == varies(nest, right, *schedule.vectorDim))
    return std::nullopt;
  return ByteDot{{variesLeft ? ByteProduct{right, left} : ByteProduct{left, right}}};
}

bool hasGroupsAlong(const LoopNest &nest, const ByteDot &dot, unsigned dim) {
  bool areNeighbours = llvm::all_of(dot.products, [&](const ByteProduct &product) {
    return nest.nodes[product.shared.load].address.coefficients[dim] == 1 &&
           nest.nodes[product.varying.load].address.coefficients[dim] != 0;
  });
  if (!areNeighbours || !nest.dims[dim].reduction || !dot.isScaled())
    return areNeighbours && nest.dims[dim].reduction;
  return !isScaleAlong(nest, nest.reductions[0].update, *dot.sum, dim) &&
         (!dot.start || isAtBegin(nest, *dot.start, dim));
}

bool canMultiply(const Machine &machine, const ByteDot &dot, unsigned lanes) {
  // Each sum has 32 bits.
  if (4 * int64_t(lanes) > machine.vectorBytes)
    return false;
  const auto &[shared, varying] = dot.products.front();
  switch (machine.byteProducts) {
  case ByteProducts::None:
    return false;
  case ByteProducts::Pairs:
  case ByteProducts::UnsignedBySigned:
    return lanes == 4 || lanes == 8 || lanes == 16;
  case ByteProducts::SameSign:
    // Whole bytes of the other signedness are shifted by 128, and the initial value of the sum corrects for it.
    return lanes == 4 && (shared.isSigned == varying.isSigned || (dot.isScaled() && shared.isSigned));
  case ByteProducts::AnySigns:
    return lanes == 4;
  }
  llvm_unreachable("unknown byte products");
}

bool multipliesPairs(const Machine &machine, const ByteDot &dot) {
  const auto &[shared, varying] = dot.products.front();
  return machine.byteProducts == ByteProducts::Pairs ||
         (machine.byteProducts == ByteProducts::UnsignedBySigned && shared.isSigned == varying.isSigned);
}

} // namespace cameo::schedule
