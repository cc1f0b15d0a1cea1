// --expand-half-floats: expands f16 and bf16 on x86 processors without instructions for them. LLVM would call functions
// that no C library has: __extendhfsf2, __truncsfhf2, __truncsfbf2 (also to round results of bf16 arithmetic) and, to
// truncate f64 without AVX512-FP16, __truncdfhf2 and __truncdfbf2. This pass expands conversions to arithmetic on
// integers and f32, for scalars and vectors, computes everything else in f32, and moves values as integers. Rounding is
// to nearest, ties to even, as in the instructions.
#include "passes/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_EXPANDHALFFLOATSPASS
#include "passes/Codegen/Passes.h.inc"
namespace {

using Predicate = arith::CmpIPredicate;

bool isF16(Type type) { return getElementTypeOrSelf(type).isF16(); }
bool isBF16(Type type) { return getElementTypeOrSelf(type).isBF16(); }
bool isHalf(Type type) { return isF16(type) || isBF16(type); }

/// Creates scalar operations, or vector operations with the shape of `like`.
class Lanes {
public:
  Lanes(OpBuilder &builder, Location loc, Type like) : b(loc, builder), like(like) {}

  Type type(Type element) const {
    auto vector = dyn_cast<VectorType>(like);
    return vector ? VectorType::get(vector.getShape(), element) : element;
  }
  Value constant(TypedAttr number) {
    if (auto vector = dyn_cast<VectorType>(type(number.getType())))
      return arith::ConstantOp::create(b, DenseElementsAttr::get(vector, number));
    return arith::ConstantOp::create(b, number);
  }
  Value bits(int64_t number) { return constant(b.getI32IntegerAttr(static_cast<int32_t>(number))); }
  Value single(double number) { return constant(b.getF32FloatAttr(static_cast<float>(number))); }
  Value asBits(Value value) {
    return arith::BitcastOp::create(b, type(b.getIntegerType(getElementTypeOrSelf(value).getIntOrFloatBitWidth())),
                                    value);
  }
  Value asSingle(Value value) { return arith::BitcastOp::create(b, type(b.getF32Type()), value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, x, y); }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, x, y); }
  Value shiftLeft(Value x, int64_t places) { return arith::ShLIOp::create(b, x, bits(places)); }
  Value shiftRight(Value x, int64_t places) { return arith::ShRUIOp::create(b, x, bits(places)); }
  // Magnitudes have no sign bit, so signed comparisons, the only ones of SSE2, are correct for them.
  Value isGreater(Value x, Value y) { return arith::CmpIOp::create(b, Predicate::sgt, x, y); }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) { return arith::CmpFOp::create(b, predicate, x, y); }
  Value select(Value condition, Value x, Value y) { return arith::SelectOp::create(b, condition, x, y); }

  Value singleFromHalf(Value half);
  Value halfFromSingle(Value single);
  Value singleFromBrain(Value brain);
  Value brainFromSingle(Value single);
  Value oddSingleFromDouble(Value wide);

private:
  ImplicitLocOpBuilder b;
  Type like;
};

/// 112 is the difference of the exponent biases, 13 that of the mantissa lengths.
constexpr int64_t rebias = int64_t(112) << 23;

Value Lanes::singleFromHalf(Value half) {
  Value all = arith::ExtUIOp::create(b, type(b.getI32Type()), asBits(half));
  Value magnitude = shiftLeft(both(all, bits(0x7fff)), 13), sign = shiftLeft(both(all, bits(0x8000)), 16);
  Value usual = add(magnitude, bits(rebias)), infinite = bits(0x0f800000);
  // The mantissa of a subnormal number counts units of 2^-24. It is combined with the exponent of 2^-14, and then 2^-14
  // is subtracted.
  Value small = asBits(arith::SubFOp::create(b, asSingle(add(magnitude, bits(rebias + (1 << 23)))), single(0x1p-14)));
  Value special = add(magnitude, bits(2 * rebias));
  special = either(special,
                   select(isGreater(magnitude, infinite), bits(0x00400000), bits(0))); // a signalling NaN becomes quiet
  Value result = select(isGreater(bits(0x00800000), magnitude), small, usual);
  return asSingle(either(select(isGreater(infinite, magnitude), result, special), sign));
}

