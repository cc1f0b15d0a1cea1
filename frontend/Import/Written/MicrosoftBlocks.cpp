// Rewrites products and table look-ups of com.microsoft whose weights are packed integers with a scale per block.
#include "frontend/Import/Written/MicrosoftOperators.h"

#include "dialects/Onnx/ConstantData.h"

using namespace mlir;
using namespace cameo;

Value cameo::unpackNumbers(NodeWriter &w, Value bytes, int64_t bits, bool isHighFirst) {
  if (bits == 8 || !bytes)
    return bytes;
  Type ui8 = w.elementOf(bytes);
  auto byte = [&](int64_t value) { return w.cast(w.scalar(value), ui8); };
  int64_t rank = w.rankOf(bytes), count = 8 / bits;
  if (w.hasFailed())
    return {};
  SmallVector<Value> places;
  for (int64_t place = 0; place < count; ++place) {
    int64_t shift = bits * (isHighFirst ? count - 1 - place : place);
    Value number =
        shift == 0 ? bytes : w.make("BitShift", {bytes, byte(shift)}, w.attr("direction", StringRef("RIGHT")));
    places.push_back(w.unsqueeze(w.make("BitwiseAnd", {number, byte((1 << bits) - 1)}), {rank}));
  }
  SmallVector<int64_t> shape(rank - 1, 0);
  shape.push_back(-1);
  return w.reshape(w.make("Concat", places, w.attr("axis", rank)), shape);
}

Value cameo::firstNumbers(NodeWriter &w, Value value, int64_t count) {
  return w.make("Slice", {value, w.ints({0}), w.ints({count}), w.ints({-1}), w.ints({1})});
}

namespace {

/// The 'accuracy_level' that allows rounding activations to 8 bits.
constexpr int64_t kRoundsActivations = 4;

int64_t takeSize(NodeWriter &w, StringRef name) {
  int64_t size = w.takeInt(name, 0);
  w.expect(size > 0, "expected '" + name + "' of 1 or more, got " + Twine(size));
  return size;
}

/// Returns the zero points as a tensor of shape [columns, blocks].
Value unpackZeroPoints(NodeWriter &w, const PackedMatrix &matrix) {
  if (!w.elementOf(matrix.zeros).isInteger(8))
    return w.reshape(matrix.zeros, {matrix.columns, matrix.blocks()});
  return firstNumbers(w, unpackNumbers(w, w.reshape(matrix.zeros, {matrix.columns, -1}), matrix.bits), matrix.blocks());
}

/// Whether the scales are constant and f16 can represent them up to rounding, without overflow or denormals.
bool areHalves(Value scales) {
  constexpr float least = 0x1p-14f, most = 65504;
  std::optional<std::vector<char>> bytes = cameo::onnx::readConstant(scales);
  for (size_t place = 0; bytes && place + sizeof(float) <= bytes->size(); place += sizeof(float)) {
    float scale;
    std::memcpy(&scale, bytes->data() + place, sizeof(float));
    if (!(std::abs(scale) <= most) || (std::abs(scale) < least && scale != 0))
      return false;
  }
  return bytes.has_value();
}

/// Multiplies by a matrix whose elements have the blocks that `groups` lists, one number for each row of the depth, by
/// dequantizing all weights to f32.
Value multiplyGroups(NodeWriter &w, Value a, const PackedMatrix &matrix, Value groups) {
  Type f32 = w.f32();
  auto ofElements = [&](Value perBlock) {
    return w.make("Gather", {w.cast(perBlock, f32), groups}, w.attr("axis", 1));
  };
  Value numbers =
      firstNumbers(w, unpackNumbers(w, w.reshape(matrix.bytes, {matrix.columns, -1}), matrix.bits), matrix.depth);
  Value zeros = matrix.zeros ? ofElements(unpackZeroPoints(w, matrix)) : w.number(1 << (matrix.bits - 1), f32);
  Value scales = ofElements(w.reshape(matrix.scales, {matrix.columns, matrix.blocks()}));
  Value weights = w.transpose(w.make("Mul", {w.make("Sub", {w.cast(numbers, f32), zeros}), scales}), {1, 0});
  return w.cast(w.make("MatMul", {w.cast(a, f32), weights}), w.elementOf(a));
}

} // namespace

