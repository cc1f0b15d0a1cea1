// Chooses the instructions: vpdpbusd multiplies unsigned by signed bytes, sdot and udot bytes of the same signedness,
// usdot mixed ones. Without these, vpmaddwd multiplies pairs of 16-bit values, whose sums cannot overflow; the even and
// the odd bytes of a group are extended in their lanes. vpmaddubsw would need half the instructions but saturates at 16
// bits; it is used for numbers of up to 4 bits, where a few products cannot saturate.
#include "passes/Schedule/Emission/Cpu/ByteDotEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

/// The difference between unsigned and signed bytes with opposite sign bits.
constexpr int64_t signBit = 128;

ByteDotEmitter::ByteDotEmitter(OpBuilder &builder, Location loc, const ByteDot &dot, unsigned lanes, ByteProducts unit,
                               PointEvaluator &body)
    : builder(builder), loc(loc), dot(dot), lanes(lanes), unit(unit), body(body) {}

Value ByteDotEmitter::callIntrinsic(StringRef name, ArrayRef<Value> operands) {
  auto type = VectorType::get(lanes, builder.getI32Type());
  return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name), operands).getResults();
}

/// Returns a constant vector over the bytes of all lanes.
Value ByteDotEmitter::splat(Type element, int64_t number) {
  auto type = VectorType::get(dotGroup * lanes * 8 / element.getIntOrFloatBitWidth(), element);
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, builder.getIntegerAttr(element, number)));
}

/// Whether unsigned bytes are made signed by subtracting the sign bit, because sdot needs equal signedness.
bool ByteDotEmitter::flipsSign() const {
  const auto &[shared, varying] = dot.products.front();
  return dot.isScaled() && unit == ByteProducts::SameSign && shared.isSigned && varying.isWhole() && !varying.isSigned;
}

ByteDotEmitter::Group ByteDotEmitter::sharedGroup(const ByteFactor &factor, const Point &point) {
  return {body.loadGroup(factor.load, point), factor.isSigned, factor.bits};
}

ByteDotEmitter::Group ByteDotEmitter::varyingGroup(const ByteFactor &factor, const Point &point) {
  Value bytes = body.loadGroup(factor.load, point);
  Value &part = parts[{bytes, factor.shift}];
  if (!part) {
    part = bytes;
    if (factor.shift != 0)
      part = arith::ShRUIOp::create(builder, loc, part, splat(builder.getI8Type(), factor.shift));
    if (factor.shift + factor.bits < 8)
      part = arith::AndIOp::create(builder, loc, part, splat(builder.getI8Type(), (1 << factor.bits) - 1));
    if (flipsSign())
      part = arith::XOrIOp::create(builder, loc, part, splat(builder.getI8Type(), -signBit));
  }
  return {part, factor.isSigned || flipsSign(), factor.bits};
}

ByteDotEmitter::Sum ByteDotEmitter::start(const Point &point, ArrayRef<Point> groups) {
  Value begin = dot.start ? body.asVector(body.evaluate(*dot.start, point, {})) : splat(builder.getI32Type(), 0);
  if (!flipsSign())
    return {begin};
  Value &flipped = starts[groups.front()];
  if (!flipped) {
    Sum sum{splat(builder.getI32Type(), 0)};
    Group one{splat(builder.getI8Type(), 1), /*isSigned=*/true, /*bits=*/8};
    for (const Point &group : groups)
      for (const ByteProduct &product : dot.products)
        multiply(sharedGroup(product.shared, group), one, sum);
    flipped = arith::MulIOp::create(builder, loc, finish(sum), splat(builder.getI32Type(), signBit));
  }
  return {arith::AddIOp::create(builder, loc, begin, flipped)};
}

/// Returns the even and the odd bytes, each extended to 16 bits in its lane.
ByteDotEmitter::Halves ByteDotEmitter::halvesOf(Value group, bool isSigned) {
  Halves &known = halves[group];
  if (known[0])
    return known;
  Type i16 = builder.getI16Type();
  Value words = vector::BitCastOp::create(builder, loc, VectorType::get(2 * lanes, i16), group), eight = splat(i16, 8);
  if (isSigned) {
    Value high = arith::ShLIOp::create(builder, loc, words, eight);
    known = {arith::ShRSIOp::create(builder, loc, high, eight), arith::ShRSIOp::create(builder, loc, words, eight)};
  } else {
    known = {arith::AndIOp::create(builder, loc, words, splat(i16, 0xff)),
             arith::ShRUIOp::create(builder, loc, words, eight)};
  }
  return known;
}

