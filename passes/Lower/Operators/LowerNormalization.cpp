// Normalizations: the mean, then the mean square of the differences (two passes, for accuracy), then one elementwise
// linalg.generic.
#include "passes/Lower/Builders/Axes.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::lower {
namespace {

Value add(ScalarBuilder &s, ValueRange x) { return s.add(x[1], x[0]); }

Dim extentOf(Value x, ArrayRef<int64_t> axes) {
  Dim extent = 1;
  for (int64_t axis : axes)
    extent = extent * shapeOf(x)[axis];
  return extent;
}

/// Returns the mean along the axes, which are kept with size 1.
Value meanAlong(GenericBuilder &b, Value x, ArrayRef<int64_t> axes) {
  Type type = computeType(elementOf(x));
  Value sums = b.reduce(x, axes, /*keepDims=*/true, b.getZeroAttr(type), add);
  Dim extent = extentOf(x, axes);
  return b.elementwise(shapeOf(sums), type, {sums},
                       [&](ScalarBuilder &s, ValueRange x) { return s.div(x[0], s.size(extent, type)); });
}

/// Returns the sum of the squares of x - mean (of x if mean is null) along the axes, which are kept with size 1.
Value squaresAlong(GenericBuilder &b, Value x, Value mean, ArrayRef<int64_t> axes) {
  int64_t rank = rankOf(x);
  Type type = computeType(elementOf(x));
  if (!mean)
    return b.reduce(x, axes, /*keepDims=*/true, b.getZeroAttr(type),
                    [](ScalarBuilder &s, ValueRange x) { return s.add(x[1], s.mul(x[0], x[0])); });
  Shape shape = shapeOf(mean);
  Exprs target;
  unsigned kept = 0;
  for (int64_t axis = 0; axis < rank; ++axis)
    target.push_back(llvm::is_contained(axes, axis) ? b.fixed(0) : b.dim(kept++));
  Loops loops{kept, static_cast<unsigned>(axes.size())};
  return b
      .generic(loops, {{x, b.reducedIndex(rank, axes)}, {mean, target}},
               {{b.filled(shape, b.getZeroAttr(type)), target}},
               [](ScalarBuilder &s, ValueRange x) {
                 Value centred = s.sub(s.widen(x[0]), x[1]);
                 return Values{s.add(x[2], s.mul(centred, centred))};
               })
      .front();
}

/// Returns 1 / sqrt(squares / extent + epsilon).
Value inverseDeviation(GenericBuilder &b, Value squares, Dim extent, double epsilon) {
  Type type = elementOf(squares);
  return b.elementwise(shapeOf(squares), type, {squares}, [&](ScalarBuilder &s, ValueRange x) {
    Value variance = s.div(x[0], s.size(extent, type));
    return s.div(s.number(type, 1), s.sqrt(s.add(variance, s.number(type, epsilon))));
  });
}

/// Returns (x - mean) * inverse * scale + bias in the shape of x. Null operands are left out.
Value normalize(GenericBuilder &b, Value x, Value mean, Value inverse, std::optional<Access> scale,
                std::optional<Access> bias, Type element) {
  Shape shape = shapeOf(x);
  SmallVector<Access> inputs = {b.whole(x), b.spread(inverse, shape)};
  if (mean)
    inputs.push_back(b.spread(mean, shape));
  if (scale)
    inputs.push_back(*scale);
  if (bias)
    inputs.push_back(*bias);
  return b.compute(shape, element, inputs, [&](ScalarBuilder &s, ValueRange x) {
    unsigned next = 2;
    Value result = mean ? s.sub(x[0], x[next++]) : x[0];
    result = s.mul(result, x[1]);
    if (scale)
      result = s.mul(result, s.convert(x[next++], result.getType()));
    return bias ? s.add(result, s.convert(x[next], result.getType())) : result;
  });
}

std::optional<Access> accessIf(bool exists, function_ref<Access()> access) {
  return exists ? std::optional(access()) : std::nullopt;
}

Lowered lowerLayerNorm(onnx::LayerNormalizationOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  Shape shape = shapeOf(x);
  Ints axes = axesFrom(normalizeAxis(op.getAxis(), rankOf(x)), rankOf(x));
  Value mean = meanAlong(b, x, axes);
  Value inverse = inverseDeviation(b, squaresAlong(b, x, mean, axes), extentOf(x, axes), op.getEpsilon());
  Value bias = operands.size() > 2 ? operands[2] : Value();
  Value y = normalize(b, x, mean, inverse, b.spread(operands[1], shape),
                      accessIf(!!bias, [&] { return b.spread(bias, shape); }), resultElement(op));
  auto optional = [&](Value result, Value value) {
    bool isAbsent = onnx::isAbsent(result);
    return isAbsent ? Value() : b.convert(value, cast<RankedTensorType>(toSignless(result.getType())).getElementType());
  };
  return Values{y, optional(op.getMean(), mean), optional(op.getInvStdDev(), inverse)};
}

Lowered lowerRMSNorm(onnx::RMSNormalizationOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  Ints axes = axesFrom(normalizeAxis(op.getAxis(), rankOf(x)), rankOf(x));
  Value inverse = inverseDeviation(b, squaresAlong(b, x, {}, axes), extentOf(x, axes), op.getEpsilon());
  return one(normalize(b, x, {}, inverse, b.spread(operands[1], shapeOf(x)), std::nullopt, resultElement(op)));
}

int64_t channelAxis(Value x, bool channelsLast) { return channelsLast ? rankOf(x) - 1 : 1; }

Lowered lowerInstanceNorm(onnx::InstanceNormalizationOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  int64_t channel = channelAxis(x, op.getChannelsLast());
  Ints axes = spatialAxes(x, op.getChannelsLast());
  Value mean = meanAlong(b, x, axes);
  Value inverse = inverseDeviation(b, squaresAlong(b, x, mean, axes), extentOf(x, axes), op.getEpsilon());
  return one(
      normalize(b, x, mean, inverse, b.along(operands[1], channel), b.along(operands[2], channel), resultElement(op)));
}

/// Splits channels into (group, channel) and normalizes over a group's channels and the spatial dimensions.
Lowered lowerGroupNorm(onnx::GroupNormalizationOp op, Operands operands, GenericBuilder &b) {
  int64_t groups = op.getNumGroups(), channel = channelAxis(operands[0], op.getChannelsLast());
  Dim perGroup = shapeOf(operands[0])[channel] / groups;
  auto split = [&](Value tensor, int64_t axis) { return b.splitDim(tensor, axis, {groups, perGroup}); };
  Value x = split(operands[0], channel);
  Ints axes;
  for (int64_t axis = 1; axis < rankOf(x); ++axis)
    if (axis != channel)
      axes.push_back(axis);
  Value mean = meanAlong(b, x, axes);
  Value inverse = inverseDeviation(b, squaresAlong(b, x, mean, axes), extentOf(x, axes), op.getEpsilon());
  auto perChannel = [&](Value vector) { return Access{split(vector, 0), {b.dim(channel), b.dim(channel + 1)}}; };
  Value y = normalize(b, x, mean, inverse, perChannel(operands[1]), perChannel(operands[2]), resultElement(op));
  return one(b.joinDims(y, channel, 2));
}

Lowered lowerMeanVarianceNorm(onnx::MeanVarianceNormalizationOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  Ints axes;
  for (int64_t axis : op.getAxes())
    axes.push_back(normalizeAxis(axis, rankOf(x)));
  llvm::sort(axes);
  Value mean = meanAlong(b, x, axes);
  Type type = elementOf(mean);
  Dim extent = extentOf(x, axes);
  Value deviation =
      b.elementwise(shapeOf(mean), type, {squaresAlong(b, x, mean, axes)}, [&](ScalarBuilder &s, ValueRange x) {
        return s.add(s.sqrt(s.div(x[0], s.size(extent, type))), s.number(type, 1e-9));
      });
  return one(b.elementwise(shapeOf(x), resultElement(op), {x, mean, deviation},
                           [](ScalarBuilder &s, ValueRange x) { return s.div(s.sub(x[0], x[1]), x[2]); }));
}

/// Returns x * factor + (bias - mean * factor), with the factor computed once per channel.
Value applyBatchNorm(GenericBuilder &b, onnx::BatchNormalizationOp op, Operands operands, Value mean, Value variance) {
  int64_t channel = channelAxis(operands[0], op.getChannelsLast());
  Type type = computeType(elementOf(mean));
  double epsilon = op.getEpsilon();
  Value factor = b.elementwise(shapeOf(mean), type, {operands[1], variance}, [&](ScalarBuilder &s, ValueRange x) {
    return s.div(s.convert(x[0], type), s.sqrt(s.add(s.convert(x[1], type), s.number(type, epsilon))));
  });
  SmallVector<Access> inputs = {b.whole(operands[0]), b.along(mean, channel), b.along(factor, channel),
                                b.along(operands[2], channel)};
  return b.compute(resultShape(op), resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value centred = s.sub(x[0], s.convert(x[1], x[0].getType()));
    return s.add(s.mul(centred, s.convert(x[2], x[0].getType())), s.convert(x[3], x[0].getType()));
  });
}

