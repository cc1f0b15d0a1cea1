// Transposed convolutions without scattering: the output elements of one phase of the strides are a dense convolution
// with every stride-th tap of the filter. Each phase is computed and inserted with the stride. If these taps depend on
// dynamic sizes, every element computes which input elements contribute.
#include "passes/Lower/Formulas/ChannelRoles.h"
#include "passes/Lower/Formulas/MatrixProduct.h"
#include "passes/Lower/Formulas/Window.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/OnnxOps.h"

#include <numeric>

using namespace mlir;

namespace cameo::lower {
namespace {

/// One phase of one dimension: output elements `offset + q * stride` for q < count are the sum over t < taps of
/// input[q + base - t * step] * filter[first + t * filterStep].
struct Phase {
  int64_t offset;
  Dim count;
  int64_t first, taps, filterStep;
  int64_t base, step;
};

Phase makePhase(const Window &window, unsigned i, int64_t offset) {
  int64_t stride = window.strides[i], dilation = window.dilations[i];
  int64_t common = std::gcd(stride, dilation), shift = offset + window.padBegin[i].getSize();
  Phase phase{offset, (window.output[i] - offset + stride - 1) / stride, 0, 0, stride / common, 0, dilation / common};
  if (phase.count.isStatic())
    phase.count = std::max<int64_t>(0, phase.count.getSize());
  for (int64_t tap = 0; tap < phase.filterStep && tap < window.kernel[i].getSize(); ++tap)
    if ((shift - tap * dilation) % stride == 0) {
      phase.first = tap;
      phase.taps = (window.kernel[i].getSize() - tap + phase.filterStep - 1) / phase.filterStep;
      phase.base = (shift - tap * dilation) / stride;
    }
  return phase;
}

class TransposedConv {
public:
  TransposedConv(GenericBuilder &b, onnx::ConvTransposeOp op, Operands operands, const Window &window)
      : b(b), op(op), channelsLast(op.getChannelsLast()), groups(op.getGroup()), element(resultElement(op)),
        input(operands[0]), filter(adoptKernel(b, operands[1], window)),
        bias(operands.size() > 2 ? operands[2] : Value()), outputShape(resultShape(op)), window(window),
        roles(b, groups, shapeOf(filter)[0], shapeOf(filter)[1] * groups, window.rank(), channelsLast) {}

  Value run() {
    if (!isStatic(window.kernel) || !isStatic(window.padBegin))
      return runByIndex();
    if (isPatchwise())
      return runPatchwise();
    if (sizeOf(IntsRef(window.strides)) > onnx::ConvTransposeOp::maxPhases)
      spreadInput(); // zeros between the input's elements
    return runPhases();
  }

private:
  bool isPatchwise() const;
  Value factorOf(Value activation, const ChannelRoles &channels);
  Value runPatchwise();
  Value runByIndex();
  void spreadInput();
  Value runPhases();
  std::optional<Value> padInput(ArrayRef<SmallVector<Phase>> phases, Ints &low);
  Value runPhase(ArrayRef<Phase> phase, Value padded, ArrayRef<int64_t> low);
  Value finish(Value sums, unsigned spatialDims);
  /// Returns the shape of a split output with these spatial sizes.
  Shape splitShape(ShapeRef spatial) const;

