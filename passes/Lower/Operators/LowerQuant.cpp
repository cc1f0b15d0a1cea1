// Quantization and products of quantized tensors: integers are subtracted and multiplied exactly in i32, float8 in f32;
// results are rounded half to even and saturated.
#include "passes/Lower/Formulas/ByteSteps.h"
#include "passes/Lower/Formulas/Convolution.h"
#include "passes/Lower/Formulas/MatrixProduct.h"
#include "passes/Lower/Formulas/NarrowNumbers.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace cameo::lower {
namespace {

/// Returns the scale of each element of the data, for blocks whose last one is incomplete.
Value repeatBlocks(GenericBuilder &b, Value scale, ShapeRef shape, int64_t axis, int64_t blockSize) {
  return b.map(shape, elementOf(scale), {}, [&](ScalarBuilder &s, ValueRange) {
    SmallVector<Value> at;
    for (int64_t i = 0, rank = shape.size(); i < rank; ++i)
      at.push_back(i == axis ? s.div(s.position(i), s.indexConstant(blockSize)) : s.position(i));
    at[axis] = s.clampIndex(at[axis], shapeOf(scale)[axis]);
    return s.extract(scale, at);
  });
}

/// A data tensor whose quantized axis is split into (block, element) if scales are per block, and the access to the
/// scales in its loops.
struct BlockedAxis {
  Value data;
  int64_t axis;
  bool isSplit;
  /// Size of blocks that do not divide the axis; otherwise 0.
  int64_t unevenBlock = 0;

  Access access(GenericBuilder &b, Value scale) const {
    if (unevenBlock != 0)
      return b.whole(repeatBlocks(b, scale, shapeOf(data), axis, unevenBlock));
    if (!isSplit)
      return rankOf(scale) == 1 ? b.along(scale, axis) : b.spread(scale, shapeOf(data));
    Exprs index = b.dims(rankOf(data));
    index.erase(index.begin() + axis + 1);
    return {scale, index};
  }
  Value join(GenericBuilder &b, Value result) const { return isSplit ? b.joinDims(result, axis, 2) : result; }
};

BlockedAxis splitBlocks(GenericBuilder &b, Value data, Value scale, int64_t axis, int64_t blockSize) {
  int64_t rank = rankOf(data);
  axis = rank == 0 ? 0 : normalizeAxis(axis, rank);
  if (blockSize == 0 || sizeOf(shapeOf(scale)) == 1)
    return {data, axis, false};
  if (shapeOf(data)[axis] != shapeOf(scale)[axis] * blockSize)
    return {data, axis, false, blockSize};
  return {b.splitDim(data, axis, {shapeOf(scale)[axis], blockSize}), axis, true};
}

/// Computes round(x) + zero point (may be null), saturated to the type.
Value requantize(ScalarBuilder &s, Value x, Value zeroPoint, Type element, Sign sign) {
  Value rounded = s.apply<math::RoundEvenOp>(x);
  if (zeroPoint)
    rounded = s.add(rounded, s.convert(zeroPoint, rounded.getType(), sign));
  return s.convert(rounded, element, Sign::Signed, sign);
}

/// Reads a scale or zero point as a number. The type of the onnx operand says whether it is a narrow one.
Value readNumber(ScalarBuilder &s, Value x, Value onnxOperand) {
  Type type = getElementTypeOrSelf(onnxOperand.getType());
  return isNarrow(type) ? decodeNarrow(s, x, type) : s.widen(x);
}

/// Returns the type to which the quotient is rounded before it is quantized.
Type divisionType(onnx::QuantizeLinearOp op) {
  Type scale = getElementTypeOrSelf(op.getYScale().getType());
  if (op.getPrecision() != 0)
    scale = onnx::getElementTypeOf(op.getContext(), op.getPrecision());
  bool isFloat = scale && (scale.isF16() || scale.isBF16() || scale.isF32() || scale.isF64());
  return isFloat ? scale : Float32Type::get(op.getContext());
}

Lowered lowerQuantize(onnx::QuantizeLinearOp op, Operands operands, GenericBuilder &b) {
  Type target = getElementTypeOrSelf(op.getY().getType()), precision = divisionType(op), type = computeType(precision);
  BlockedAxis blocked = splitBlocks(b, operands[0], operands[1], op.getAxis(), op.getBlockSize());
  bool hasZero = operands.size() > 2 && operands[2];
  Sign sign = signOf(op.getY());
  SmallVector<Access> inputs = {b.whole(blocked.data), blocked.access(b, operands[1])};
  if (hasZero)
    inputs.push_back(blocked.access(b, operands[2]));
  Value result = b.map(shapeOf(blocked.data), resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) -> Value {
    Value scale = s.convert(readNumber(s, x[1], op.getYScale()), type);
    Value quotient = s.convert(s.convert(s.div(s.convert(s.widen(x[0]), type), scale), precision), type);
    Value zero = hasZero ? readNumber(s, x[2], op.getYZeroPoint()) : Value();
    if (!isNarrow(target))
      return requantize(s, quotient, zero, resultElement(op), sign);
    if (auto floating = dyn_cast<FloatType>(target))
      return encodeNarrowFloat(s, zero ? s.add(quotient, s.convert(zero, type)) : quotient, floating,
                               {op.getSaturate() != 0});
    Value rounded = s.apply<math::RoundEvenOp>(quotient);
    if (zero)
      rounded = s.add(rounded, s.convert(zero, type, sign));
    int64_t width = target.getIntOrFloatBitWidth(), least = sign == Sign::Unsigned ? 0 : -(1 << (width - 1));
    Value limited = s.min(s.max(rounded, s.number(type, least)), s.number(type, least + (1 << width) - 1));
    return encodeNarrowInteger(s, s.convert(limited, b.getI32Type()), cast<IntegerType>(target));
  });
  return one(blocked.join(b, result));
}