PackedMatrix cameo::takePacking(NodeWriter &w) {
  PackedMatrix matrix;
  matrix.depth = takeSize(w, "K"), matrix.bits = w.takeInt("bits", 4), matrix.block = takeSize(w, "block_size");
  matrix.accuracy = w.takeInt("accuracy_level", 0);
  w.expect(matrix.bits == 2 || matrix.bits == 4 || matrix.bits == 8,
           "expected 'bits' of 2, 4 or 8, got " + Twine(matrix.bits));
  w.expect(matrix.block >= 16 && llvm::isPowerOf2_64(matrix.block),
           "expected a 'block_size' that is a power of 2 from 16 on, got " + Twine(matrix.block));
  return matrix;
}

Value cameo::multiplyPacked(NodeWriter &w, Value a, const PackedMatrix &matrix) {
  int64_t blocks = matrix.blocks(), unused = blocks * matrix.block - matrix.depth, rank = w.rankOf(a);
  w.expect(w.hasFailed() || rank >= 1, "expected a tensor of rank 1 or more, got a scalar");
  if (w.hasFailed())
    return {};
  if (unused != 0)
    a = w.lengthen(a, rank - 1, w.scalar(unused));
  Value packed =
      w.transpose(w.reshape(matrix.bytes, {matrix.columns, blocks, matrix.block * matrix.bits / 8}), {1, 2, 0});
  Value scales = matrix.scales;
  if (matrix.accuracy == kRoundsActivations && !w.hasFailed() && w.elementOf(scales).isF32() && areHalves(scales))
    scales = w.cast(scales, Float16Type::get(scales.getContext()));
  scales = w.transpose(w.reshape(scales, {matrix.columns, blocks}), {1, 0});
  Value zeros = matrix.zeros ? w.transpose(unpackZeroPoints(w, matrix), {1, 0}) : w.none();
  return w.make(
      "BlockedMatMul", {a, packed, scales, zeros},
      {w.attr("bits", matrix.bits), w.attr("block_size", matrix.block), w.attr("accuracy_level", matrix.accuracy)});
}

WrittenResults cameo::writeMatMulNBits(NodeWriter &w) {
  PackedMatrix matrix = takePacking(w);
  matrix.columns = takeSize(w, "N");
  matrix.bytes = w.operand(1), matrix.scales = w.operand(2), matrix.zeros = w.hasOperand(3) ? w.operand(3) : Value();
  int64_t prepacked = w.takeInt("weight_prepacked", 0);
  w.expect(prepacked == 0,
           "expected weights in the order of the specification, got 'weight_prepacked' " + Twine(prepacked));
  if (w.hasFailed())
    return {};
  Value a = w.operand(0);
  return {
      addOptional(w, w.hasOperand(4) ? multiplyGroups(w, a, matrix, w.operand(4)) : multiplyPacked(w, a, matrix), 5)};
}

/// The weights are 4-bit codes of a table of numbers, with the high bits of a byte first. Blocks continue from one row
/// of the matrix to the next.
WrittenResults cameo::writeMatMulBnb4(NodeWriter &w) {
  static constexpr float kNormal[] = {-1,
                                      -0.6961928009986877f,
                                      -0.5250730514526367f,
                                      -0.39491748809814453f,
                                      -0.28444138169288635f,
                                      -0.18477343022823334f,
                                      -0.09105003625154495f,
                                      0,
                                      0.07958029955625534f,
                                      0.16093020141124725f,
                                      0.24611230194568634f,
                                      0.33791524171829224f,
                                      0.44070982933044434f,
                                      0.5626170039176941f,
                                      0.7229568362236023f,
                                      1};
  static constexpr float kFloat[] = {0,    0.00520833f,  2 / 3.f,  1,  1 / 3.f,  0.5f,  1 / 6.f,  0.25f,
                                     -0.f, -0.00520833f, -2 / 3.f, -1, -1 / 3.f, -0.5f, -1 / 6.f, -0.25f};
  int64_t depth = takeSize(w, "K"), columns = takeSize(w, "N"), block = takeSize(w, "block_size");
  int64_t type = w.takeInt("quant_type", 1);
  w.expect(type == 0 || type == 1, "expected a 'quant_type' of 0 or 1, got " + Twine(type));
  w.expect(w.takeInt("transB", 1) == 1, "expected a 'transB' of 1");
  w.takeInt("training_mode", 0);
  if (w.hasFailed())
    return {};
  int64_t count = depth * columns, blocks = llvm::divideCeil(count, block);
  Value codes = firstNumbers(w, unpackNumbers(w, w.reshape(w.operand(1), {-1}), 4, /*isHighFirst=*/true), count);
  Value numbers = w.make("Gather", {w.floats(type == 1 ? ArrayRef(kNormal) : ArrayRef(kFloat)), w.cast(codes, w.i32())},
                         w.attr("axis", 0));
  if (int64_t missing = blocks * block - count; missing != 0)
    numbers = w.lengthen(numbers, 0, w.scalar(missing));
  Value scaled = w.make(
      "Mul", {w.reshape(numbers, {blocks, block}), w.unsqueeze(w.cast(w.reshape(w.operand(2), {-1}), w.f32()), {1})});
  Value weights = w.transpose(w.reshape(firstNumbers(w, w.reshape(scaled, {-1}), count), {columns, depth}), {1, 0});
  Type element = w.elementOf(w.operand(0));
  return {w.cast(w.make("MatMul", {w.cast(w.operand(0), w.f32()), weights}), element)};
}