Lowered lowerBatchNorm(onnx::BatchNormalizationOp op, Operands operands, GenericBuilder &b) {
  Value runningMean = operands[3], runningVariance = operands[4];
  if (op.getTrainingMode() == 0)
    return Values{applyBatchNorm(b, op, operands, runningMean, runningVariance), Value(), Value()};
  Ints axes = spatialAxes(operands[0], op.getChannelsLast());
  axes.insert(axes.begin(), 0);
  Value mean = meanAlong(b, operands[0], axes);
  Value squares = squaresAlong(b, operands[0], mean, axes);
  Dim extent = extentOf(operands[0], axes);
  double momentum = op.getMomentum();
  Shape channels = shapeOf(runningMean);
  Type type = elementOf(mean);
  mean = b.reshape(mean, channels);
  Value variance = b.elementwise(channels, type, {b.reshape(squares, channels)},
                                 [&](ScalarBuilder &s, ValueRange x) { return s.div(x[0], s.size(extent, type)); });
  auto run = [&](Value result, Value old, Value current) {
    if (onnx::isAbsent(result))
      return Value();
    Type element = cast<RankedTensorType>(result.getType()).getElementType();
    return b.elementwise(channels, element, {old, current}, [&](ScalarBuilder &s, ValueRange x) {
      Value before = s.convert(x[0], type);
      return s.add(s.mul(before, s.number(type, momentum)), s.mul(x[1], s.number(type, 1 - momentum)));
    });
  };
  return Values{applyBatchNorm(b, op, operands, mean, variance), run(op.getRunningMean(), runningMean, mean),
                run(op.getRunningVar(), runningVariance, variance)};
}

