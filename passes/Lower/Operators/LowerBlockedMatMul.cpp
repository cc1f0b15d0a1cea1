// Products with packed low-bit numbers whose blocks share scales, as sums of floats or as scaled sums of bytes.
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Target/TargetDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

#include <numeric>

using namespace mlir;

namespace cameo::lower {
namespace {

/// The factors of the numbers packed in a byte. The low bits up to number i, byte & (2^(bits * (i + 1)) - 1), minus
/// those up to number i - 1 are number i times 2^(bits * i). So the sum of all numbers times x[i] equals the sum of
/// these low bits times parts[i] = x[i] / 2^(bits * i) - x[i + 1] / 2^(bits * (i + 1)). This takes no shifts, and no
/// mask for the last number. `shift` is the sum of all x[i] times -zero.
struct ByteFactors {
  Values parts;
  Value shift;
};

ByteFactors makeByteFactors(GenericBuilder &b, Value a, const Dim &bytes, int64_t bits, double zero) {
  unsigned rank = rankOf(a), count = 8 / bits;
  Shape shape = shapeOf(a);
  shape.back() = bytes;
  SmallVector<Access> numbers;
  for (unsigned place = 0; place < count; ++place) {
    Exprs index = b.dims(rank);
    index.back() = index.back() * count + place;
    numbers.push_back({a, index});
  }
  Type f32 = b.getF32Type();
  auto weigh = [&](ScalarBuilder &s, Value x, unsigned place) {
    return s.mul(x, s.number(f32, 1.0 / (1 << (bits * place))));
  };
  ByteFactors factors;
  for (unsigned place = 0; place < count; ++place)
    factors.parts.push_back(b.map(shape, f32, ArrayRef(numbers).slice(place, place + 1 < count ? 2 : 1),
                                  [&](ScalarBuilder &s, ValueRange x) {
                                    Value own = weigh(s, x[0], place);
                                    return x.size() > 1 ? s.sub(own, weigh(s, x[1], place + 1)) : own;
                                  }));
  factors.shift = b.map(shape, f32, numbers, [&](ScalarBuilder &s, ValueRange x) {
    Value sum = std::accumulate(x.begin() + 1, x.end(), x[0], [&](Value sum, Value term) { return s.add(sum, term); });
    return s.mul(sum, s.number(f32, -zero));
  });
  return factors;
}

/// Computes sums of floats. The loops are those of A without its last dimension, columns; blocks, bytes of a block. The
/// numbers of a byte are unpacked together and stay in registers.
Value multiplyFloats(onnx::BlockedMatMulOp op, Operands operands, GenericBuilder &b) {
  Value a = operands[0], packed = operands[1], zeros = operandOr(operands, 3);
  int64_t bits = op.getBits(), perBlock = op.getBlockSize() * bits / 8;
  unsigned rows = rankOf(a) - 1, column = rows, block = rows + 1, byte = rows + 2;
  Shape shape = shapeOf(a), packedShape = shapeOf(packed);
  shape.back() = packedShape[2];
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  ByteFactors factors =
      makeByteFactors(b, b.convert(a, f32), packedShape[0] * perBlock, bits, zeros ? 1 : 1 << (bits - 1));
  SmallVector<Access> inputs = {{packed, {b.dim(block), b.dim(byte), b.dim(column)}},
                                {operands[2], {b.dim(block), b.dim(column)}}};
  Exprs index = b.dims(rows);
  index.push_back(b.dim(block) * perBlock + b.dim(byte));
  inputs.push_back({factors.shift, index});
  for (Value part : factors.parts)
    inputs.push_back({part, index});
  if (zeros)
    inputs.push_back({zeros, {b.dim(block), b.dim(column)}});
  Value start = b.filled(shape, b.getZeroAttr(f32));
  auto body = [&](ScalarBuilder &s, ValueRange x) {
    constexpr unsigned firstPart = 3;
    unsigned count = factors.parts.size();
    Value number = s.convert(x[0], i32, Sign::Unsigned);
    Value sum = zeros ? s.mul(x[2], s.convert(s.widen(x[firstPart + count]), f32, Sign::Unsigned)) : x[2];
    for (unsigned place = 0; place < count; ++place) {
      Value below =
          place + 1 < count ? s.apply<arith::AndIOp>(number, s.integer(i32, (1 << (bits * (place + 1))) - 1)) : number;
      sum = s.add(sum, s.mul(x[firstPart + place], s.convert(below, f32)));
    }
    return Values{s.add(x.back(), s.mul(sum, s.widen(x[1])))};
  };
  return b.generic({column + 1, 2}, inputs, {{start, b.dims(column + 1)}}, body).front();
}

/// The elements of A of each block, rounded to multiples of 1/127 of the largest of them.
class RoundedRows {
public:
  RoundedRows(GenericBuilder &b, Value a, const Dim &blocks, int64_t blockSize)
      : b(b), shape(shapeOf(a)), rank(rankOf(a)), blockSize(blockSize) {
    Type f32 = b.getF32Type();
    split = b.splitDim(b.convert(a, f32), rank - 1, {blocks, Dim(blockSize)});
    Value largest = b.reduce(split, {rank}, /*keepDims=*/false, b.getZeroAttr(f32),
                             [](ScalarBuilder &s, ValueRange x) { return s.max(x[1], s.abs(x[0])); });
    steps = b.elementwise(shapeOf(largest), f32, {largest},
                          [&](ScalarBuilder &s, ValueRange x) { return s.div(x[0], s.number(f32, 127)); });
  }