/// Gathers quantized rows of a table and dequantizes them. An index out of range gives a row of zeros.
WrittenResults cameo::writeGatherBlockQuantized(NodeWriter &w) {
  Value data = w.operand(0), indices = w.operand(1);
  int64_t rank = w.rankOf(data), bits = w.takeInt("bits", 4), block = w.takeInt("block_size", 128);
  int64_t gathered = w.takeInt("gather_axis", 0), quantized = w.takeInt("quantize_axis", 1);
  bool isByte = w.elementOf(data).isInteger(8), isPacked = isByte && bits != 8;
  w.expect(w.hasFailed() || gathered == 0, "expected a 'gather_axis' of 0, got " + Twine(gathered));
  w.expect(w.hasFailed() || rank >= 2, "expected a table of rank 2 or more, got " + Twine(rank));
  w.expect(w.hasFailed() || quantized == rank - 1 || quantized == -1,
           "expected the last 'quantize_axis', got " + Twine(quantized));
  w.expect(!isByte || bits == 2 || bits == 4 || bits == 8, "expected 'bits' of 2, 4 or 8, got " + Twine(bits));
  w.expect(isa<IntegerType>(w.elementOf(data)), "expected a table of integers");
  if (w.hasFailed())
    return {};
  auto rows = [&](Value table) { return w.make("Gather", {table, indices}, w.attr("axis", 0)); };
  Value numbers = rows(data), zeros = w.hasOperand(3) ? rows(w.operand(3)) : w.none();
  if (isPacked)
    numbers = unpackNumbers(w, numbers, bits);
  if (isPacked && w.hasOperand(3)) {
    auto scales = dyn_cast<RankedTensorType>(w.operand(2).getType());
    w.expect(scales && scales.getRank() > 0 && !scales.isDynamicDim(scales.getRank() - 1),
             "expected scales of known size");
    zeros = w.hasFailed() ? Value() : firstNumbers(w, unpackNumbers(w, zeros, bits), scales.getShape().back());
  }
  if (isByte && !w.hasOperand(3))
    numbers = w.make("Sub", {w.cast(numbers, w.i32()), w.cast(w.scalar(1 << (bits - 1)), w.i32())});
  Value y = w.make("DequantizeLinear", {numbers, rows(w.operand(2)), zeros},
                   {w.attr("axis", -1), w.attr("block_size", block)});
  if (!y)
    return {};
  Value count = w.cast(w.sizeOf(data, 0), w.elementOf(indices)), least = w.make("Neg", count);
  Value isThere = w.make("And", {w.make("Less", {indices, count}), w.make("GreaterOrEqual", {indices, least})});
  SmallVector<int64_t> axes;
  for (int64_t axis = w.rankOf(indices), last = axis + rank - 1; axis < last; ++axis)
    axes.push_back(axis);
  return {w.make("Where", {w.unsqueeze(isThere, axes), y, w.number(0, w.elementOf(y))})};
}