Lowered lowerLpNorm(onnx::LpNormalizationOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  bool isL1 = op.getP() == 1;
  int64_t axis = normalizeAxis(op.getAxis(), rankOf(x));
  Value sums =
      b.reduce(x, {axis}, /*keepDims=*/true, b.getZeroAttr(computeType(elementOf(x))),
               [&](ScalarBuilder &s, ValueRange x) { return s.add(x[1], isL1 ? s.abs(x[0]) : s.mul(x[0], x[0])); });
  Value norm = b.elementwise(shapeOf(sums), elementOf(sums), {sums},
                             [&](ScalarBuilder &s, ValueRange x) { return isL1 ? x[0] : s.sqrt(x[0]); });
  return one(b.elementwise(shapeOf(x), resultElement(op), {x, norm}, [](ScalarBuilder &s, ValueRange x) {
    Value zero = s.number(x[1].getType(), 0);
    return s.select(s.compare(Order::Equal, x[1], zero), zero, s.div(x[0], x[1]));
  }));
}

/// Computes x / (bias + alpha / size * sum of squares of the neighbouring channels)^beta.
Lowered lowerLRN(onnx::LRNOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  int64_t rank = rankOf(x), channel = channelAxis(x, op.getChannelsLast()), size = op.getSize();
  Type type = computeType(elementOf(x));
  Shape low(rank, 0), high(rank, 0);
  low[channel] = (size - 1) / 2;
  high[channel] = size - 1 - (size - 1) / 2;
  Exprs reads = b.dims(rank);
  reads[channel] = b.dim(channel) + b.dim(rank);
  Value padded = b.pad(x, low, high, b.getZeroAttr(elementOf(x)));
  Access window{b.empty({size}, type), {b.dim(rank)}};
  Access sums{b.filled(shapeOf(x), b.getZeroAttr(type)), b.dims(rank)};
  Value squares = b.generic({static_cast<unsigned>(rank), 1}, {{padded, reads}, window}, {sums},
                            [](ScalarBuilder &s, ValueRange x) {
                              Value element = s.widen(x[0]);
                              return Values{s.add(x[2], s.mul(element, element))};
                            })
                      .front();
  double factor = op.getAlpha() / static_cast<double>(size), beta = op.getBeta();
  double bias = op.getBias();
  return one(b.elementwise(shapeOf(x), resultElement(op), {x, squares}, [&](ScalarBuilder &s, ValueRange x) {
    Value base = s.add(s.number(type, bias), s.mul(s.number(type, factor), x[1]));
    return s.div(x[0], s.pow(base, beta));
  }));
}

Lowered lowerDropout(onnx::DropoutOp op, Operands operands, GenericBuilder &b) {
  auto isZero = [&](unsigned operand) {
    if (operands.size() <= operand || !operands[operand])
      return operand == 2; // the default ratio is 0.5, and training is off
    std::optional<Ints> flag = operand == 2 ? knownInts(op->getOperand(2)) : std::nullopt;
    std::optional<SmallVector<double>> ratio = operand == 1 ? onnx::getConstantFloats(op->getOperand(1)) : std::nullopt;
    return (flag && flag->front() == 0) || (ratio && ratio->front() == 0);
  };
  if (!isZero(2) && !isZero(1))
    return unsupported(op, "training mode");
  Value mask =
      onnx::isAbsent(op.getMask()) ? Value() : b.filled(resultShape(op, 1), b.getIntegerAttr(b.getI1Type(), 1));
  return Values{operands[0], mask};
}

} // namespace

void addNormalizations(LoweringTable &table) {
  table.add(lowerLayerNorm);
  table.add(lowerRMSNorm);
  table.add(lowerInstanceNorm);
  table.add(lowerGroupNorm);
  table.add(lowerMeanVarianceNorm);
  table.add(lowerBatchNorm);
  table.add(lowerLpNorm);
  table.add(lowerLRN);
  table.add(lowerDropout);
}

} // namespace cameo::lower