Value Lanes::halfFromSingle(Value number) {
  Value all = asBits(number);
  Value magnitude = both(all, bits(0x7fffffff)), sign = both(shiftRight(all, 16), bits(0x8000));
  // Round to nearest, ties to even: adds just under half a unit in the last place, or half a unit if the result would
  // be odd, and truncates.
  Value odd = both(shiftRight(magnitude, 13), bits(1));
  Value usual = shiftRight(add(add(magnitude, bits(0xfff - rebias)), odd), 13);
  // The unit in the last place of the sum is 2^-24, so the addition rounds to it.
  Value small = sub(asBits(arith::AddFOp::create(b, asSingle(magnitude), single(0.5))), asBits(single(0.5)));
  Value nan = either(both(shiftRight(magnitude, 13), bits(0x3ff)), bits(0x7e00));
  Value result = select(isGreater(bits(0x38800000), magnitude), small, usual);
  result = select(isGreater(bits(0x47800000), magnitude), result, bits(0x7c00));
  result = either(select(isGreater(magnitude, bits(0x7f800000)), nan, result), sign);
  return arith::BitcastOp::create(b, type(b.getF16Type()), arith::TruncIOp::create(b, type(b.getI16Type()), result));
}

Value Lanes::singleFromBrain(Value brain) {
  return asSingle(shiftLeft(arith::ExtUIOp::create(b, type(b.getI32Type()), asBits(brain)), 16));
}

Value Lanes::brainFromSingle(Value number) {
  Value all = asBits(number);
  // Round to nearest, ties to even, as above. A carry increments the exponent, at the end to infinity.
  Value odd = both(shiftRight(all, 16), bits(1));
  Value usual = shiftRight(add(add(all, bits(0x7fff)), odd), 16), nan = either(shiftRight(all, 16), bits(0x0040));
  Value isNan = isGreater(both(all, bits(0x7fffffff)), bits(0x7f800000));
  return arith::BitcastOp::create(b, type(b.getBF16Type()),
                                  arith::TruncIOp::create(b, type(b.getI16Type()), select(isNan, nan, usual)));
}

/// Truncates `wide` to f32 with round to odd: the last bit is set if the result is inexact. Rounding once more to a
/// narrower type then gives the same result as rounding once.
Value Lanes::oddSingleFromDouble(Value wide) {
  using Order = arith::CmpFPredicate;
  Value nearest = arith::TruncFOp::create(b, type(b.getF32Type()), wide);
  Value back = arith::ExtFOp::create(b, wide.getType(), nearest), zero = constant(b.getF64FloatAttr(0));
  Value isBeyond = either(both(compare(Order::OGT, wide, zero), compare(Order::OGT, back, wide)),
                          both(compare(Order::OLT, wide, zero), compare(Order::OLT, back, wide)));
  Value cut = sub(asBits(nearest), select(isBeyond, bits(1), bits(0)));
  return asSingle(either(cut, select(compare(Order::ONE, back, wide), bits(1), bits(0))));
}

struct ExpandHalfFloats : impl::ExpandHalfFloatsPassBase<ExpandHalfFloats> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation().walk([&](Operation *op) {
      if (llvm::any_of(op->getOperandTypes(), isHalf) || llvm::any_of(op->getResultTypes(), isHalf))
        found.push_back(op);
    });
    for (Operation *op : found)
      expand(op);
    storeAsIntegers();
  }

