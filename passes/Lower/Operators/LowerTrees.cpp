// TreeEnsemble: all trees of all rows descend together, one level per step, without branches.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {
namespace {

enum Table { X, Features, Splits, TrueNodes, FalseNodes, MissingTrue, Roots, LeafValues };
enum Aggregate { Average, Sum, Least, Greatest };

/// Returns the node after `node` (i32). A leaf is its own successor.
Value nextNode(ScalarBuilder &s, Operands tables, Value row, Value node) {
  Dim nodes = shapeOf(tables[Features])[0], columns = shapeOf(tables[X])[1];
  Value isLeaf = s.compare(Order::GreaterOrEqual, s.toIndex(node), s.size(nodes));
  Value at = s.clampIndex(s.toIndex(node), nodes);
  Value column = s.clampIndex(s.toIndex(s.extract(tables[Features], at)), columns);
  Value x = s.widen(s.extract(tables[X], {row, column})), split = s.widen(s.extract(tables[Splits], at));
  Value isTrue = s.compare(Order::LessOrEqual, x, split);
  if (tables[MissingTrue])
    isTrue = s.logicalOr(isTrue, s.logicalAnd(s.isNaN(x), s.extract(tables[MissingTrue], at)));
  Value next = s.select(isTrue, s.extract(tables[TrueNodes], at), s.extract(tables[FalseNodes], at));
  return s.select(isLeaf, node, next);
}

/// Returns the leaf of each row and tree, as number of a node.
Value findLeaves(GenericBuilder &b, Operands tables, int64_t depth) {
  Type i32 = b.getI32Type();
  Shape shape = {shapeOf(tables[X])[0], shapeOf(tables[Roots])[0]};
  Value roots = b.map(shape, i32, {{tables[Roots], {b.dim(1)}}}, [](ScalarBuilder &, ValueRange x) { return x[0]; });
  if (depth == 0)
    return roots;
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  Value end = arith::ConstantIndexOp::create(b, depth);
  auto loop =
      scf::ForOp::create(b, zero, end, one, roots, [&](OpBuilder &builder, Location loc, Value, ValueRange nodes) {
        GenericBuilder inner(loc, builder);
        Value next = inner.map(shape, i32, {inner.whole(nodes[0])}, [&](ScalarBuilder &s, ValueRange x) {
          return nextNode(s, tables, s.position(0), x[0]);
        });
        scf::YieldOp::create(builder, loc, next);
      });
  return loop.getResult(0);
}

Value combine(ScalarBuilder &s, int64_t how, Value result, Value value) {
  return how == Least ? s.min(result, value) : how == Greatest ? s.max(result, value) : s.add(result, value);
}

Lowered lowerTreeEnsemble(onnx::TreeEnsembleOp op, Operands tables, GenericBuilder &b) {
  int64_t how = op.getAggregateFunction();
  Shape shape = resultShape(op);
  Type element = resultElement(op), type = computeType(element);
  Dim nodes = shapeOf(tables[Features])[0], leaves = shapeOf(tables[LeafValues])[0], trees = shapeOf(tables[Roots])[0];
  // A tree without comparisons reads neither X nor the tables of nodes.
  if (leaves == 0 || (op.getDepth() > 0 && (shapeOf(tables[X])[1] == 0 || nodes == 0)))
    return unsupported(op, "tables without elements");
  TypedAttr initial = how == Least ? highestAttr(type) : how == Greatest ? lowestAttr(type) : b.getZeroAttr(type);
  // The loops are row, target | tree.
  Access leaf{findLeaves(b, tables, op.getDepth()), {b.dim(0), b.dim(2)}};
  Value result =
      b.generic({2, 1}, {leaf}, {{b.filled(shape, initial), b.dims(2)}}, [&](ScalarBuilder &s, ValueRange x) {
         Value at = s.clampIndex(s.sub(s.toIndex(x[0]), s.size(nodes)), leaves);
         Value value = s.widen(s.extract(tables[LeafValues], {at, s.position(1)}));
         return Values{combine(s, how, x[1], value)};
       }).front();
  if (how == Sum)
    return one(b.convert(result, element));
  return one(b.elementwise(shape, element, {result}, [&](ScalarBuilder &s, ValueRange x) {
    if (how == Average)
      return s.div(x[0], s.size(trees, type));
    // No leaf contributes to this target.
    Value isNone = s.compare(Order::Equal, x[0], s.constant(initial));
    return s.select(isNone, s.number(type, 0), x[0]);
  }));
}

} // namespace

void addTrees(LoweringTable &table) { table.add(lowerTreeEnsemble); }

} // namespace cameo::lower
