// F(2,3) interpolates at 0, 1, -1 and infinity, F(4,3) also at 2 and -2: Lavin and Gray, Fast Algorithms for Convolutional
// Neural Networks, 2015. Points of opposite sign make rows and columns that share half of their additions.
#include "passes/Schedule/WinogradTransform.h"

#include "mlir/IR/Builders.h"

#include <numeric>
#include <utility>

using namespace mlir;

namespace cameo::schedule {

const WinogradTransform *winogradTransform(int64_t outputs) {
  // clang-format off
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
  static const WinogradTransform four = {
      {6, 6, 1, {4,  0, -5,  0, 1, 0,
                 0, -4, -4,  1, 1, 0,
                 0,  4, -4, -1, 1, 0,
                 0, -2, -1,  2, 1, 0,
                 0,  2, -1, -2, 1, 0,
                 0,  4,  0, -5, 0, 1}},
      {6, 3, 24, { 6,  0,  0,
                  -4, -4, -4,
                  -4,  4, -4,
                   1,  2,  4,
                   1, -2,  4,
                   0,  0, 24}},
      {4, 6, 1, {1, 1,  1, 1,  1, 0,
                 0, 1, -1, 2, -2, 0,
                 0, 1,  1, 4,  4, 0,
                 0, 1, -1, 8, -8, 1}}};
  // clang-format on
  return outputs == 2 ? &two : outputs == 4 ? &four : nullptr;
}

namespace {

using Row = SmallVector<int64_t>;

class Product {
public:
  Product(LoopNest &nest, const RationalMatrix &matrix, ArrayRef<NodeId> values, const ScalarOps &ops)
      : nest(nest), ops(ops), values(values) {
    assert(matrix.denominator == 1 && "only the filter is divided");
    for (int64_t row = 0; row < matrix.rows; ++row)
      rows.emplace_back(ArrayRef(matrix.entries).slice(row * matrix.columns, matrix.columns));
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

  NodeId scaled(NodeId value, int64_t factor) {
    if (factor == 1)
      return value;
    Type type = nest.nodes[value].type;
    Node node{Node::Kind::Constant, type};
    node.constant = FloatAttr::get(type, static_cast<double>(factor));
    return apply(ops.multiply, value, addNode(nest, std::move(node)));
  }

  NodeId plus(NodeId sum, NodeId value, int64_t factor) {
    if (factor == -1)
      return apply(ops.subtract, sum, value);
    return apply(ops.add, sum, scaled(value, factor));
  }

  NodeId combine(ArrayRef<int64_t> row) {
    unsigned first = llvm::find(row, 1) - row.begin();
    if (first == row.size())
      first = llvm::find_if(row, [](int64_t factor) { return factor != 0; }) - row.begin();
    NodeId sum = scaled(values[first], row[first]);
    for (unsigned column = row.size(); column-- > 0;)
      if (column != first && row[column] != 0)
        sum = plus(sum, values[column], row[column]);
    return sum;
  }

  /// x and y that appear everywhere as c * (x + y) or c * (x - y) become the sum and the difference.
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

  /// Two rows e + o and e - o share e and o.
  void shareRows(unsigned upper, unsigned lower, SmallVectorImpl<NodeId> &results) {
    Row even(values.size()), odd(values.size());
    int64_t factor = 0;
    bool isShared = false;
    for (unsigned column = 0; column < values.size(); ++column) {
      int64_t above = rows[upper][column], below = rows[lower][column];
      if (std::abs(above) != std::abs(below))
        return;
      (above == below ? even : odd)[column] = above;
      isShared |= above == below && above != 0;
      if (above != below)
        factor = std::gcd(factor, above);
    }
    if (!isShared || factor == 0)
      return;
    for (int64_t &coefficient : odd)
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
