// Det: expansion by minors for small matrices, elimination for larger ones and for dynamic sizes.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Expansion of larger matrices would be too much code.
constexpr int64_t kMostRowsOfMinors = 4;

/// Returns the sum over the elements of the first row times their minors.
Value expandDeterminant(ScalarBuilder &s, ArrayRef<SmallVector<Value>> rows) {
  if (rows.size() == 1)
    return rows[0][0];
  Value sum;
  for (unsigned column = 0; column < rows.size(); ++column) {
    SmallVector<SmallVector<Value>> minor;
    for (const SmallVector<Value> &row : rows.drop_front()) {
      minor.emplace_back(row);
      minor.back().erase(minor.back().begin() + column);
    }
    Value term = s.mul(rows[0][column], expandDeterminant(s, minor));
    sum = !sum ? term : column % 2 == 0 ? s.add(sum, term) : s.sub(sum, term);
  }
  return sum;
}

Value expandMinors(onnx::DetOp op, Value matrix, int64_t size, GenericBuilder &b) {
  SmallVector<Access> elements;
  for (int64_t row = 0; row < size; ++row)
    for (int64_t column = 0; column < size; ++column) {
      Exprs index = b.dims(rankOf(matrix) - 2);
      index.append({b.fixed(row), b.fixed(column)});
      elements.push_back({matrix, index});
    }
  return b.compute(resultShape(op), resultElement(op), elements, [&](ScalarBuilder &s, ValueRange x) {
    SmallVector<SmallVector<Value>> rows;
    for (int64_t row = 0; row < size; ++row)
      rows.emplace_back(x.slice(row * size, size));
    return expandDeterminant(s, rows);
  });
}

/// Gaussian elimination with partial pivoting, column by column in all matrices of the batch.
class Elimination {
public:
  Elimination(GenericBuilder &b, Value matrix, ShapeRef batch)
      : b(b), matrix(matrix), shape(shapeOf(matrix)), batch(batch) {}
  Value run();

private:
  SmallVector<Value> positions(ScalarBuilder &s, Value row, Value column);
  Value findPivot(GenericBuilder &inner, Value rest, Value step);
  Value clearColumn(GenericBuilder &inner, Value rest, Value pivots, Value step);

  GenericBuilder &b;
  Value matrix;
  Shape shape, batch;
  Type type;
};

SmallVector<Value> Elimination::positions(ScalarBuilder &s, Value row, Value column) {
  SmallVector<Value> at;
  for (unsigned i = 0; i < batch.size(); ++i)
    at.push_back(s.position(i));
  at.append({row, column});
  return at;
}

/// Returns the row with the greatest element in this column, among the remaining rows.
Value Elimination::findPivot(GenericBuilder &inner, Value rest, Value step) {
  unsigned loops = batch.size();
  // Only its size is used, as the extent of the reduction.
  Access rows{inner.empty({shape.back()}, inner.getI8Type()), {inner.dim(loops)}};
  Access greatest{inner.filled(batch, numberAttr(type, -1)), inner.dims(loops)};
  Access place{inner.filled(batch, inner.getI64IntegerAttr(0)), inner.dims(loops)};
  return inner.generic({loops, 1}, {rows}, {greatest, place}, [&](ScalarBuilder &s, ValueRange x) {
    Value row = s.position(loops), size = s.abs(s.extract(rest, positions(s, row, step)));
    Value isBetter = s.logicalAnd(s.compare(Order::GreaterOrEqual, row, step), s.compare(Order::Greater, size, x[1]));
    return Values{s.select(isBetter, size, x[1]), s.select(isBetter, s.fromIndex(row, inner.getI64Type()), x[2])};
  })[1];
}

/// Swaps the pivot's row with this one and subtracts multiples of it from the rows below.
Value Elimination::clearColumn(GenericBuilder &inner, Value rest, Value pivots, Value step) {
  Access pivot{pivots, inner.dims(batch.size())};
  return inner.map(shape, type, {pivot}, [&](ScalarBuilder &s, ValueRange x) {
    Value row = s.position(batch.size()), column = s.position(batch.size() + 1), best = s.max(s.toIndex(x[0]), step);
    Value from =
        s.select(s.compare(Order::Equal, row, step), best, s.select(s.compare(Order::Equal, row, best), step, row));
    Value element = s.extract(rest, positions(s, from, column)), top = s.extract(rest, positions(s, best, column));
    Value leading = s.extract(rest, positions(s, from, step)), divisor = s.extract(rest, positions(s, best, step));
    // A column of zeros needs no elimination: the product is already zero.
    Value isZero = s.compare(Order::Equal, divisor, s.number(type, 0));
    Value factor = s.div(leading, s.select(isZero, s.number(type, 1), divisor));
    return s.select(s.compare(Order::Greater, row, step), s.sub(element, s.mul(factor, top)), element);
  });
}

Value Elimination::run() {
  type = computeType(elementOf(matrix));
  Values carried = {b.convert(matrix, type), b.filled(batch, numberAttr(type, 1))};
  Value zero = arith::ConstantIndexOp::create(b, 0), one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::ForOp::create(
      b, zero, b.size(shape.back()), one, carried, [&](OpBuilder &builder, Location loc, Value step, ValueRange args) {
        GenericBuilder inner(loc, builder);
        Value pivots = findPivot(inner, args[0], step);
        SmallVector<Access> factors = {inner.whole(args[1]), inner.whole(pivots)};
        Value product = inner.map(batch, type, factors, [&](ScalarBuilder &s, ValueRange x) {
          Value row = s.max(s.toIndex(x[1]), step), next = s.mul(x[0], s.extract(args[0], positions(s, row, step)));
          return s.select(s.compare(Order::Equal, row, step), next, s.negate(next));
        });
        scf::YieldOp::create(builder, loc, ValueRange{clearColumn(inner, args[0], pivots, step), product});
      });
  return loop.getResult(1);
}

Lowered lowerDet(onnx::DetOp op, Operands operands, GenericBuilder &b) {
  Dim size = shapeOf(operands[0]).back();
  if (size.isStatic() && size.getSize() >= 1 && size.getSize() <= kMostRowsOfMinors)
    return one(expandMinors(op, operands[0], size.getSize(), b));
  return one(b.convert(Elimination(b, operands[0], resultShape(op)).run(), resultElement(op)));
}

} // namespace

void addDeterminants(LoweringTable &table) { table.add(lowerDet); }

} // namespace cameo::lower
