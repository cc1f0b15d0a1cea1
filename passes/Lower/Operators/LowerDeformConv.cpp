// DeformConv: samples the input at all taps of all windows, channels last, followed by a convolution with windows of
// one element.
#include "passes/Lower/Formulas/Window.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace cameo::lower {
namespace {

struct Taps {
  Window window;
  int64_t offsetGroups;
  Shape input; ///< N, C, spatial...
};

/// Returns one of the elements around real coordinates, times its weight in the linear interpolation; zero outside of
/// the input. Bit i of `corner` selects the higher element along axis i.
Value interpolate(ScalarBuilder &s, Value data, const Taps &taps, ArrayRef<Value> at, SmallVector<Value> &index,
                  Value corner) {
  Type type = at[0].getType();
  Value share = s.number(type, 1), two = s.indexConstant(2);
  for (unsigned axis = 0; axis < at.size(); ++axis) {
    Dim extent = taps.input[2 + axis];
    Value isBehind = s.fromIndex(s.rem(corner, two), type), one = s.number(type, 1);
    corner = s.div(corner, two);
    Value floor = s.apply<math::FloorOp>(at[axis]), fraction = s.sub(at[axis], floor),
          position = s.add(floor, isBehind);
    Value isInside = s.logicalAnd(s.compare(Order::GreaterOrEqual, position, s.number(type, 0)),
                                  s.compare(Order::Less, position, s.size(extent, type)));
    Value part = s.select(s.compare(Order::Greater, isBehind, s.number(type, 0)), fraction, s.sub(one, fraction));
    share = s.mul(share, s.select(isInside, part, s.number(type, 0)));
    index[1 + axis] = s.clampIndex(s.toIndex(s.convert(position, s.builder.getI64Type())), extent);
  }
  return s.mul(s.widen(s.extract(data, index)), share);
}

/// Returns a tensor N, spatial of the result, taps, C, which the convolution sums: places and shares are computed once
/// for all channels of an offset group. The loops are these dimensions in order, then the corners of the interpolation
/// cell: unrolled, they would be eight times the code in three dimensions.
Value sampleTaps(GenericBuilder &b, const Taps &taps, Value data, Value offset, Value mask) {
  unsigned rank = taps.window.rank(), tapDim = 1 + rank, groupDim = 2 + rank, channelDim = 3 + rank;
  Dim tapCount = taps.window.size();
  Dim perGroup = taps.input[1] / taps.offsetGroups;
  Shape shape = {taps.input[0]}, split = {taps.input[0], taps.offsetGroups, tapCount, rank};
  shape.append(taps.window.output);
  shape.append({tapCount, taps.offsetGroups, perGroup});
  split.append(taps.window.output);
  Value offsets = b.reshape(offset, split);
  SmallVector<Access> inputs;
  auto index = [&](std::optional<unsigned> axis) {
    Exprs exprs = {b.dim(0), b.dim(groupDim), b.dim(tapDim)};
    if (axis)
      exprs.push_back(b.fixed(*axis));
    exprs.append(b.dims(rank, 1));
    return exprs;
  };
  for (unsigned axis = 0; axis < rank; ++axis)
    inputs.push_back({offsets, index(axis)});
  if (mask) {
    split.erase(split.begin() + 3);
    inputs.push_back({b.reshape(mask, split), index(std::nullopt)});
  }
  // Only its size is used, as the extent of the reduction.
  unsigned loops = shape.size();
  inputs.push_back({b.empty({int64_t(1) << rank}, b.getI8Type()), {b.dim(loops)}});
  Type type = computeType(elementOf(data));
  Access sums{b.filled(shape, b.getZeroAttr(type)), b.dims(loops)};
  Value sampled = b.generic({loops, 1}, inputs, {sums}, [&](ScalarBuilder &s, ValueRange x) {
                     Value tap = s.position(tapDim);
                     Value channel = s.add(s.mul(s.position(groupDim), s.size(perGroup)), s.position(channelDim));
                     SmallVector<Value> at(rank), from(1, s.position(0));
                     from.resize(1 + rank);
                     from.push_back(channel);
                     for (unsigned axis = rank; axis-- > 0;) {
                       Value kernel = s.size(taps.window.kernel[axis]);
                       Value inKernel = s.rem(tap, kernel);
                       tap = s.div(tap, kernel);
                       Value start = s.mul(s.position(1 + axis), s.indexConstant(taps.window.strides[axis]));
                       start = s.add(start, s.mul(inKernel, s.indexConstant(taps.window.dilations[axis])));
                       start = s.sub(start, s.size(taps.window.padBegin[axis]));
                       at[axis] = s.add(s.fromIndex(start, type), s.widen(x[axis]));
                     }
                     Value value = interpolate(s, data, taps, at, from, s.position(loops));
                     return Values{s.add(x.back(), mask ? s.mul(value, s.widen(x[rank])) : value)};
                   }).front();
  return b.joinDims(sampled, groupDim, 2);
}

Lowered lowerDeformConv(onnx::DeformConvOp op, Operands operands, GenericBuilder &b) {
  Shape result = resultShape(op);
  WindowAttributes attributes{op.getStrides(), op.getDilations(), op.getPads(), "NOTSET"};
  FailureOr<Window> window = makeWindow(op, spatialShape(shapeOf(operands[0]), false), spatialShape(result, false),
                                        kernelOf(op, op.getW()), attributes);
  if (failed(window))
    return failure();
  Taps taps{*window, op.getOffsetGroup(), shapeOf(operands[0])};
  if (sizeOf(taps.input) == 0)
    return unsupported(op, "an input without elements");
  unsigned rank = taps.window.rank();
  int64_t group = op.getGroup();
  Shape filter = shapeOf(operands[1]);
  Dim outputs = filter[0] / group, inputs = filter[1];
  // Samples are taken channels last, where those of a place lie side by side.
  Ints toLast = {0}, toFirst = {0, 1 + rank};
  for (unsigned axis = 0; axis < rank; ++axis) {
    toLast.push_back(2 + axis);
    toFirst.push_back(1 + axis);
  }
  toLast.push_back(1);
  Value data = b.transpose(operands[0], toLast);
  Value sampled = b.splitDim(sampleTaps(b, taps, data, operands[2], operands.size() > 4 ? operands[4] : Value()),
                             2 + rank, {group, inputs});
  Value weights = b.reshape(adoptKernel(b, operands[1], taps.window), {group, outputs, inputs, taps.window.size()});
  // The loops are n, spatial..., group, output channel | tap, input channel.
  Shape shape = {result[0]};
  shape.append(taps.window.output);
  shape.append({group, outputs});
  unsigned parallel = shape.size();
  Exprs from = b.dims(1 + rank);
  from.append({b.dim(parallel), b.dim(1 + rank), b.dim(parallel + 1)});
  Access filters{weights, {b.dim(1 + rank), b.dim(2 + rank), b.dim(parallel + 1), b.dim(parallel)}};
  Access sums{b.filled(shape, b.getZeroAttr(elementOf(sampled))), b.dims(parallel)};
  Value product = b.generic({parallel, 2}, {{sampled, from}, filters}, {sums}, [](ScalarBuilder &s, ValueRange x) {
                     return Values{s.add(x[2], s.mul(x[0], s.widen(x[1])))};
                   }).front();
  product = b.transpose(b.joinDims(product, 1 + rank, 2), toFirst);
  if (operands.size() > 3 && operands[3])
    product = b.compute(result, resultElement(op), {b.whole(product), b.along(operands[3], 1)},
                        [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
  return one(b.convert(product, resultElement(op)));
}

} // namespace

void addDeformConvs(LoweringTable &table) { table.add(lowerDeformConv); }

} // namespace cameo::lower
