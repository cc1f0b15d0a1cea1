// Shape rules of quantisation and of products of quantised tensors.
#include "dialects/Onnx/ConvRules.h"
#include "dialects/Onnx/ElementTypes.h"
#include "dialects/Onnx/MatMulRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxQuantOps.cpp.inc"

namespace {

/// Whether `dims` are those of a scalar or of a vector of one element.
bool isOneValue(const DimList &dims) { return dims.empty() || (dims.size() == 1 && dims.front().equals(Dim(1))); }

/// Checks a scale or zero point: it has one value, one per element of the axis, or one per block along the axis.
LogicalResult expectScales(Operation *op, SizeConstraints &sizes, unsigned operand, int64_t axis, int64_t blockSize) {
  std::optional<DimList> x = getDims(op->getOperand(0)), scale = getDims(op->getOperand(operand));
  if (blockSize < 0) // quantize_c1
    return op->emitOpError() << "expected 'block_size' of 0 or more, got " << blockSize;
  if (!x || !scale || isOneValue(*scale))
    return success();
  FailureOr<int64_t> normalized = normalizeAxis(op, axis, x->size()); // quantize_c2
  if (failed(normalized))
    return failure();
  if (blockSize == 0)
    return failure(failed(expectRank(op, operand, 0, 1)) ||
                   failed(expectDim(op, sizes, operand, 0, (*x)[*normalized], "elements of the axis"))); // quantize_c3
  if (failed(expectRank(op, operand, x->size(), x->size())))                                             // quantize_c4
    return failure();
  for (auto [i, dim] : llvm::enumerate(*x)) {
    bool isBlocked = int64_t(i) == *normalized;
    Dim expected = isBlocked ? floorDivDim(dim + (blockSize - 1), blockSize) : dim;
    if (failed(expectDim(op, sizes, operand, i, expected, isBlocked ? "blocks of the axis" : "as in operand #0")))
      return failure();
  }
  return success();
}

/// Checks that the zero point has the shape of the scale. If that is one value, both may be a scalar or a vector.
LogicalResult expectSameShape(Operation *op, SizeConstraints &sizes, unsigned operand, unsigned scale) {
  std::optional<DimList> dims = getDims(op->getOperand(scale)), zero = getDims(op->getOperand(operand));
  if (!dims || !zero || (isOneValue(*dims) && isOneValue(*zero)))
    return success();
  return expectDims(op, sizes, operand, *dims, "as in the scale"); // quantize_c5
}

/// Checks that an operand is one value, or a vector with one value per `what`, of which there are `count`.
LogicalResult expectScalarOrPer(Operation *op, SizeConstraints &sizes, unsigned operand, const Dim &count,
                                StringRef what) {
  std::optional<DimList> dims = getDims(op->getOperand(operand));
  if (!dims || isOneValue(*dims))
    return success();
  return failure(failed(expectRank(op, operand, 0, 1)) || failed(expectDim(op, sizes, operand, 0, count, what)));
}

/// Returns the element type that the attribute states; null if it states none.
FailureOr<Type> statedType(Operation *op, int64_t dataType) {
  if (dataType == 0)
    return Type();
  Type type = getElementTypeOf(op->getContext(), dataType);
  if (!type) // quantize_c6
    return op->emitOpError() << "expected 'output_dtype' to be an ONNX element type, got " << dataType;
  return type;
}

bool isQuantizedType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() > 1 && integer.getWidth() <= 16;
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type, Float8E5M2FNUZType, Float4E2M1FNType>(type);
}

} // namespace

LogicalResult QuantizeLinearOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<Type> stated = statedType(*this, getOutputDtype());
  if (failed(stated) || failed(expectScales(*this, sizes, 1, getAxis(), getBlockSize())) ||
      failed(expectSameShape(*this, sizes, 2, 1)))
    return failure();
  Type type = *stated;
  if (!isAbsent(getYZeroPoint())) {
    Type zeroPoint = elementTypeOf(getYZeroPoint());
    if (type && type != zeroPoint) // quantizelinear_c1
      return emitOpError() << "expected 'output_dtype' to be the type of the zero point, " << zeroPoint << ", got "
                           << type;
    type = zeroPoint;
  }
  if (!type)
    type = IntegerType::get(getContext(), 8, IntegerType::Unsigned);
  if (!isQuantizedType(type)) // quantizelinear_c2
    return emitOpError() << "expected a result of 16-bit or narrower integers, or of 8-bit or narrower floats, got "
                         << type;
  types.push_back(makeResultType(getDims(getX()), type));
  return success();
}

