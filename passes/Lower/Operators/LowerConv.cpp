// Convolutions of any rank and layout: padding, one linalg.generic, and an elementwise one for bias and conversion.
#include "passes/Lower/Formulas/ChannelRoles.h"
#include "passes/Lower/Formulas/Convolution.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {

Value convolve(GenericBuilder &b, Value input, Value filter, Value bias, const Window &window, int64_t groups,
               bool channelsLast, Type element, FactorSigns signs) {
  filter = adoptKernel(b, filter, window);
  unsigned rank = window.rank();
  // The filters also state the number of channels, which may be symbolic in the input.
  Dim perGroup = shapeOf(filter)[1], outputChannels = shapeOf(filter)[0];
  Dim inputChannels = perGroup.isStatic() ? perGroup * groups : shapeOf(input)[channelsLast ? rank + 1 : 1];
  Type sumType = sumTypeOf(elementOf(input));
  ChannelRoles roles(b, groups, inputChannels, outputChannels, rank, channelsLast);

  Value padded = padForWindow(b, input, window, channelsLast ? 1 : 2, b.getZeroAttr(elementOf(input)));
  if (roles.getKind() != ChannelRoles::Kind::Depthwise)
    padded = convertFactor(b, padded, sumType);
  Shape outputShape = {shapeOf(input)[0]}, channels = {outputChannels};
  if (roles.getKind() == ChannelRoles::Kind::Grouped)
    channels = {groups, outputChannels / groups};
  outputShape.append(channelsLast ? window.output : channels);
  outputShape.append(channelsLast ? channels : window.output);

  Access image{roles.splitActivation(padded),
               roles.inputIndex(windowIndex(b, window, roles.firstSpatial(), roles.firstKernel()))};
  Access weights{roles.splitFilter(filter), roles.filterIndex(b.dims(rank, roles.firstKernel()), /*transposed=*/false)};
  Access sums{b.filled(outputShape, b.getZeroAttr(sumType)), roles.outputIndex(b.dims(rank, roles.firstSpatial()))};
  Value result = b.generic(roles.loops(rank), {image, weights}, {sums}, [&](ScalarBuilder &s, ValueRange x) {
                    return Values{multiplyAdd(s, x[2], x[0], x[1], signs)};
                  }).front();
  if (bias)
    result = b.compute(outputShape, element, {b.whole(result), roles.biasAccess(bias, rank)},
                       [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
  return roles.joinActivation(b.convert(result, element));
}

namespace {

Lowered lowerConv(onnx::ConvOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> window = windowOf(op, op.getX(), op.getY(), kernelOf(op, op.getW()));
  if (failed(window))
    return failure();
  return one(convolve(b, operands[0], operands[1], operands.size() > 2 ? operands[2] : Value(), *window, op.getGroup(),
                      op.getChannelsLast(), resultElement(op)));
}

} // namespace

void addConvs(LoweringTable &table) { table.add(lowerConv); }

} // namespace cameo::lower
