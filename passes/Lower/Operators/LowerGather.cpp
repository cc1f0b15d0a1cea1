// Reads at indices from data. An index that is out of bounds is clamped, so that memory outside of a tensor is never
// read.
#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

SmallVector<Value> positions(ScalarBuilder &s, unsigned first, unsigned count) {
  SmallVector<Value> result;
  for (unsigned i = 0; i < count; ++i)
    result.push_back(s.position(first + i));
  return result;
}

/// Returns the result if no index is valid: unspecified numbers, but valid strings.
Value undefined(Operation *op, GenericBuilder &b) {
  if (!isString(op->getResult(0).getType()))
    return b.empty(resultShape(op), resultElement(op));
  return b.map(resultShape(op), resultElement(op), {}, [](ScalarBuilder &s, ValueRange) { return literal(s, ""); });
}

/// The loops are the dimensions of data before the axis, those of the indices, and those of data after the axis.
Lowered lowerGather(onnx::GatherOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0], indices = operands[1];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(data)) == 0)
    return one(undefined(op, b));
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(data)), indexRank = rankOf(indices);
  return one(b.map(shape, resultElement(op), {{indices, b.dims(indexRank, axis)}}, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> at = positions(s, 0, axis);
    at.push_back(s.wrapIndex(s.toIndex(x[0]), shapeOf(data)[axis]));
    at.append(positions(s, axis + indexRank, rankOf(data) - axis - 1));
    return s.extract(data, at);
  }));
}

Lowered lowerGatherElements(onnx::GatherElementsOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(data)) == 0)
    return one(undefined(op, b));
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(data));
  return one(b.map(shape, resultElement(op), {b.whole(operands[1])}, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> at = positions(s, 0, shape.size());
    at[axis] = s.wrapIndex(s.toIndex(x[0]), shapeOf(data)[axis]);
    return s.extract(data, at);
  }));
}

/// The loops are the dimensions of the indices except the last, then those of data that the index tuples do not cover.
Lowered lowerGatherND(onnx::GatherNDOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0], indices = operands[1];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0 || sizeOf(shapeOf(data)) == 0)
    return one(undefined(op, b));
  unsigned batch = op.getBatchDims(), outer = rankOf(indices) - 1;
  // The length of a tuple follows from the ranks, also if the last dimension of the indices is dynamic.
  int64_t tuple = outer + rankOf(data) - batch - shape.size();
  SmallVector<Access> inputs;
  for (int64_t element = 0; element < tuple; ++element) {
    Exprs index = b.dims(outer);
    index.push_back(b.fixed(element));
    inputs.push_back({indices, index});
  }
  return one(b.map(shape, resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> at = positions(s, 0, batch);
    for (int64_t element = 0; element < tuple; ++element)
      at.push_back(s.wrapIndex(s.toIndex(x[element]), shapeOf(data)[batch + element]));
    at.append(positions(s, outer, rankOf(data) - batch - tuple));
    return s.extract(data, at);
  }));
}

Lowered lowerReverseSequence(onnx::ReverseSequenceOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0];
  Shape shape = resultShape(op);
  if (sizeOf(shape) == 0)
    return one(data);
  int64_t time = normalizeAxis(op.getTimeAxis(), shape.size()), batch = normalizeAxis(op.getBatchAxis(), shape.size());
  return one(b.map(shape, resultElement(op), {{operands[1], {b.dim(batch)}}}, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<Value> at = positions(s, 0, shape.size());
    Value length = s.toIndex(x[0]), mirrored = s.sub(s.sub(length, s.indexConstant(1)), at[time]);
    Value isInside = s.compare(Order::Less, at[time], length);
    at[time] = s.clampIndex(s.select(isInside, mirrored, at[time]), shape[time]);
    return s.extract(data, at);
  }));
}

} // namespace

void addGathers(LoweringTable &table) {
  table.add(lowerGather);
  table.add(lowerGatherElements);
  table.add(lowerGatherND);
  table.add(lowerReverseSequence);
}

} // namespace cameo::lower