LogicalResult DequantizeLinearOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  FailureOr<Type> stated = statedType(*this, getOutputDtype());
  if (failed(stated) || failed(expectSameElementType(*this, {0, 2})) ||
      failed(expectScales(*this, sizes, 1, getAxis(), getBlockSize())) || failed(expectSameShape(*this, sizes, 2, 1)))
    return failure();
  Type type = *stated ? *stated : elementTypeOf(getXScale());
  if (!type.isF32() && !type.isF16() && !type.isBF16()) // dequantizelinear_c1
    return emitOpError() << "expected a result of f32, f16 or bf16, got " << type;
  types.push_back(makeResultType(getDims(getX()), type));
  return success();
}

LogicalResult DynamicQuantizeLinearOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  Type byte = IntegerType::get(getContext(), 8, IntegerType::Unsigned);
  types.push_back(makeResultType(getDims(getX()), byte));
  types.push_back(makeTensorType({}, Float32Type::get(getContext())));
  types.push_back(makeTensorType({}, byte));
  return success();
}

//===- Products ------------------------------------------------------------===//

namespace {

/// Returns the number of filters of a convolution; unknown if the weights are unranked.
Dim filtersOf(Value weights) {
  std::optional<DimList> dims = getDims(weights);
  return dims && !dims->empty() ? dims->front() : Dim::unknown();
}

} // namespace

LogicalResult ConvIntegerOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})) || failed(expectSameElementType(*this, {1, 3})) ||
      failed(expectScalar(*this, sizes, 2)) /*convinteger_c1*/ ||
      failed(expectScalarOrPer(*this, sizes, 3, filtersOf(getW()), "output channels"))) // convinteger_c2
    return failure();
  return inferConvolution(*this, sizes, {/*x=*/0, /*w=*/1, std::nullopt, getGroup(), getChannelsLast()},
                          IntegerType::get(getContext(), 32), types);
}

LogicalResult QLinearConvOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})) || failed(expectSameElementType(*this, {3, 5})))
    return failure();
  for (unsigned operand : {1, 2, 6, 7})
    if (failed(expectScalar(*this, sizes, operand))) // qlinearconv_c1
      return failure();
  for (unsigned operand : {4, 5})
    if (failed(expectScalarOrPer(*this, sizes, operand, filtersOf(getW()), "output channels"))) // qlinearconv_c2
      return failure();
  return inferConvolution(*this, sizes, {/*x=*/0, /*w=*/3, /*bias=*/8, getGroup(), getChannelsLast()},
                          elementTypeOf(getYZeroPoint()), types);
}

LogicalResult QLinearMatMulOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})) || failed(expectSameElementType(*this, {3, 5})) ||
      failed(expectSameElementType(*this, {1, 4, 6})))
    return failure();
  FailureOr<std::optional<DimList>> dims = inferMatMul(*this, sizes, 0, 3);
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, elementTypeOf(getYZeroPoint())));
  return success();
}

LogicalResult MatMulIntegerOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  if (failed(expectSameElementType(*this, {0, 2})) || failed(expectSameElementType(*this, {1, 3})))
    return failure();
  FailureOr<std::optional<DimList>> dims = inferMatMul(*this, sizes, 0, 1);
  if (failed(dims))
    return failure();
  types.push_back(makeResultType(*dims, IntegerType::get(getContext(), 32)));
  return success();
}

LogicalResult BlockedMatMulOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  int64_t bits = getBits(), block = getBlockSize();
  if (bits != 2 && bits != 4 && bits != 8) // blockedmatmul_c1
    return emitOpError() << "expected 'bits' of 2, 4 or 8, got " << bits;
  if (block < 8 || block % 8 != 0) // blockedmatmul_c2
    return emitOpError() << "expected a 'block_size' that is a multiple of 8, got " << block;
  std::optional<DimList> a = getDims(getA()), b = getDims(getB());
  if (failed(expectRank(*this, 1, 3, 3)) || failed(expectRank(*this, 0, 1))) // blockedmatmul_c3, blockedmatmul_c5
    return failure();
  if (!a || !b) {
    types.push_back(makeResultType(std::nullopt, elementTypeOf(getA())));
    return success();
  }
  Dim blocks = (*b)[0], columns = (*b)[2];
  if (failed(expectDim(*this, sizes, 1, 1, Dim(block * bits / 8), "bytes of a block"))) // blockedmatmul_c4
    return failure();
  if (failed(expectDim(*this, sizes, 0, a->size() - 1, blocks * block, "elements of the blocks"))) // blockedmatmul_c5
    return failure();
  for (unsigned operand : {2, 3}) // blockedmatmul_c6
    if (!isAbsent(getOperand(operand)) &&
        failed(expectDims(*this, sizes, operand, {blocks, columns}, "blocks and columns")))
      return failure();
  a->back() = columns;
  types.push_back(makeResultType(*a, elementTypeOf(getA())));
  return success();
}