static StringRef pairsIntrinsic(unsigned lanes) {
  return lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
         : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                      : "llvm.x86.sse2.pmadd.wd";
}

Value ByteDotEmitter::accumulatePairs(Value sum, const Group &shared, const Group &varying) {
  Halves a = halvesOf(shared.bytes, shared.isSigned), b = halvesOf(varying.bytes, varying.isSigned);
  for (unsigned half : {0, 1})
    sum = arith::AddIOp::create(builder, loc, sum, callIntrinsic(pairsIntrinsic(lanes), {a[half], b[half]}));
  return sum;
}

/// Accumulates products in 16-bit lanes, as many as fit without overflow.
void ByteDotEmitter::addHalfWords(const Group &shared, const Group &varying, Sum &sum) {
  int64_t most = std::numeric_limits<int16_t>::max() / (2 * ((1 << varying.bits) - 1) * signBit);
  if (sum.products == most)
    sum = {finish(sum)};
  auto type = VectorType::get(2 * lanes, builder.getI16Type());
  StringRef name = lanes == 16 ? "llvm.x86.avx512.pmaddubs.w.512" : "llvm.x86.avx2.pmadd.ub.sw";
  Value added = LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name),
                                              ValueRange{varying.bytes, shared.bytes})
                    .getResults();
  sum.halfWords = sum.halfWords ? arith::AddIOp::create(builder, loc, sum.halfWords, added).getResult() : added;
  ++sum.products;
}

Value ByteDotEmitter::finish(Sum sum) {
  if (!sum.halfWords)
    return sum.words;
  Value pairs = callIntrinsic(pairsIntrinsic(lanes), {sum.halfWords, splat(builder.getI16Type(), 1)});
  return arith::AddIOp::create(builder, loc, sum.words, pairs);
}

void ByteDotEmitter::multiply(const Group &shared, const Group &varying, Sum &sum) {
  constexpr int64_t mostBits = 4;
  // Numbers of fewer than 8 bits have the same value as signed bytes.
  bool isMixed = shared.isSigned != varying.isSigned && (unit != ByteProducts::SameSign || varying.bits == 8);
  Value first = shared.isSigned ? varying.bytes : shared.bytes, second = shared.isSigned ? shared.bytes : varying.bytes;
  switch (unit) {
  case ByteProducts::UnsignedBySigned:
    if (isMixed) {
      sum.words =
          callIntrinsic(llvm::formatv("llvm.x86.avx512.vpdpbusd.{0}", 32 * lanes).str(), {sum.words, first, second});
      return;
    }
    [[fallthrough]];
  case ByteProducts::Pairs:
    // Vectors of 16 bytes are also used for processors without SSSE3.
    if (shared.isSigned && isMixed && varying.bits <= mostBits && lanes >= 8)
      return addHalfWords(shared, varying, sum);
    sum.words = accumulatePairs(sum.words, shared, varying);
    return;
  case ByteProducts::SameSign:
  case ByteProducts::AnySigns:
    if (isMixed) {
      sum.words = callIntrinsic("llvm.aarch64.neon.usdot.v4i32.v16i8", {sum.words, first, second});
      return;
    }
    // LLVM recognises the indexed form of the instruction only in the last operand.
    sum.words =
        callIntrinsic(shared.isSigned ? "llvm.aarch64.neon.sdot.v4i32.v16i8" : "llvm.aarch64.neon.udot.v4i32.v16i8",
                      {sum.words, varying.bytes, shared.bytes});
    return;
  case ByteProducts::None:
    break;
  }
  llvm_unreachable("the schedule has no dot dimension without a unit");
}

void ByteDotEmitter::accumulate(const Point &point, Sum &sum) {
  for (const ByteProduct &product : dot.products)
    multiply(sharedGroup(product.shared, point), varyingGroup(product.varying, point), sum);
}

} // namespace cameo::schedule