Lowered lowerDequantize(onnx::DequantizeLinearOp op, Operands operands, GenericBuilder &b) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(op.getX().getType()));
  BlockedAxis blocked = splitBlocks(b, operands[0], operands[1], op.getAxis(), op.getBlockSize());
  Sign sign = signOf(op.getX());
  SmallVector<Access> inputs = {b.whole(blocked.data), blocked.access(b, operands[1])};
  bool hasZero = operands.size() > 2 && operands[2];
  if (hasZero)
    inputs.push_back(blocked.access(b, operands[2]));
  Type f32 = b.getF32Type(), exact = isFloat ? f32 : Type(b.getI32Type());
  Value result = b.map(shapeOf(blocked.data), resultElement(op), inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value number = s.convert(readNumber(s, x[0], op.getX()), exact, sign);
    if (hasZero)
      number = s.sub(number, s.convert(readNumber(s, x[2], op.getXZeroPoint()), exact, sign));
    Value scale = s.convert(readNumber(s, x[1], op.getXScale()), f32);
    return s.convert(s.mul(s.convert(number, f32), scale), resultElement(op));
  });
  return one(blocked.join(b, result));
}

Lowered lowerDynamicQuantize(onnx::DynamicQuantizeLinearOp op, Operands operands, GenericBuilder &b) {
  Value x = operands[0];
  Type ui8 = b.getIntegerType(8);
  auto [least, scale] = findByteSteps(b, x);
  Value zero = b.elementwise({}, ui8, {least, scale}, [&](ScalarBuilder &s, ValueRange x) {
    return requantize(s, s.div(s.negate(x[0]), x[1]), {}, ui8, Sign::Unsigned);
  });
  Value y = b.elementwise(shapeOf(x), ui8, {x, scale, zero}, [&](ScalarBuilder &s, ValueRange x) {
    return requantize(s, s.div(x[0], x[1]), x[2], ui8, Sign::Unsigned);
  });
  return Values{y, scale, zero};
}

/// Returns the tensor as i32 minus its zero point (may be null), which is one number or one per element of `axis`.
Value centre(GenericBuilder &b, Value tensor, Value zeroPoint, Sign sign, int64_t axis) {
  Type i32 = b.getI32Type();
  if (!zeroPoint)
    return b.convert(tensor, i32, sign);
  return b.map(shapeOf(tensor), i32, {b.whole(tensor), b.along(zeroPoint, axis)}, [&](ScalarBuilder &s, ValueRange x) {
    return s.sub(s.convert(x[0], i32, sign), s.convert(x[1], i32, sign));
  });
}

// Without zero points the bytes are multiplied unchanged, so that the byte products of processors apply.

Lowered lowerConvInteger(onnx::ConvIntegerOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> window = windowOf(op, op.getX(), op.getY(), kernelOf(op, op.getW()));
  if (failed(window))
    return failure();
  Value input = operands[0], filter = operands[1], inputZero = operandOr(operands, 2),
        filterZero = operandOr(operands, 3);
  FactorSigns signs{signOf(op.getX()), signOf(op.getW())};
  if (inputZero || filterZero) {
    input = centre(b, input, inputZero, signs.left, 0);
    filter = centre(b, filter, filterZero, signs.right, 0);
  }
  return one(convolve(b, input, filter, {}, *window, op.getGroup(), op.getChannelsLast(), resultElement(op), signs));
}

/// Accesses a zero point or scale of a matrix: one number, one per row of the left or column of the right matrix, or
/// one of the matrix's rank.
Access alongMatrix(GenericBuilder &b, Value parameter, ShapeRef shape, bool isLeft) {
  if (sizeOf(shapeOf(parameter)) == 1)
    return b.single(parameter);
  if (rankOf(parameter) == 1)
    return b.along(parameter, isLeft ? shape.size() - 2 : shape.size() - 1);
  return b.spread(parameter, shape);
}

