// The construction of Toom and Cook: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015. Points of
// opposite sign yield rows and columns that share half of their additions.
#include "passes/Schedule/Nests/Rewrite/WinogradTransform.h"

#include "mlir/IR/Builders.h"

#include <utility>

using namespace mlir;

namespace cameo::schedule {

const WinogradTransform *winogradTransform(int64_t outputs) {
  // clang-format off
  // Points 0, 1, -1 and infinity.
  static const WinogradTransform two = {
      {4, 4, 1, {1,  0, -1,  0,
                 0,  1,  1,  0,
                 0, -1,  1,  0,
                 0,  1,  0, -1}},
      {4, 3, 2, {2,  0, 0,
                 1,  1, 1,
                 1, -1, 1,
                 0,  0, 2}},
      {2, 4, 1, {1, 1,  1,  0,
                 0, 1, -1, -1}}};
  // Points 0, 3/4, -3/4, 3/2, -3/2 and infinity: half the error of 0, 1, -1, 2, -2
  // (passes/Schedule/Nests/RATIONALE.md).
  static const WinogradTransform four = {
      {6, 6, 64, {81,    0, -180,    0, 64,  0,
                   0, -108, -144,   48, 64,  0,
                   0,  108, -144,  -48, 64,  0,
                   0,  -54,  -36,   96, 64,  0,
                   0,   54,  -36,  -96, 64,  0,
                   0,   81,    0, -180,  0, 64}},
      {6, 3, 243, { 192,   0,   0,
                   -128, -96, -72,
                   -128,  96, -72,
                     32,  48,  72,
                     32, -48,  72,
                      0,   0, 243}},
      {4, 6, 64, {64, 64,  64,  64,   64,  0,
                   0, 48, -48,  96,  -96,  0,
                   0, 36,  36, 144,  144,  0,
                   0, 27, -27, 216, -216, 64}}};
  // clang-format on
  return outputs == 2 ? &two : outputs == 4 ? &four : nullptr;
}

namespace {

using Row = SmallVector<double>; ///< multiples of powers of two, so that arithmetic on them is exact

class Product {
public:
  Product(LoopNest &nest, const RationalMatrix &matrix, ArrayRef<NodeId> values, const ScalarOps &ops)
      : nest(nest), ops(ops), values(values) {
    for (int64_t row = 0; row < matrix.rows; ++row)
      for (int64_t column = 0; column < matrix.columns; ++column)
        (column == 0 ? rows.emplace_back() : rows.back()).push_back(matrix.at(row, column));
  }

  SmallVector<NodeId> run() {
    for (unsigned left = 0; left < values.size(); ++left)
      for (unsigned right = left + 1; right < values.size(); ++right)
        if (shareColumns(left, right))
          break;
    SmallVector<NodeId> results(rows.size(), -1);
    for (unsigned upper = 0; upper < rows.size(); ++upper)
      for (unsigned lower = upper + 1; lower < rows.size() && results[upper] < 0; ++lower)
        shareRows(upper, lower, results);
    for (auto [number, row] : llvm::enumerate(rows))
      if (results[number] < 0)
        results[number] = combine(row);
    return results;
  }

private:
  NodeId apply(Operation *op, NodeId left, NodeId right) {
    Node node{Node::Kind::Apply, nest.nodes[left].type};
    node.op = op;
    node.operands = {left, right};
    return addNode(nest, std::move(node));
  }

  NodeId scaled(NodeId value, double factor) {
    if (factor == 1)
      return value;
    Type type = nest.nodes[value].type;
    Node node{Node::Kind::Constant, type};
    node.constant = FloatAttr::get(type, factor);
    return apply(ops.multiply, value, addNode(nest, std::move(node)));
  }

  NodeId plus(NodeId sum, NodeId value, double factor) {
    if (factor == -1)
      return apply(ops.subtract, sum, value);
    return apply(ops.add, sum, scaled(value, factor));
  }

  NodeId combine(ArrayRef<double> row) {
    unsigned first = llvm::find(row, 1.0) - row.begin();
    if (first == row.size())
      first = llvm::find_if(row, [](double factor) { return factor != 0; }) - row.begin();
    NodeId sum = scaled(values[first], row[first]);
    for (unsigned column = row.size(); column-- > 0;)
      if (column != first && row[column] != 0)
        sum = plus(sum, values[column], row[column]);
    return sum;
  }

  /// If x and y appear in every row only as c * (x + y) or c * (x - y), replaces them by their sum and difference.
  bool shareColumns(unsigned left, unsigned right) {
    unsigned equal = 0, opposite = 0;
    for (const Row &row : rows) {
      if (std::abs(row[left]) != std::abs(row[right]))
        return false;
      if (row[left] != 0)
        ++(row[left] == row[right] ? equal : opposite);
    }
    if (equal == 0 || opposite == 0)
      return false;
    for (Row &row : rows)
      if (std::exchange(row[right], row[left] == row[right] ? 0 : row[left]) != row[left])
        row[left] = 0;
    NodeId sum = apply(ops.add, values[left], values[right]);
    values[right] = apply(ops.subtract, values[left], values[right]);
    values[left] = sum;
    return true;
  }

  /// Computes two rows of the form e + o and e - o from e and o.
  void shareRows(unsigned upper, unsigned lower, SmallVectorImpl<NodeId> &results) {
    Row even(values.size()), odd(values.size());
    double factor = 0;
    bool isShared = false;
    for (unsigned column = 0; column < values.size(); ++column) {
      double above = rows[upper][column], below = rows[lower][column];
      if (std::abs(above) != std::abs(below))
        return;
      (above == below ? even : odd)[column] = above;
      isShared |= above == below && above != 0;
      if (above != below)
        factor = above; // the last one: the odd row then has an entry of one
    }
    if (!isShared || factor == 0)
      return;
    for (double &coefficient : odd)
      coefficient /= factor;
    NodeId sum = combine(even), difference = combine(odd);
    results[upper] = plus(sum, difference, factor);
    results[lower] = plus(sum, difference, -factor);
  }

  LoopNest &nest;
  const ScalarOps &ops;
  SmallVector<NodeId> values;
  std::vector<Row> rows;
};

} // namespace

SmallVector<NodeId> applyMatrix(LoopNest &nest, const RationalMatrix &matrix, ArrayRef<NodeId> values,
                                const ScalarOps &ops) {
  return Product(nest, matrix, values, ops).run();
}

} // namespace cameo::schedule
