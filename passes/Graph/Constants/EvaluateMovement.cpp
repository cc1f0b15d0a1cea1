#include "passes/Graph/Constants/EvaluateConstant.h"
#include "passes/Graph/Constants/ScalarConstant.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/KnownTensor.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/StridedRead.h"

using namespace mlir;

namespace cameo::graph {

SmallVector<int64_t> getBroadcastStrides(ArrayRef<int64_t> operand, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 0);
  SmallVector<int64_t> own = onnx::rowMajorStrides(operand);
  int64_t missing = shape.size() - operand.size();
  for (size_t i = 0; i < operand.size(); ++i)
    strides[missing + i] = operand[i] == 1 ? 0 : own[i];
  return strides;
}

namespace {

std::optional<onnx::StridedRead> describeSlice(onnx::SliceOp op, RankedTensorType type, ArrayRef<int64_t> shape) {
  std::optional<SmallVector<int64_t>> starts = onnx::getConstantInts(op.getStarts());
  std::optional<SmallVector<int64_t>> axes, steps;
  if (isa<NoneType>(op.getAxes().getType()))
    axes = llvm::to_vector(llvm::seq<int64_t>(0, starts ? starts->size() : 0));
  else
    axes = getAxes(op.getAxes(), type.getRank());
  if (!isa<NoneType>(op.getSteps().getType()))
    steps = onnx::getConstantInts(op.getSteps());
  else if (starts)
    steps = SmallVector<int64_t>(starts->size(), 1);
  if (!starts || !axes || !steps)
    return std::nullopt;
  onnx::StridedRead read{SmallVector<int64_t>(shape), onnx::rowMajorStrides(type.getShape()), 0};
  for (auto [start, axis, step] : llvm::zip(*starts, *axes, *steps)) {
    int64_t size = type.getDimSize(axis);
    int64_t first = std::clamp<int64_t>(start < 0 ? start + size : start, 0, step < 0 ? size - 1 : size);
    read.offset += first * read.strides[axis];
    read.strides[axis] *= step;
  }
  return read;
}

std::optional<onnx::StridedRead> describeTranspose(onnx::TransposeOp op, RankedTensorType type,
                                                   ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides = onnx::rowMajorStrides(type.getShape());
  onnx::StridedRead read{SmallVector<int64_t>(shape), {}, 0};
  for (int64_t i = 0; i < type.getRank(); ++i)
    read.strides.push_back(strides[op.getPerm() ? (*op.getPerm())[i] : type.getRank() - 1 - i]);
  return read;
}

std::optional<Bytes> evaluateConcat(onnx::ConcatOp op, ArrayRef<ConstantTensor> operands) {
  int64_t rank = operands.front().type.getRank();
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + rank : op.getAxis();
  int64_t lines = 1, total = 0;
  for (int64_t size : operands.front().type.getShape().take_front(axis))
    lines *= size;
  for (const ConstantTensor &operand : operands)
    total += operand.bytes.size();
  Bytes result(total);
  if (total == 0)
    return result;
  char *to = result.data();
  for (int64_t line = 0; line < lines; ++line)
    for (const ConstantTensor &operand : operands) {
      size_t lineBytes = operand.bytes.size() / lines;
      to = llvm::copy(operand.bytes.slice(line * lineBytes, lineBytes), to);
    }
  return result;
}

/// Pads with zeros. Returns nothing for other modes and values, and where elements are cut off.
std::optional<Bytes> evaluatePad(onnx::PadOp op, const ConstantTensor &data, ArrayRef<int64_t> shape,
                                 int64_t elementBytes) {
  std::optional<SmallVector<int64_t>> pads = onnx::getConstantInts(op.getPads());
  if (!pads || op.getMode() != "constant" || !onnx::isAbsent(op.getConstantValue()) || !onnx::isAbsent(op.getAxes()) ||
      llvm::any_of(*pads, [](int64_t each) { return each < 0; }) || shape.empty() || data.bytes.empty())
    return std::nullopt;
  ArrayRef<int64_t> own = data.type.getShape();
  SmallVector<int64_t> strides = onnx::rowMajorStrides(shape);
  int64_t lineBytes = own.back() * elementBytes;
  Bytes result(static_cast<size_t>(shape.front() * strides.front() * elementBytes));
  for (int64_t line = 0; line * lineBytes < static_cast<int64_t>(data.bytes.size()); ++line) {
    int64_t place = (*pads)[own.size() - 1], left = line;
    for (size_t dim = own.size() - 1; dim-- > 0; left /= own[dim])
      place += (left % own[dim] + (*pads)[dim]) * strides[dim];
    llvm::copy(data.bytes.slice(line * lineBytes, lineBytes), result.begin() + place * elementBytes);
  }
  return result;
}

/// Gathers rows of the first operand along an axis, at constant indices.
std::optional<Bytes> evaluateGather(onnx::GatherOp op, const ConstantTensor &data, int64_t elementBytes) {
  std::optional<SmallVector<int64_t>> indices = onnx::getConstantInts(op.getIndices());
  if (!indices)
    return std::nullopt;
  ArrayRef<int64_t> shape = data.type.getShape();
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + data.type.getRank() : op.getAxis();
  int64_t lines = 1, lineBytes = elementBytes;
  for (int64_t size : shape.take_front(axis))
    lines *= size;
  for (int64_t size : shape.drop_front(axis + 1))
    lineBytes *= size;
  Bytes result(lines * indices->size() * lineBytes);
  char *to = result.data();
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t index : *indices) {
      int64_t place = index < 0 ? index + shape[axis] : index;
      if (place < 0 || place >= shape[axis])
        return std::nullopt;
      to = llvm::copy(data.bytes.slice((line * shape[axis] + place) * lineBytes, lineBytes), to);
    }
  return result;
}

} // namespace

std::optional<Bytes> evaluateMovement(Operation *op, ArrayRef<ConstantTensor> operands) {
  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!resultType || !resultType.hasStaticShape() || operands.empty() || !operands.front().type)
    return std::nullopt;
  const ConstantTensor &data = operands.front();
  int64_t bits = resultType.getElementType().isIntOrFloat() ? resultType.getElementTypeBitWidth() : 0;
  if (bits == 0 || bits % 8 != 0)
    return std::nullopt;
  std::optional<onnx::StridedRead> read;
  if (auto slice = dyn_cast<onnx::SliceOp>(op))
    read = describeSlice(slice, data.type, resultType.getShape());
  else if (auto transpose = dyn_cast<onnx::TransposeOp>(op))
    read = describeTranspose(transpose, data.type, resultType.getShape());
  else if (isa<onnx::ExpandOp>(op))
    read = onnx::StridedRead{SmallVector<int64_t>(resultType.getShape()),
                             getBroadcastStrides(data.type.getShape(), resultType.getShape()), 0};
  else if (auto concat = dyn_cast<onnx::ConcatOp>(op))
    return evaluateConcat(concat, operands);
  else if (auto pad = dyn_cast<onnx::PadOp>(op))
    return evaluatePad(pad, data, resultType.getShape(), bits / 8);
  else if (auto gather = dyn_cast<onnx::GatherOp>(op))
    return evaluateGather(gather, data, bits / 8);
  return read ? onnx::readStrided(*read, data.bytes, bits / 8) : std::nullopt;
}

} // namespace cameo::graph
