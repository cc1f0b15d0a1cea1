// Which instructions: vpdpbusd multiplies unsigned by signed bytes, sdot and udot those of one sign, usdot mixed ones. Where there
// are none of these, vpmaddwd multiplies 16 bits, whose products in pairs cannot overflow: the even and the odd bytes of a
// group are widened in their lanes. (vpmaddubsw would take half the instructions, and saturates at 16 bits.)
#include "passes/Schedule/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo::schedule {

/// The byte that `id` extends to i32.
static std::optional<ByteFactor> matchFactor(const LoopNest &nest, NodeId id) {
  const Node &node = nest.nodes[id];
  if (node.kind != Node::Kind::Apply || !isa<arith::ExtSIOp, arith::ExtUIOp>(node.op))
    return std::nullopt;
  const Node &load = nest.nodes[node.operands[0]];
  if (load.kind != Node::Kind::Load || !load.type.isInteger(8))
    return std::nullopt;
  return ByteFactor{node.operands[0], isa<arith::ExtSIOp>(node.op)};
}

std::optional<ByteDot> matchByteDot(const LoopNest &nest, const NestSchedule &schedule) {
  if (nest.reductions.size() != 1 || !schedule.vectorDim || nest.dims[*schedule.vectorDim].reduction)
    return std::nullopt;
  const Node &update = nest.nodes[nest.reductions[0].update];
  if (update.kind != Node::Kind::Apply || !isa<arith::AddIOp>(update.op) || !update.type.isInteger(32))
    return std::nullopt;
  for (unsigned side : {0, 1}) {
    const Node &product = nest.nodes[update.operands[side]];
    bool addsToSum = nest.nodes[update.operands[1 - side]].kind == Node::Kind::Accumulator;
    if (!addsToSum || product.kind != Node::Kind::Apply || !isa<arith::MulIOp>(product.op))
      continue;
    std::optional<ByteFactor> left = matchFactor(nest, product.operands[0]), right = matchFactor(nest, product.operands[1]);
    if (!left || !right)
      return std::nullopt;
    auto varies = [&](const ByteFactor &factor) {
      return nest.nodes[factor.load].address.coefficients[*schedule.vectorDim] != 0;
    };
    if (varies(*left) == varies(*right))
      return std::nullopt;
    return varies(*left) ? ByteDot{*right, *left} : ByteDot{*left, *right};
  }
  return std::nullopt;
}

bool canMultiply(ByteProducts unit, const ByteDot &dot, unsigned lanes) {
  switch (unit) {
  case ByteProducts::None:
    return false;
  case ByteProducts::Pairs:
  case ByteProducts::UnsignedBySigned:
    return lanes == 4 || lanes == 8 || lanes == 16;
  case ByteProducts::SameSign:
    return lanes == 4 && dot.shared.isSigned == dot.varying.isSigned;
  case ByteProducts::AnySigns:
    return lanes == 4;
  }
  llvm_unreachable("unknown unit");
}

std::string verifyDot(const LoopNest &nest, const NestSchedule &schedule) {
  if (!schedule.dotDim)
    return "";
  unsigned dim = *schedule.dotDim;
  if (dim >= nest.dims.size() || !nest.dims[dim].reduction || !nest.dims[dim].extent.isKnown())
    return llvm::formatv("expected a reduction of known length to contract in groups, got dimension {0}", dim);
  std::optional<ByteDot> dot = matchByteDot(nest, schedule);
  if (!dot)
    return "expected a sum of products of bytes to contract in groups, one factor along the vector dimension";
  const Node &shared = nest.nodes[dot->shared.load], &varying = nest.nodes[dot->varying.load];
  if (shared.address.coefficients[dim] != 1)
    return llvm::formatv("expected the factor that lanes share to be contiguous along dimension {0}", dim);
  bool isPacked = varying.packed || llvm::is_contained(schedule.packedBuffers, varying.buffer);
  if (varying.address.coefficients[dim] == 0 || !isPacked)
    return "expected the factor that varies along the vector dimension to be packed";
  if (schedule.partialLoop)
    return "expected no partial results of exact sums";
  for (const Loop &loop : schedule.loops)
    if (loop.dim == dim && loop.size % dotGroup != 0 && loop.size < nest.dims[dim].extent)
      return llvm::formatv("expected a multiple of {0} as tile size of dimension {1}, got {2}", dotGroup, dim, loop.size);
  return "";
}

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
    return callIntrinsic(dot.shared.isSigned ? "llvm.aarch64.neon.sdot.v4i32.v16i8" : "llvm.aarch64.neon.udot.v4i32.v16i8",
                         {sum, shared, varying});
  case ByteProducts::None:
    break;
  }
  llvm_unreachable("the schedule has no dot dimension without a unit");
}

} // namespace cameo::schedule