  /// Returns the rounded elements as bytes: rows, blocks, `parts` groups (those multiplied by the first number of
  /// packed bytes, then by the next), bytes of a block.
  Value bytes(int64_t parts) {
    Shape of = shapeOf(steps);
    of.append({Dim(parts), Dim(blockSize / parts)});
    Exprs element = b.dims(rank);
    element.push_back(b.dim(rank + 1) * parts + b.dim(rank));
    return b.map(of, b.getIntegerType(8), {{split, element}, {steps, b.dims(rank)}},
                 [&](ScalarBuilder &s, ValueRange x) { return s.convert(round(s, x), b.getIntegerType(8)); });
  }

  /// Returns the sums of `bytes` per row and block, times `factor`.
  Value sums(Value bytes, int64_t factor) {
    Type i32 = b.getI32Type();
    Value sums = b.reduce(bytes, {rank, rank + 1}, /*keepDims=*/false, b.getZeroAttr(i32),
                          [&](ScalarBuilder &s, ValueRange x) { return s.add(x[1], s.convert(x[0], i32)); });
    return b.elementwise(shapeOf(sums), i32, {sums},
                         [&](ScalarBuilder &s, ValueRange x) { return s.mul(x[0], s.integer(i32, factor)); });
  }

  /// Returns the rounded elements as floats in the shape of A.
  Value floats() {
    Value rounded = b.map(shapeOf(split), b.getF32Type(), {b.whole(split), {steps, b.dims(rank)}},
                          [&](ScalarBuilder &s, ValueRange x) { return s.mul(round(s, x), x[1]); });
    return b.reshape(rounded, shape);
  }

  Value steps; ///< f32, per row and block

private:
  static Value round(ScalarBuilder &s, ValueRange x) {
    Value isEmpty = s.compare(Order::Equal, x[1], s.number(x[1].getType(), 0));
    return s.apply<math::RoundEvenOp>(s.div(x[0], s.select(isEmpty, s.number(x[1].getType(), 1), x[1])));
  }