  GenericBuilder &b;
  onnx::ConvTransposeOp op;
  bool channelsLast;
  int64_t groups;
  Type element;
  Value input, filter, bias;
  Shape outputShape;
  Window window;
  ChannelRoles roles;
};

/// Makes the window. Its `pads` crop the output; only their begins are used, because the rest follows from the size of
/// the output.
FailureOr<Window> makeTransposedWindow(onnx::ConvTransposeOp op) {
  bool channelsLast = op.getChannelsLast();
  // SAME is resolved here, from the size of the output.
  WindowAttributes attributes{op.getStrides(), op.getDilations(), op.getPads(), op.getAutoPad()};
  bool isSame = attributes.autoPad.starts_with("SAME");
  if (isSame)
    attributes.autoPad = "VALID";
  FailureOr<Window> made =
      makeWindow(op, spatialShape(shapeOf(op.getX()), channelsLast), spatialShape(shapeOf(op.getY()), channelsLast),
                 kernelOf(op, op.getW()), attributes);
  if (failed(made) || (!isSame && !op.getOutputShape()))
    return made;
  Window &window = *made;
  for (unsigned i = 0; i < window.rank(); ++i) {
    int64_t extra = op.getOutputPadding() ? (*op.getOutputPadding())[i] : 0;
    Dim full = (window.input[i] - 1) * window.strides[i] + extra + (window.kernel[i] - 1) * window.dilations[i] + 1;
    Dim cropped = full - window.output[i];
    Dim total = cropped.isStatic() ? Dim(std::max<int64_t>(0, cropped.getSize())) : cropped;
    window.padBegin[i] = op.getAutoPad() == "SAME_UPPER" ? total / 2 : total - total / 2;
  }
  return made;
}

Shape TransposedConv::splitShape(ShapeRef spatial) const {
  Dim channels = shapeOf(filter)[1] * groups;
  Shape split = {channels};
  if (roles.getKind() == ChannelRoles::Kind::Grouped)
    split = {groups, channels / groups};
  Shape shape = {outputShape[0]};
  if (!channelsLast)
    shape.append(split);
  shape.append(spatial.begin(), spatial.end());
  if (channelsLast)
    shape.append(split);
  return shape;
}

Value TransposedConv::finish(Value sums, unsigned spatialDims) {
  if (!bias)
    return b.convert(sums, element);
  return b.compute(shapeOf(sums), element, {b.whole(sums), roles.biasAccess(bias, spatialDims)},
                   [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
}

/// Whether every input element makes a patch of its own, as in most decoders.
bool TransposedConv::isPatchwise() const {
  for (unsigned i = 0; i < window.rank(); ++i)
    if (window.kernel[i] != window.strides[i] || window.dilations[i] != 1 || window.padBegin[i] != 0 ||
        window.output[i] != window.input[i] * window.strides[i])
      return false;
  return true;
}

/// Returns `activation` in the type of the sums if products of several output channels share its elements.
Value TransposedConv::factorOf(Value activation, const ChannelRoles &channels) {
  return channels.getKind() == ChannelRoles::Kind::Depthwise ? activation
                                                             : convertFactor(b, activation, computeType(element));
}

Value TransposedConv::runPatchwise() {
  unsigned rank = window.rank();
  ChannelRoles patch(b, groups, shapeOf(filter)[0], shapeOf(filter)[1] * groups, rank, channelsLast, /*extra=*/rank);
  Shape spatial;
  Exprs interleaved;
  for (unsigned i = 0; i < rank; ++i) {
    spatial.append({window.input[i], window.kernel[i]});
    interleaved.append({b.dim(patch.firstSpatial() + i), b.dim(patch.firstExtra() + i)});
  }
  Access image{patch.splitActivation(factorOf(input, patch)), patch.inputIndex(b.dims(rank, patch.firstSpatial()))};
  Access weights{patch.splitFilter(filter), patch.filterIndex(b.dims(rank, patch.firstExtra()), /*transposed=*/true)};
  Value zeros = b.filled(splitShape(spatial), b.getZeroAttr(computeType(element)));
  Value sums = b.generic(patch.loops(0), {image, weights}, {{zeros, patch.outputIndex(interleaved)}},
                         [&](ScalarBuilder &s, ValueRange x) {
                           return Values{s.add(x[2], s.mul(s.widen(x[0]), s.widen(x[1])))};
                         })
                   .front();
  return b.reshape(finish(sums, 2 * rank), outputShape);
}

/// Sums over all taps for each element of the result. At most one input element contributes through each tap.
Value TransposedConv::runByIndex() {
  unsigned rank = window.rank(), loops = rank + 2, first = channelsLast ? 1 : 2,
           channelAxis = channelsLast ? rank + 1 : 1;
  Dim inputs = shapeOf(filter)[0] / groups, outputs = shapeOf(filter)[1];
  Shape sizes = {inputs};
  sizes.append(window.kernel);
  // Only its sizes are used, as extents of the reduction.
  Access extents{b.empty(sizes, b.getI8Type()), b.dims(rank + 1, loops)};
  Type sumType = computeType(element);
  Access sums{b.filled(outputShape, b.getZeroAttr(sumType)), b.dims(loops)};
  Value result =
      b.generic({loops, rank + 1}, {extents}, {sums}, [&](ScalarBuilder &s, ValueRange x) {
         Value channel = s.position(channelAxis), group = s.div(channel, s.size(outputs)), isInside,
               zero = s.indexConstant(0);
         SmallVector<Value> at(loops, s.position(0)), tap(loops);
         at[channelAxis] = tap[0] = s.add(s.mul(group, s.size(inputs)), s.position(loops));
         tap[1] = s.sub(channel, s.mul(group, s.size(outputs)));
         for (unsigned i = 0; i < rank; ++i) {
           tap[2 + i] = s.position(loops + 1 + i);
           // If the result is larger than the windows, it is padded at the end.
           Value before = s.max(s.size(window.padBegin[i]), zero), stride = s.indexConstant(window.strides[i]);
           Value start =
               s.sub(s.add(s.position(first + i), before), s.mul(tap[2 + i], s.indexConstant(window.dilations[i])));
           Value place = s.div(start, stride), isPlace = s.compare(Order::Equal, s.mul(place, stride), start);
           isPlace = s.logicalAnd(isPlace, s.compare(Order::GreaterOrEqual, start, zero));
           isPlace = s.logicalAnd(isPlace, s.compare(Order::Less, place, s.size(window.input[i])));
           isInside = isInside ? s.logicalAnd(isInside, isPlace) : isPlace;
           at[first + i] = s.clampIndex(place, window.input[i]);
         }
         Value product = s.mul(s.widen(s.extract(input, at)), s.widen(s.extract(filter, tap)));
         return Values{s.add(x[1], s.select(isInside, product, s.number(sumType, 0)))};
       }).front();
  SmallVector<Access> summands = {b.whole(result)};
  if (bias)
    summands.push_back(b.along(bias, channelAxis));
  return b.compute(outputShape, element, summands,
                   [](ScalarBuilder &s, ValueRange x) { return x.size() > 1 ? s.add(x[0], x[1]) : x[0]; });
}

void TransposedConv::spreadInput() {
  unsigned first = channelsLast ? 1 : 2;
  Shape shape = shapeOf(input);
  Ints strides(shape.size(), 1);
  for (unsigned i = 0; i < window.rank(); ++i) {
    Dim &extent = shape[first + i];
    extent = extent == 0 ? extent : (extent - 1) * window.strides[i] + 1;
    strides[first + i] = window.strides[i];
    window.input[i] = extent;
    window.strides[i] = 1;
  }
  Value zeros = b.filled(shape, b.getZeroAttr(elementOf(input)));
  input = b.insert(input, zeros, Shape(shape.size(), 0), strides);
}

/// Returns the input with padding for all elements that the phases read outside of it, one copy for all phases. Returns
/// nothing if the amount of padding is dynamic.
std::optional<Value> TransposedConv::padInput(ArrayRef<SmallVector<Phase>> phases, Ints &low) {
  unsigned first = channelsLast ? 1 : 2;
  Ints allLow(rankOf(input), 0), allHigh(rankOf(input), 0);
  for (auto [i, ofDim] : llvm::enumerate(phases))
    for (const Phase &phase : ofDim) {
      if (phase.taps == 0 || phase.count == 0)
        continue;
      Dim beyond = phase.count + phase.base - window.input[i];
      if (!beyond.isStatic())
        return std::nullopt;
      int64_t least = phase.base - (phase.taps - 1) * phase.step;
      allLow[first + i] = std::max(allLow[first + i], -least);
      allHigh[first + i] = std::max(allHigh[first + i], beyond.getSize());
    }
  low.assign(allLow.begin() + first, allLow.begin() + first + window.rank());
  return b.pad(input, toShape(allLow), toShape(allHigh), b.getZeroAttr(elementOf(input)));
}

Value TransposedConv::runPhase(ArrayRef<Phase> phase, Value padded, ArrayRef<int64_t> low) {
  unsigned rank = window.rank();
  Shape spatial, offsets(rankOf(filter), 0), sizes = shapeOf(filter);
  Ints strides(rankOf(filter), 1);
  Exprs reads;
  bool isEmpty = false;
  for (unsigned i = 0; i < rank; ++i) {
    spatial.push_back(phase[i].count);
    offsets[2 + i] = phase[i].first;
    sizes[2 + i] = phase[i].taps;
    strides[2 + i] = phase[i].filterStep;
    reads.push_back(b.dim(roles.firstSpatial() + i) - b.dim(roles.firstKernel() + i) * phase[i].step +
                    (phase[i].base + low[i]));
    isEmpty |= phase[i].taps == 0;
  }
  Value sums = b.filled(splitShape(spatial), b.getZeroAttr(computeType(element)));
  if (!isEmpty) {
    Value taps = b.slice(filter, offsets, sizes, strides);
    Access image{roles.splitActivation(padded), roles.inputIndex(reads)};
    Access weights{roles.splitFilter(taps), roles.filterIndex(b.dims(rank, roles.firstKernel()), /*transposed=*/true)};
    sums =
        b.generic(
             roles.loops(rank), {image, weights}, {{sums, roles.outputIndex(b.dims(rank, roles.firstSpatial()))}},
             [&](ScalarBuilder &s, ValueRange x) { return Values{s.add(x[2], s.mul(s.widen(x[0]), s.widen(x[1])))}; })
            .front();
  }
  return roles.joinActivation(finish(sums, rank));
}

Value TransposedConv::runPhases() {
  unsigned rank = window.rank(), first = channelsLast ? 1 : 2;
  SmallVector<SmallVector<Phase>> phases(rank);
  for (unsigned i = 0; i < rank; ++i)
    for (int64_t offset = 0; offset < window.strides[i]; ++offset)
      phases[i].push_back(makePhase(window, i, offset));
  Ints low;
  std::optional<Value> padded = padInput(phases, low);
  if (!padded)
    return runByIndex();
  padded = factorOf(*padded, roles);
  int64_t count = sizeOf(IntsRef(window.strides));
  if (count == 1) {
    SmallVector<Phase> only;
    for (const auto &ofDim : phases)
      only.push_back(ofDim.front());
    return runPhase(only, *padded, low);
  }
  Value result = b.empty(outputShape, element);
  for (int64_t number = 0; number < count; ++number) {
    SmallVector<Phase> phase;
    Shape offsets(outputShape.size(), 0);
    Ints strides(outputShape.size(), 1);
    int64_t rest = number;
    for (unsigned i = 0; i < rank; ++i) {
      phase.push_back(phases[i][rest % window.strides[i]]);
      rest /= window.strides[i];
      offsets[first + i] = phase.back().offset;
      strides[first + i] = window.strides[i];
    }
    if (llvm::all_of(phase, [](const Phase &ofDim) { return ofDim.count != 0; }))
      result = b.insert(runPhase(phase, *padded, low), result, offsets, strides);
  }
  return result;
}

Lowered lowerConvTranspose(onnx::ConvTransposeOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> window = makeTransposedWindow(op);
  if (failed(window))
    return failure();
  return one(TransposedConv(b, op, operands, *window).run());
}

} // namespace

void addConvTransposes(LoweringTable &table) { table.add(lowerConvTranspose); }

} // namespace cameo::lower
