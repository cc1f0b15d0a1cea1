// Col2Im: each element of the image is the sum of the block elements that cover it. The sizes of block and image may be
// dynamic, so the body computes the indices from them.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

struct Folding {
  SmallVector<Value> block; ///< per spatial axis, as index
  Ints strides, dilations, pads;
  Shape image;

  unsigned rank() const { return image.size(); }
};

/// Returns the number of positions of a block along an axis.
Value placesAlong(ScalarBuilder &s, const Folding &f, unsigned axis) {
  Value one = s.indexConstant(1);
  Value extent = s.mul(s.sub(f.block[axis], one), s.indexConstant(f.dilations[axis]));
  Value padded = s.size(f.image[axis] + (f.pads[axis] + f.pads[f.rank() + axis] - 1));
  return s.add(s.div(s.sub(padded, extent), s.indexConstant(f.strides[axis])), one);
}

/// Returns the column in which element `element` of a block covers this element of the image, and whether there is one.
std::pair<Value, Value> columnOf(ScalarBuilder &s, const Folding &f, Value element) {
  Value column = s.indexConstant(0), isCovered, scale = s.indexConstant(1), zero = s.indexConstant(0);
  for (unsigned axis = f.rank(); axis-- > 0;) {
    Value inBlock = s.rem(element, f.block[axis]);
    element = s.div(element, f.block[axis]);
    Value start = s.add(s.position(2 + axis), s.indexConstant(f.pads[axis]));
    start = s.sub(start, s.mul(inBlock, s.indexConstant(f.dilations[axis])));
    Value stride = s.indexConstant(f.strides[axis]), place = s.div(start, stride), count = placesAlong(s, f, axis);
    Value isPlace =
        s.logicalAnd(s.compare(Order::Equal, s.mul(place, stride), start),
                     s.logicalAnd(s.compare(Order::GreaterOrEqual, start, zero), s.compare(Order::Less, place, count)));
    isCovered = isCovered ? s.logicalAnd(isCovered, isPlace) : isPlace;
    column = s.add(column, s.mul(place, scale));
    scale = s.mul(scale, count);
  }
  return {column, isCovered};
}

/// Returns the number of input rows per channel.
Dim elementsOfBlock(onnx::Col2ImOp op, const Dim &rows, const Dim &channels) {
  std::optional<onnx::DimList> block = onnx::getKnownDims(op.getBlockShape());
  if (Dim elements = block ? productOf(*block) : Dim::unknown(); !elements.isUnknown())
    return elements;
  // In a valid model the number of channels divides the rows.
  return channels.isStatic() && channels.getSize() > 0 ? rows / channels.getSize() : exactDivDims(rows, channels);
}

Lowered lowerCol2Im(onnx::Col2ImOp op, Operands operands, GenericBuilder &b) {
  Value columns = operands[0];
  Shape shape = resultShape(op), from = shapeOf(columns);
  unsigned rank = shape.size() - 2, loops = shape.size();
  Dim elements = elementsOfBlock(op, from[1], shape[1]);
  if (elements.isUnknown())
    return unsupported(op, "channels known only at run time");
  Folding folding;
  folding.strides = Ints(op.getStrides().value_or(Ints(rank, 1)));
  folding.dilations = Ints(op.getDilations().value_or(Ints(rank, 1)));
  folding.pads = Ints(op.getPads().value_or(Ints(2 * rank, 0)));
  folding.image = Shape(ShapeRef(shape).drop_front(2));
  Type element = resultElement(op), sumType = computeType(element);
  // Only its size is used, as the extent of the reduction.
  Value taps = b.empty({elements}, b.getI8Type());
  SmallVector<Access> inputs = {{taps, {b.dim(loops)}}};
  for (unsigned axis = 0; axis < rank; ++axis)
    inputs.push_back({operands[2], {b.fixed(axis)}});
  Value zeros = b.filled(shape, b.getZeroAttr(sumType));
  Value sums = b.generic({loops, 1}, inputs, {{zeros, b.dims(loops)}}, [&](ScalarBuilder &s, ValueRange x) {
                  Folding here = folding;
                  for (Value size : x.slice(1, rank))
                    here.block.push_back(s.toIndex(size));
                  Value tap = s.position(loops);
                  auto [column, isCovered] = columnOf(s, here, tap);
                  Value row = s.add(s.mul(s.position(1), s.size(elements)), tap);
                  Value value = s.widen(s.extract(columns, {s.position(0), row, s.clampIndex(column, from[2])}));
                  Value zero = s.number(sumType, 0), sum = x[rank + 1];
                  Value term = s.select(isCovered, value, zero);
                  return Values{element.isInteger(1) ? s.logicalOr(sum, term) : s.add(sum, term)};
                }).front();
  return one(b.convert(sums, element));
}

} // namespace

void addCol2Ims(LoweringTable &table) { table.add(lowerCol2Im); }

} // namespace cameo::lower
