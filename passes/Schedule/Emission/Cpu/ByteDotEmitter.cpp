// Which instructions: vpdpbusd multiplies unsigned by signed bytes, sdot and udot those of one sign, usdot mixed ones. Where there
// are none of these, vpmaddwd multiplies 16 bits, whose products in pairs cannot overflow: the even and the odd bytes of a
// group are widened in their lanes. (vpmaddubsw would take half the instructions, and saturates at 16 bits.)
#include "passes/Schedule/Emission/Cpu/ByteDotEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

Value ByteDotEmitter::callIntrinsic(StringRef name, ArrayRef<Value> operands) {
  auto type = VectorType::get(lanes, builder.getI32Type());
  return LLVM::CallIntrinsicOp::create(builder, loc, type, builder.getStringAttr(name), operands).getResults();
}

/// The even and the odd bytes, each widened to 16 bits in its place.
ByteDotEmitter::Halves ByteDotEmitter::halvesOf(Value group, bool isSigned) {
  Halves &known = halves[group];
  if (known[0])
    return known;
  auto type = VectorType::get(2 * lanes, builder.getI16Type());
  auto splat = [&](int64_t number) {
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, builder.getI16IntegerAttr(number)));
  };
  Value words = vector::BitCastOp::create(builder, loc, type, group), eight = splat(8);
  if (isSigned) {
    Value high = arith::ShLIOp::create(builder, loc, words, eight);
    known = {arith::ShRSIOp::create(builder, loc, high, eight), arith::ShRSIOp::create(builder, loc, words, eight)};
  } else {
    known = {arith::AndIOp::create(builder, loc, words, splat(0xff)), arith::ShRUIOp::create(builder, loc, words, eight)};
  }
  return known;
}

Value ByteDotEmitter::accumulatePairs(Value sum, Value shared, Value varying) {
  StringRef name = lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                   : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                : "llvm.x86.sse2.pmadd.wd";
  Halves a = halvesOf(shared, dot.shared.isSigned), b = halvesOf(varying, dot.varying.isSigned);
  for (unsigned half : {0, 1})
    sum = arith::AddIOp::create(builder, loc, sum, callIntrinsic(name, {a[half], b[half]}));
  return sum;
}

Value ByteDotEmitter::accumulate(const Point &point, Value sum) {
  Value shared = body.loadGroup(dot.shared.load, point), varying = body.loadGroup(dot.varying.load, point);
  bool isMixed = dot.shared.isSigned != dot.varying.isSigned;
  Value first = dot.shared.isSigned ? varying : shared, second = dot.shared.isSigned ? shared : varying;
  switch (unit) {
  case ByteProducts::UnsignedBySigned:
    if (isMixed)
      return callIntrinsic(llvm::formatv("llvm.x86.avx512.vpdpbusd.{0}", 32 * lanes).str(), {sum, first, second});
    [[fallthrough]];
  case ByteProducts::Pairs:
    return accumulatePairs(sum, shared, varying);
  case ByteProducts::SameSign:
  case ByteProducts::AnySigns:
    if (isMixed)
      return callIntrinsic("llvm.aarch64.neon.usdot.v4i32.v16i8", {sum, first, second});
    // The last factor may be a group of four, which is where LLVM looks for one.
    return callIntrinsic(dot.shared.isSigned ? "llvm.aarch64.neon.sdot.v4i32.v16i8" : "llvm.aarch64.neon.udot.v4i32.v16i8",
                         {sum, varying, shared});
  case ByteProducts::None:
    break;
  }
  llvm_unreachable("the schedule has no dot dimension without a unit");
}

} // namespace cameo::schedule
