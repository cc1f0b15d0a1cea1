#include "passes/Schedule/Nests/Attention.h"

#include "passes/Schedule/Nests/AlikeDimensions.h"
#include "passes/Schedule/Nests/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::schedule {

int64_t Attention::heads() const {
  int64_t points = 1;
  for (const Pair &pair : outer)
    points *= int64_t(scores.dims[pair.ofScores].extent);
  return points;
}

namespace {

bool isAlone(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

/// Returns the operands of node `id` if it applies the operation `OpTy`, or an empty list.
template <typename OpTy> ArrayRef<NodeId> operandsOf(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  return node.kind == Node::Kind::Apply && isa<OpTy>(node.op) ? ArrayRef<NodeId>(node.operands) : ArrayRef<NodeId>();
}

/// Returns the operand of node `id` if it is the float conversion `OpTy`, or `id` itself.
template <typename OpTy> NodeId throughConversion(const LoopNest &nest, NodeId id) {
  ArrayRef<NodeId> operands = operandsOf<OpTy>(nest, id);
  return operands.empty() ? id : operands.front();
}

/// Returns node `id` if it is a load that is neither shared nor transformed, or null.
const Node *loadAt(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  return node.kind == Node::Kind::Load && !node.shared && node.transforms.empty() ? &node : nullptr;
}

bool isConstant(const LoopNest &nest, NodeId id, function_ref<bool(const APFloat &)> holds) {
  const Node &node = nest.nodes[id];
  auto number = node.kind == Node::Kind::Constant ? dyn_cast<FloatAttr>(node.constant) : FloatAttr();
  return number && holds(number.getValue());
}

/// Returns the value that the only reduction of `nest` combines in each step, if it is a float32 reduction of `kind`
/// that starts from the identity.
std::optional<NodeId> combined(const LoopNest &nest, vector::CombiningKind kind) {
  if (nest.reductions.size() != 1 || matchCombiningKind(nest, 0) != kind)
    return std::nullopt;
  const auto &[initial, updateId] = nest.reductions.front();
  const Node &update = nest.nodes[updateId];
  bool isFresh = isConstant(nest, initial, [&](const APFloat &number) {
    return kind == vector::CombiningKind::ADD ? number.isZero() : number.isInfinity() && number.isNegative();
  });
  if (!isFresh || !update.type.isF32())
    return std::nullopt;
  return nest.nodes[update.operands[0]].kind == Node::Kind::Accumulator ? update.operands[1] : update.operands[0];
}

bool storesAccumulator(const LoopNest &nest) {
  return nest.outputs.size() == 1 && !nest.outputs[0].index &&
         nest.nodes[nest.outputs[0].value].kind == Node::Kind::Accumulator;
}

/// Matches the four nests of a softmax over rows: the maximum of a row, the exponentials of the differences from it,
/// their sum, and each exponential divided by the sum.
class Softmax {
public:
  /// Whether `group` is a softmax. If so, `source` and `result` are set.
  bool match(const NestGroup &group);

  const Node *source = nullptr; ///< the load of the softmax input in the second nest; its address is that of the result
  const Output *result = nullptr;

private:
  bool matchMaximum(const LoopNest &nest);
  bool matchExponential(const LoopNest &nest);
  bool matchSum(const LoopNest &nest);
  bool matchQuotient(const LoopNest &nest);

  const Node *reduced = nullptr;
  const Output *maximum = nullptr, *exponential = nullptr, *sum = nullptr;
};

/// Whether `load` reads the element that `stored` writes at the same point of the iteration space.
bool reads(const Node *load, const Output *stored) {
  return load && load->buffer == stored->buffer && load->address == stored->address;
}

bool Softmax::matchMaximum(const LoopNest &nest) {
  std::optional<NodeId> each = combined(nest, vector::CombiningKind::MAXIMUMF);
  if (!each || !storesAccumulator(nest))
    return false;
  reduced = loadAt(nest, throughConversion<arith::ExtFOp>(nest, *each));
  maximum = &nest.outputs.front();
  return reduced;
}

bool Softmax::matchExponential(const LoopNest &nest) {
  if (nest.hasReduction() || nest.outputs.size() != 1 || nest.outputs[0].index)
    return false;
  exponential = &nest.outputs.front();
  ArrayRef<NodeId> power = operandsOf<math::ExpOp>(nest, exponential->value);
  ArrayRef<NodeId> less = power.empty() ? power : operandsOf<arith::SubFOp>(nest, power.front());
  if (less.empty() || !reads(loadAt(nest, less[1]), maximum))
    return false;
  source = loadAt(nest, throughConversion<arith::ExtFOp>(nest, less[0]));
  return source && source->buffer == reduced->buffer && source->address == reduced->address;
}

bool Softmax::matchSum(const LoopNest &nest) {
  std::optional<NodeId> each = combined(nest, vector::CombiningKind::ADD);
  if (!each || !storesAccumulator(nest) || !reads(loadAt(nest, *each), exponential))
    return false;
  sum = &nest.outputs.front();
  return true;
}

bool Softmax::matchQuotient(const LoopNest &nest) {
  if (nest.hasReduction() || nest.outputs.size() != 1 || nest.outputs[0].index)
    return false;
  result = &nest.outputs.front();
  ArrayRef<NodeId> quotient = operandsOf<arith::DivFOp>(nest, throughConversion<arith::TruncFOp>(nest, result->value));
  return !quotient.empty() && reads(loadAt(nest, quotient[0]), exponential) && reads(loadAt(nest, quotient[1]), sum) &&
         result->address == source->address;
}

bool Softmax::match(const NestGroup &group) {
  auto isOfRow = [&](const LoopNest &nest) {
    return nest.dims.size() == group.rowDims + 1 && nest.dims.back().extent == group.nests[0].dims.back().extent;
  };
  return group.rowDims > 0 && group.orderedDims == 0 && group.nests.size() == 4 && llvm::all_of(group.nests, isOfRow) &&
         matchMaximum(group.nests[0]) && matchExponential(group.nests[1]) && matchSum(group.nests[2]) &&
         matchQuotient(group.nests[3]);
}

/// Whether `nest` sums products in float32 whose factors are the loaded f16, bf16 or f32 elements.
bool addsFloats(const LoopNest &nest, const Contraction &product) {
  std::optional<NodeId> added = combined(nest, vector::CombiningKind::ADD);
  if (!added || nest.outputs.size() != 1 || nest.outputs[0].index)
    return false;
  ArrayRef<NodeId> factors = operandsOf<arith::MulFOp>(nest, *added);
  return !factors.empty() && llvm::all_of(factors, [&](NodeId factor) {
    NodeId load = throughConversion<arith::ExtFOp>(nest, factor);
    Type type = nest.nodes[load].type;
    return (load == product.left || load == product.right) && (type.isF16() || type.isBF16() || type.isF32());
  });
}

/// Returns `product` with its operands swapped.
Contraction turnAround(Contraction product) {
  std::swap(product.left, product.right);
  std::swap(product.rows, product.columns);
  return product;
}

class AttentionFinder {
public:
  AttentionFinder(const TaskProgram &program, size_t last)
      : program(program), last(last), scores(program.groups[last - 2].nests.front()),
        values(program.groups[last].nests.front()) {}

  std::optional<Attention> find();

private:
  bool isPrivate(unsigned buffer, size_t writer) const;
  bool isByRow(const LinearForm &form) const;
  bool pairDims(Attention &found) const;

  const TaskProgram &program;
  size_t last;
  LoopNest scores, values;
  NodeId weights = 0; ///< the load of the weights in `values`
};

/// Whether only group number `writer` stores to `buffer` and only the next group reads it.
bool AttentionFinder::isPrivate(unsigned buffer, size_t writer) const {
  if (!program.buffers[buffer].isScratch())
    return false;
  for (auto [number, group] : llvm::enumerate(program.groups))
    for (const LoopNest &nest : group.nests)
      for (const Output &output : nest.outputs)
        if (output.buffer == buffer && number != writer)
          return false;
  for (auto [number, group] : llvm::enumerate(program.groups))
    for (const LoopNest &nest : group.nests)
      for (const Node &node : nest.nodes)
        if (node.reads(buffer) && number != writer + 1)
          return false;
  return true;
}

/// Whether `form` addresses a row-major matrix with one row of all keys: one stride is 1, all others are multiples of
/// the number of keys.
bool AttentionFinder::isByRow(const LinearForm &form) const {
  int64_t keys = program.groups[last - 1].nests.front().dims.back().extent;
  return form.constant == 0 && llvm::count(form.coefficients, Size(1)) == 1 &&
         llvm::all_of(form.coefficients, [&](const Size &each) { return each == 1 || int64_t(each) % keys == 0; });
}

/// Pairs each parallel dimension of the scores with the dimension of the values that has the same stride in the
/// weights.
bool AttentionFinder::pairDims(Attention &found) const {
  const LinearForm &stored = scores.outputs[0].address, &read = values.nodes[weights].address;
  SmallVector<Attention::Pair> pairs;
  for (unsigned mine = 0; mine < scores.dims.size(); ++mine) {
    if (scores.dims[mine].reduction)
      continue;
    unsigned matches = 0;
    for (unsigned theirs = 0; theirs < values.dims.size(); ++theirs)
      if (stored.coefficients[mine] != 0 && stored.coefficients[mine] == read.coefficients[theirs] &&
          scores.dims[mine].extent == values.dims[theirs].extent) {
        pairs.push_back({mine, theirs});
        ++matches;
      }
    if (matches != 1)
      return false;
  }
  if (scores.dims.size() != pairs.size() + 1 || values.dims.size() != pairs.size() + 1 ||
      found.query.depth.size() != 1 || found.query.columns.size() != 1 || found.value.depth.size() != 1 ||
      found.value.columns.size() != 1 || found.query.rows.empty())
    return false;
  found.depth = found.query.depth[0];
  found.feature = found.value.columns[0];
  // Of several row dimensions, take the longest one: every point of the other ones has keys of its own for the block.
  unsigned row = *llvm::max_element(found.query.rows, [&](unsigned a, unsigned b) {
    return int64_t(scores.dims[a].extent) < int64_t(scores.dims[b].extent);
  });
  bool hasKey = false;
  for (const Attention::Pair &pair : pairs) {
    bool isKey = values.dims[pair.ofValues].reduction;
    if (isKey != (pair.ofScores == found.query.columns[0]))
      return false;
    if (isKey)
      found.key = pair;
    else if (pair.ofScores == row)
      found.row = pair;
    else
      found.outer.push_back(pair);
    hasKey |= isKey;
  }
  // All rows of a block read the same values.
  return hasKey && !values.nodes[found.value.right].address.dependsOn(found.row.ofValues);
}

std::optional<Attention> AttentionFinder::find() {
  Softmax softmax;
  if (!scores.hasKnownSizes() || !values.hasKnownSizes() || !softmax.match(program.groups[last - 1]))
    return std::nullopt;
  std::optional<Contraction> query = findContraction(scores), value = findContraction(values);
  if (!query || !value || !addsFloats(scores, *query) || !addsFloats(values, *value))
    return std::nullopt;
  if (values.nodes[value->right].buffer == softmax.result->buffer)
    value = turnAround(*value);
  weights = value->left;
  unsigned scoreBuffer = scores.outputs[0].buffer;
  if (softmax.source->buffer != scoreBuffer || values.nodes[weights].buffer != softmax.result->buffer ||
      !isPrivate(scoreBuffer, last - 2) || !isPrivate(softmax.result->buffer, last - 1) ||
      !isByRow(softmax.source->address) || !isByRow(scores.outputs[0].address) ||
      !isByRow(values.nodes[weights].address) || !divideAlike(scores, values, weights))
    return std::nullopt;
  query = findContraction(scores);
  value = findContraction(values);
  const LinearForm &stored = scores.outputs[0].address;
  if (llvm::any_of(query->rows, [&](unsigned dim) { return stored.coefficients[dim] == 1; }))
    query = turnAround(*query);
  if (value->left != weights)
    value = turnAround(*value);
  Attention found{scores, values, *query, *value, {}, {}, {}, 0, 0, scoreBuffer, softmax.result->buffer};
  int64_t keys = program.groups[last - 1].nests.front().dims.back().extent;
  return pairDims(found) && found.keys() == keys ? std::optional(std::move(found)) : std::nullopt;
}

} // namespace

std::optional<Attention> findAttention(const TaskProgram &program, size_t last) {
  if (last < attentionGroups - 1 || last >= program.groups.size() || !isAlone(program.groups[last]) ||
      !isAlone(program.groups[last - 2]))
    return std::nullopt;
  return AttentionFinder(program, last).find();
}

} // namespace cameo::schedule
