// AffineGrid: coordinates of image elements, multiplied by one matrix per batch entry.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Returns the coordinate in [-1, 1] of an element. -1 and 1 are the centres of the outermost elements, or their outer
/// edges. The only element of a dimension is at 0.
Value normalizedPosition(ScalarBuilder &s, unsigned loop, const Dim &extent, bool alignsCorners, Type type) {
  if (extent == 1)
    return s.number(type, 0);
  Value at = s.fromIndex(s.position(loop), type), twice = s.add(at, at);
  Value size = s.size(extent, type), one = s.number(type, 1);
  if (alignsCorners)
    return s.sub(s.div(twice, s.sub(size, one)), one);
  return s.sub(s.div(s.add(twice, one), size), one);
}

Lowered lowerAffineGrid(onnx::AffineGridOp op, Operands operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  unsigned spatial = shape.size() - 2;
  // One row of the matrix, for the coordinate of the last loop.
  SmallVector<Access> row;
  for (unsigned column = 0; column <= spatial; ++column)
    row.push_back({operands[0], {b.dim(0), b.dim(spatial + 1), b.fixed(column)}});
  return one(b.compute(shape, resultElement(op), row, [&](ScalarBuilder &s, ValueRange x) {
    Value sum = x[spatial];
    // The first column is the coefficient of the last dimension.
    for (unsigned column = 0; column < spatial; ++column) {
      unsigned axis = spatial - column;
      Value at = normalizedPosition(s, axis, shape[axis], op.getAlignCorners() != 0, sum.getType());
      sum = s.add(sum, s.mul(x[column], at));
    }
    return sum;
  }));
}

} // namespace

void addAffineGrids(LoweringTable &table) { table.add(lowerAffineGrid); }

} // namespace cameo::lower