private:
  /// Converts the remaining operations, which only move values, to integer types, because LLVM lowers selects of some
  /// vectors by conversions to f32 and back.
  void storeAsIntegers() {
    AttrTypeReplacer replacer;
    auto asInteger = [&](FloatType type) { return IntegerType::get(type.getContext(), type.getWidth()); };
    replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
      return isHalf(type) && !converts(type) ? std::optional<Type>(asInteger(type)) : std::nullopt;
    });
    replacer.addReplacement([&](FloatAttr number) -> std::optional<Attribute> {
      if (!isHalf(number.getType()) || converts(number.getType()))
        return std::nullopt;
      return IntegerAttr::get(asInteger(cast<FloatType>(number.getType())), number.getValue().bitcastToAPInt());
    });
    replacer.addReplacement([&](DenseElementsAttr numbers) -> std::optional<Attribute> {
      if (!isHalf(numbers.getType()) || converts(numbers.getType()))
        return std::nullopt;
      return numbers.bitcast(asInteger(cast<FloatType>(numbers.getElementType())));
    });
    for (Operation &op : *getOperation().getBody())
      if (isa<func::FuncOp, memref::GlobalOp>(op))
        replacer.recursivelyReplaceElementsIn(&op, /*replaceAttrs=*/true, /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

  /// Whether the processor has instructions that convert between this type and f32.
  bool converts(Type half) const { return isF16(half) ? f16Conversions : bf16Conversions; }

  Value extend(OpBuilder &builder, Location loc, Value half) {
    Lanes lanes(builder, loc, half.getType());
    if (converts(half.getType()))
      return arith::ExtFOp::create(builder, loc, lanes.type(builder.getF32Type()), half);
    return isF16(half.getType()) ? lanes.singleFromHalf(half) : lanes.singleFromBrain(half);
  }

  Value round(OpBuilder &builder, Location loc, Value number, Type half) {
    Lanes lanes(builder, loc, number.getType());
    if (getElementTypeOrSelf(number).isF64())
      number = lanes.oddSingleFromDouble(number);
    if (converts(half))
      return arith::TruncFOp::create(builder, loc, half, number);
    return isF16(half) ? lanes.halfFromSingle(number) : lanes.brainFromSingle(number);
  }

  void expand(Operation *op) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto rounded = dyn_cast<arith::TruncFOp>(op)) {
      bool fromDouble = getElementTypeOrSelf(rounded.getIn()).isF64();
      if (!converts(rounded.getType()) || (fromDouble && !(isF16(rounded.getType()) && f16Arithmetic)))
        replace(op, round(builder, loc, rounded.getIn(), rounded.getType()));
    } else if (auto extended = dyn_cast<arith::ExtFOp>(op)) {
      if (converts(extended.getIn().getType()))
        return;
      Value single = extend(builder, loc, extended.getIn());
      replace(op, single.getType() == extended.getType()
                      ? single
                      : arith::ExtFOp::create(builder, loc, extended.getType(), single).getResult());
    } else if (computes(op)) {
      computeInSingle(op);
    }
  }

  /// Whether `op` computes with values of these types instead of moving them.
  bool computes(Operation *op) const {
    auto isExpanded = [&](Type type) { return isHalf(type) && !converts(type); };
    if (llvm::none_of(op->getOperandTypes(), isExpanded) && llvm::none_of(op->getResultTypes(), isExpanded))
      return false;
    if (isa<arith::BitcastOp, arith::ConstantOp, arith::SelectOp>(op))
      return false;
    return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || isa<vector::FMAOp, vector::ReductionOp>(op);
  }

  void computeInSingle(Operation *op) {
    OpBuilder builder(op);
    auto toSingle = [&](Type type) {
      return isHalf(type) ? Lanes(builder, op->getLoc(), type).type(builder.getF32Type()) : type;
    };
    SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return isHalf(operand.getType()) ? extend(builder, op->getLoc(), operand) : operand;
    });
    OperationState state(op->getLoc(), op->getName(), operands, llvm::map_to_vector(op->getResultTypes(), toSingle),
                         op->getAttrs());
    Operation *single = builder.create(state);
    for (auto [before, after] : llvm::zip_equal(op->getResults(), single->getResults()))
      before.replaceAllUsesWith(isHalf(before.getType()) ? round(builder, op->getLoc(), after, before.getType())
                                                         : Value(after));
    op->erase();
  }

  static void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
};

} // namespace
} // namespace cameo