/// Returns the matrix as `type` minus its zero point (may be null).
Value centreMatrix(GenericBuilder &b, Value matrix, Value zeroPoint, Value onnxMatrix, Type type, bool isLeft) {
  Sign sign = signOf(onnxMatrix);
  if (!zeroPoint)
    return b.convert(matrix, type, sign);
  Access zero = alongMatrix(b, zeroPoint, shapeOf(matrix), isLeft);
  return b.map(shapeOf(matrix), type, {b.whole(matrix), zero}, [&](ScalarBuilder &s, ValueRange x) {
    auto read = [&](Value element) { return s.convert(readNumber(s, element, onnxMatrix), type, sign); };
    return s.sub(read(x[0]), read(x[1]));
  });
}

Lowered lowerMatMulInteger(onnx::MatMulIntegerOp op, Operands operands, GenericBuilder &b) {
  Value left = operands[0], right = operands[1], leftZero = operandOr(operands, 2), rightZero = operandOr(operands, 3);
  FactorSigns signs{signOf(op.getA()), signOf(op.getB())};
  if (leftZero || rightZero) {
    left = centreMatrix(b, left, leftZero, op.getA(), b.getI32Type(), true);
    right = centreMatrix(b, right, rightZero, op.getB(), b.getI32Type(), false);
  }
  return one(multiplyMatrices(b, left, right, signs));
}

/// Computes sums * (scale1 * scale2 / scale3), rounds, adds the zero point and converts to the result's elements. The
/// inputs are sums, three scales, zero point.
Value requantizeSums(GenericBuilder &b, ShapeRef shape, Value onnxResult, ArrayRef<Access> inputs) {
  Type target = getElementTypeOrSelf(onnxResult.getType());
  Type element = cast<RankedTensorType>(toSignless(onnxResult.getType())).getElementType();
  return b.compute(shape, element, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value factor = s.div(s.mul(x[1], x[2]), x[3]), number = s.mul(s.convert(x[0], factor.getType()), factor);
    if (auto floating = dyn_cast<FloatType>(target))
      return encodeNarrowFloat(s, s.add(number, decodeNarrow(s, x[4], target)), floating, {});
    return requantize(s, number, x[4], element, signOf(onnxResult));
  });
}

Lowered lowerQLinearConv(onnx::QLinearConvOp op, Operands operands, GenericBuilder &b) {
  FailureOr<Window> window = windowOf(op, op.getX(), op.getY(), kernelOf(op, op.getW()));
  if (failed(window))
    return failure();
  Value input = centre(b, operands[0], operands[2], signOf(op.getX()), 0);
  Value filter = centre(b, operands[3], operands[5], signOf(op.getW()), 0);
  Value sums =
      convolve(b, input, filter, operandOr(operands, 8), *window, op.getGroup(), op.getChannelsLast(), b.getI32Type());
  int64_t channel = op.getChannelsLast() ? rankOf(sums) - 1 : 1;
  SmallVector<Access> inputs = {b.whole(sums), b.single(operands[1]), b.along(operands[4], channel),
                                b.single(operands[6]), b.single(operands[7])};
  return one(requantizeSums(b, resultShape(op), op.getY(), inputs));
}

Lowered lowerQLinearMatMul(onnx::QLinearMatMulOp op, Operands operands, GenericBuilder &b) {
  auto isFloat = [](Value onnxMatrix) { return isa<FloatType>(getElementTypeOrSelf(onnxMatrix.getType())); };
  Type type = isFloat(op.getA()) || isFloat(op.getB()) ? Type(b.getF32Type()) : b.getI32Type();
  Value left = centreMatrix(b, operands[0], operands[2], op.getA(), type, true);
  Value right = centreMatrix(b, operands[3], operands[5], op.getB(), type, false);
  Value sums = multiplyMatrices(b, left, right);
  Shape shape = shapeOf(sums);
  SmallVector<Access> inputs = {b.whole(sums), alongMatrix(b, operands[1], shape, true),
                                alongMatrix(b, operands[4], shape, false), b.single(operands[6]),
                                b.single(operands[7])};
  return one(requantizeSums(b, shape, op.getY(), inputs));
}

} // namespace

void addQuantization(LoweringTable &table) {
  table.add(lowerQuantize);
  table.add(lowerDequantize);
  table.add(lowerDynamicQuantize);
  table.add(lowerConvInteger);
  table.add(lowerMatMulInteger);
  table.add(lowerQLinearConv);
  table.add(lowerQLinearMatMul);
}

} // namespace cameo::lower
