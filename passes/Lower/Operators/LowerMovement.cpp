// Operators that only move elements, by shape.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Value same(ScalarBuilder &, ValueRange x) { return x[0]; }

Lowered lowerTranspose(onnx::TransposeOp op, Operands operands, GenericBuilder &b) {
  Ints permutation = allAxes(rankOf(operands[0]));
  std::reverse(permutation.begin(), permutation.end());
  if (op.getPerm())
    permutation = Ints(*op.getPerm());
  return one(b.transpose(operands[0], permutation));
}

Lowered lowerConcat(onnx::ConcatOp op, Operands operands, GenericBuilder &b) {
  if (operands.size() == 1)
    return one(operands[0]);
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  Shape offsets(rankOf(operands[0]), 0);
  Ints strides(rankOf(operands[0]), 1);
  Value result = b.empty(resultShape(op), resultElement(op));
  for (Value part : operands) {
    if (sizeOf(shapeOf(part)) != 0)
      result = b.insert(part, result, offsets, strides);
    offsets[axis] = offsets[axis] + shapeOf(part)[axis];
  }
  return one(result);
}

/// Elements outside of the part are never written.
Lowered lowerPlace(task::PlaceOp op, Operands operands, GenericBuilder &b) {
  int64_t rank = rankOf(operands[0]);
  return one(b.insert(operands[0], b.empty(resultShape(op), resultElement(op)), Shape(rank, 0), Ints(rank, 1)));
}

/// The sizes of the parts are those of the results.
Lowered lowerSplit(onnx::SplitOp op, Operands operands, GenericBuilder &b) {
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(operands[0]));
  Shape offsets(rankOf(operands[0]), 0);
  Ints strides(rankOf(operands[0]), 1);
  Values parts;
  for (unsigned number = 0; number < op->getNumResults(); ++number) {
    Shape sizes = resultShape(op, number);
    parts.push_back(b.slice(operands[0], offsets, sizes, strides));
    offsets[axis] = offsets[axis] + sizes[axis];
  }
  return parts;
}

/// Returns a result whose element at index i of a dimension of size s is that at i % s, for repetitions known only at
/// run time.
Value repeatDynamically(GenericBuilder &b, Value data, ShapeRef to) {
  Shape from = shapeOf(data);
  return b.map(to, elementOf(data), {}, [&](ScalarBuilder &s, ValueRange) {
    SmallVector<Value> at;
    size_t added = to.size() - from.size();
    for (auto [axis, extent] : llvm::enumerate(from)) {
      Value place = s.position(added + axis);
      at.push_back(extent == to[added + axis] ? place : s.rem(place, s.size(extent)));
    }
    return s.extract(data, at);
  });
}

/// A dimension that may be 1 or that of the result is repeated dynamically.
Lowered lowerExpand(onnx::ExpandOp op, Operands operands, GenericBuilder &b) {
  Shape from = shapeOf(operands[0]), to = resultShape(op);
  bool isClear = llvm::all_of(llvm::zip_equal(from, ShapeRef(to).take_back(from.size())), [](auto each) {
    auto [own, result] = each;
    return own == result || own == 1;
  });
  return one(isClear ? b.broadcast(operands[0], to) : repeatDynamically(b, operands[0], to));
}

Lowered lowerTile(onnx::TileOp op, Operands operands, GenericBuilder &b) {
  Shape from = shapeOf(operands[0]), to = resultShape(op);
  if (from == to || sizeOf(to) == 0)
    return one(b.reshape(operands[0], to));
  Shape split;
  Exprs index;
  for (auto [small, large] : llvm::zip_equal(from, to)) {
    Dim repetitions = exactDivDims(large, small);
    if (repetitions.isUnknown())
      return one(repeatDynamically(b, operands[0], to));
    if (small != large)
      split.push_back(repetitions);
    index.push_back(b.dim(split.size()));
    split.push_back(small);
  }
  return one(b.reshape(b.map(split, resultElement(op), {{operands[0], index}}, same), to));
}

Lowered lowerDepthToSpace(onnx::DepthToSpaceOp op, Operands operands, GenericBuilder &b) {
  Shape shape = shapeOf(operands[0]);
  int64_t block = op.getBlocksize();
  Dim depth = shape[1] / (block * block);
  bool blockFirst = op.getMode() == "DCR";
  Shape split = blockFirst ? Shape{shape[0], block, block, depth, shape[2], shape[3]}
                           : Shape{shape[0], depth, block, block, shape[2], shape[3]};
  Value blocks = b.reshape(operands[0], split);
  Value moved = blockFirst ? b.transpose(blocks, {0, 3, 4, 1, 5, 2}) : b.transpose(blocks, {0, 1, 4, 2, 5, 3});
  return one(b.reshape(moved, resultShape(op)));
}

Lowered lowerSpaceToDepth(onnx::SpaceToDepthOp op, Operands operands, GenericBuilder &b) {
  Shape shape = shapeOf(operands[0]);
  int64_t block = op.getBlocksize();
  Value blocks = b.reshape(operands[0], {shape[0], shape[1], shape[2] / block, block, shape[3] / block, block});
  return one(b.reshape(b.transpose(blocks, {0, 3, 5, 1, 2, 4}), resultShape(op)));
}

} // namespace

void addMovements(LoweringTable &table) {
  table.add(lowerTranspose);
  table.add(lowerConcat);
  table.add(lowerPlace);
  table.add(lowerSplit);
  table.add(lowerExpand);
  table.add(lowerTile);
  table.add(lowerDepthToSpace);
  table.add(lowerSpaceToDepth);
}

} // namespace cameo::lower