  GenericBuilder &b;
  Shape shape;
  int64_t rank, blockSize;
  Value split; ///< A with its last dimension split into blocks
};

/// Computes sums of bytes with the same loops. The sum of a block is an integer, the form in which the emission finds
/// groups of bytes. The correction for zero points of a whole block is subtracted at its first byte.
Value multiplyBytes(onnx::BlockedMatMulOp op, Operands operands, RoundedRows &rounded, GenericBuilder &b) {
  Value packed = operands[1], zeros = operandOr(operands, 3);
  int64_t bits = op.getBits(), parts = 8 / bits;
  unsigned rows = rankOf(operands[0]) - 1, column = rows, block = rows + 1, byte = rows + 2;
  Shape shape = shapeOf(operands[0]), packedShape = shapeOf(packed);
  shape.back() = packedShape[2];
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value bytes = rounded.bytes(parts);
  Exprs ofBlock = b.dims(rows);
  ofBlock.push_back(b.dim(block));
  Value offsets = rounded.sums(bytes, zeros ? -1 : -(1 << (bits - 1)));
  SmallVector<Access> inputs = {{packed, {b.dim(block), b.dim(byte), b.dim(column)}},
                                {operands[2], {b.dim(block), b.dim(column)}},
                                {rounded.steps, ofBlock},
                                {offsets, ofBlock}};
  for (int64_t part = 0; part < parts; ++part) {
    Exprs index = ofBlock;
    index.append({b.fixed(part), b.dim(byte)});
    inputs.push_back({bytes, index});
  }
  if (zeros)
    inputs.push_back({zeros, {b.dim(block), b.dim(column)}});
  Value start = b.filled(shape, b.getZeroAttr(f32));
  auto body = [&](ScalarBuilder &s, ValueRange x) {
    constexpr unsigned firstPart = 4;
    Value number = s.convert(x[0], i32, Sign::Unsigned);
    Value offset = zeros ? s.mul(s.convert(x[firstPart + parts], i32, Sign::Unsigned), x[3]) : x[3];
    Value isFirst = s.apply<arith::CmpIOp>(arith::CmpIPredicate::eq, s.position(byte), s.indexConstant(0));
    Value sum = s.select(isFirst, offset, s.integer(i32, 0));
    for (int64_t part = 0; part < parts; ++part) {
      Value own = part == 0 ? number : s.apply<arith::ShRUIOp>(number, s.integer(i32, bits * part));
      if (part + 1 < parts)
        own = s.apply<arith::AndIOp>(own, s.integer(i32, (1 << bits) - 1));
      sum = s.add(sum, s.mul(own, s.convert(x[firstPart + part], i32)));
    }
    return Values{s.add(x.back(), s.mul(s.mul(s.convert(sum, f32), x[2]), s.widen(x[1])))};
  };
  return b.generic({column + 1, 2}, inputs, {{start, b.dims(column + 1)}}, body).front();
}

/// Whether activations may be rounded to 8 bits.
bool roundsActivations(onnx::BlockedMatMulOp op) {
  bool hasFloatZeros =
      !onnx::isAbsent(op.getZeroPoints()) && !getElementTypeOrSelf(op.getZeroPoints().getType()).isInteger();
  return op.getAccuracyLevel() == 4 && !hasFloatZeros;
}

/// Whether the target has byte products.
bool hasProductsOfBytes(ModuleOp module) {
  return machineOf(module).byteProducts != ByteProducts::None && !gpuOf(module);
}

Lowered lowerBlockedMatMul(onnx::BlockedMatMulOp op, Operands operands, GenericBuilder &b) {
  if (!roundsActivations(op))
    return one(b.convert(multiplyFloats(op, operands, b), resultElement(op)));
  RoundedRows rounded(b, operands[0], shapeOf(operands[1])[0], op.getBlockSize());
  if (hasProductsOfBytes(op->getParentOfType<ModuleOp>()))
    return one(b.convert(multiplyBytes(op, operands, rounded, b), resultElement(op)));
  SmallVector<Value> factors(operands);
  factors[0] = rounded.floats();
  return one(b.convert(multiplyFloats(op, factors, b), resultElement(op)));
}

} // namespace

void addBlockedProducts(LoweringTable &table) { table.add(lowerBlockedMatMul); }

} // namespace cameo::lower
