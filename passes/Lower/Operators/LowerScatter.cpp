// Writes at indices from data, one update after the other, because several may have the same index. An index that is
// out of bounds is clamped.
#include "passes/Lower/Builders/LoopBuilder.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Returns the index of the slice to which the slice of updates at this position is written.
using Target = llvm::function_ref<SmallVector<Value>(ScalarBuilder &, ValueRange position)>;

Value combine(ScalarBuilder &s, StringRef reduction, Value old, Value update, Sign sign) {
  Type type = old.getType();
  if (reduction == "none")
    return update;
  Value a = s.widen(old), b = s.widen(update);
  Value result = reduction == "add"   ? s.add(a, b)
                 : reduction == "mul" ? s.mul(a, b)
                 : reduction == "max" ? s.max(a, b, sign)
                                      : s.min(a, b, sign);
  return s.convert(result, type);
}

/// Combines `data` with the slices of `updates` that have an index of their own: one for each position in the first
/// `outer` dimensions.
Value scatter(GenericBuilder &b, Value data, Value updates, unsigned outer, StringRef reduction, Sign sign,
              Target target) {
  Shape shape = shapeOf(updates);
  if (sizeOf(shape) == 0)
    return data;
  ScalarBuilder s(b, b.getLoc());
  auto writeSlice = [&](ScalarBuilder &slice, ValueRange position, ValueRange carried) {
    // The index is read once for all elements, which are as far apart in both tensors.
    SmallVector<Value> begin = target(slice, position);
    return buildLoops(slice, ShapeRef(shape).drop_front(outer), carried,
                      [&](ScalarBuilder &inner, ValueRange element, ValueRange now) {
                        SmallVector<Value> from(position), to(begin);
                        from.append(element.begin(), element.end());
                        to.append(element.begin(), element.end());
                        Value old = inner.extract(now[0], to), update = inner.extract(updates, from);
                        return Values{insertElement(inner, combine(inner, reduction, old, update, sign), now[0], to)};
                      });
  };
  return buildLoops(s, ShapeRef(shape).take_front(outer), data, writeSlice).front();
}

Lowered lowerScatterElements(onnx::ScatterElementsOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0], indices = operands[1];
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(data));
  auto target = [&](ScalarBuilder &s, ValueRange position) {
    SmallVector<Value> at(position);
    at[axis] = s.wrapIndex(s.toIndex(s.extract(indices, position)), shapeOf(data)[axis]);
    return at;
  };
  return one(scatter(b, data, operands[2], rankOf(indices), op.getReduction(), signOf(op.getData()), target));
}

Lowered lowerScatterND(onnx::ScatterNDOp op, Operands operands, GenericBuilder &b) {
  Value data = operands[0], indices = operands[1];
  unsigned outer = rankOf(indices) - 1;
  // The length of a tuple follows from the ranks, also if the last dimension of the indices is dynamic.
  int64_t tuple = rankOf(data) + outer - rankOf(operands[2]);
  auto target = [&](ScalarBuilder &s, ValueRange position) {
    SmallVector<Value> at, read(position);
    read.push_back({});
    for (int64_t element = 0; element < tuple; ++element) {
      read.back() = s.indexConstant(element);
      at.push_back(s.wrapIndex(s.toIndex(s.extract(indices, read)), shapeOf(data)[element]));
    }
    return at;
  };
  return one(scatter(b, data, operands[2], outer, op.getReduction(), signOf(op.getData()), target));
}

/// Elements beyond the input of the MaxPool are zero, too.
Lowered lowerMaxUnpool(onnx::MaxUnpoolOp op, Operands operands, GenericBuilder &b) {
  Shape pooled(op.getPooledDims()), result = resultShape(op);
  Type element = resultElement(op);
  Value zeros = b.filled({sizeOf(pooled)}, b.getZeroAttr(element));
  auto target = [&](ScalarBuilder &s, ValueRange position) {
    return SmallVector<Value>{s.wrapIndex(s.toIndex(s.extract(operands[1], position)), sizeOf(pooled))};
  };
  Value read = b.reshape(scatter(b, zeros, operands[0], pooled.size(), "none", Sign::Signed, target), pooled);
  if (pooled == result)
    return one(read);
  if (isStatic(pooled) && isStatic(result))
    return one(
        b.insert(read, b.filled(result, b.getZeroAttr(element)), Shape(pooled.size(), 0), Ints(pooled.size(), 1)));
  return one(b.map(result, element, {}, [&](ScalarBuilder &s, ValueRange) {
    Value isInside = s.integer(b.getI1Type(), 1);
    SmallVector<Value> at;
    for (auto [axis, extent] : llvm::enumerate(pooled)) {
      isInside = s.logicalAnd(isInside, s.compare(Order::Less, s.position(axis), s.size(extent)));
      at.push_back(s.clampIndex(s.position(axis), extent));
    }
    return s.select(isInside, s.extract(read, at), s.constant(b.getZeroAttr(element)));
  }));
}

/// Computes each element of the result from the update, if there is one for it: no sequential loop.
Lowered lowerTensorScatter(onnx::TensorScatterOp op, Operands operands, GenericBuilder &b) {
  Value cache = operands[0], update = operands[1];
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(cache));
  Shape shape = shapeOf(cache);
  Dim rows = shape[axis], written = shapeOf(update)[axis];
  if (sizeOf(shape) == 0 || written == 0)
    return one(cache);
  SmallVector<Access> inputs = {b.whole(cache)};
  if (operands.size() > 2 && operands[2])
    inputs.push_back({operands[2], {b.dim(0)}});
  return one(b.map(shape, resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value begin = x.size() > 1 ? s.toIndex(x[1]) : s.indexConstant(0), zero = s.indexConstant(0);
    Value row = s.sub(s.position(axis), begin);
    if (op.getMode() == "circular") {
      row = s.rem(row, s.size(rows));
      row = s.select(s.compare(Order::Less, row, zero), s.add(row, s.size(rows)), row);
    }
    Value isWritten =
        s.logicalAnd(s.compare(Order::GreaterOrEqual, row, zero), s.compare(Order::Less, row, s.size(written)));
    SmallVector<Value> at;
    for (unsigned i = 0; i < shape.size(); ++i)
      at.push_back(i == axis ? s.clampIndex(row, written) : s.position(i));
    return s.select(isWritten, s.extract(update, at), x[0]);
  }));
}

} // namespace

void addScatters(LoweringTable &table) {
  table.add(lowerScatterElements);
  table.add(lowerScatterND);
  table.add(lowerMaxUnpool);
  table.add(lowerTensorScatter);
}

} // namespace cameo::lower
