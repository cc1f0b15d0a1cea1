#include "passes/Schedule/Emission/Gpu/Mma/MmaProduct.h"

#include "passes/Schedule/Rules/ByteDot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

MmaProduct::MmaProduct(OpBuilder &builder, const LoopNest &nest, const Contraction &product, const TensorShape &shape)
    : builder(builder), nest(nest), product(product), shape(shape) {}

Value MmaProduct::bitcast(Value value, Type type) {
  return value.getType() == type ? value : LLVM::BitcastOp::create(builder, nest.loc, type, value).getResult();
}

Value MmaProduct::asRegister(Value value, Type number) {
  return bitcast(value, number.isF16() ? Type(VectorType::get({2}, number)) : Type(builder.getI32Type()));
}

/// Whether instructions multiply 16-bit floating-point numbers.
bool MmaProduct::areHalves() const {
  return shape.kind == TensorKind::MmaF16 || shape.kind == TensorKind::MmaBf16 ||
         (shape.kind == TensorKind::Mma && bytesOf(nest.nodes[product.left].type) == 2);
}

Value MmaProduct::roundToTf32(Value number) {
  return NVVM::ConvertFloatToTF32Op::create(builder, nest.loc, builder.getI32Type(), number, NVVM::FPRoundingMode::RNA);
}

/// Appends the two parts of a number to `factors`. The large part is rounded by integer operations, which takes fewer
/// instructions. For NaN and infinity the small part is NaN, and so is the sum.
void MmaProduct::split(Value bits, Factors &factors) {
  constexpr int32_t half = 0x1000, kept = -0x2000; // of the 13 bits that tf32 lacks
  auto number = [&](int32_t value) { return arith::ConstantIntOp::create(builder, nest.loc, value, 32); };
  Type f32 = builder.getF32Type();
  Value large = arith::AndIOp::create(builder, nest.loc, arith::AddIOp::create(builder, nest.loc, bits, number(half)),
                                      number(kept));
  Value rest = arith::SubFOp::create(builder, nest.loc, bitcast(bits, f32), bitcast(large, f32));
  factors.numbers.push_back(large);
  factors.rest.push_back(roundToTf32(rest));
}

/// Converts an f32 number to tf32 and appends it to `factors`.
void MmaProduct::addNumber(Value bits, Factors &factors) {
  if (shape.kind == TensorKind::Mma3xTf32)
    split(bitcast(bits, builder.getI32Type()), factors);
  else
    factors.numbers.push_back(roundToTf32(bitcast(bits, builder.getF32Type())));
}

/// Rounds two f32 numbers to 16 bits, in one register.
Value MmaProduct::pack(Value low, Value high) {
  Type half = shape.kind == TensorKind::MmaF16    ? Type(builder.getF16Type())
              : shape.kind == TensorKind::MmaBf16 ? Type(builder.getBF16Type())
                                                  : nest.nodes[product.left].type,
       f32 = builder.getF32Type();
  Value both = vector::FromElementsOp::create(builder, nest.loc, VectorType::get({2}, f32),
                                              ValueRange{bitcast(low, f32), bitcast(high, f32)});
  return asRegister(arith::TruncFOp::create(builder, nest.loc, VectorType::get({2}, half), both), half);
}

/// Rounds f32 numbers of 16 steps to four registers of two halves each. A thread has every fourth step instead of pairs
/// of neighbouring steps. Both operands assign the same steps to a register, so the sums have the terms of all steps,
/// in another order.
MmaProduct::Registers MmaProduct::roundToHalves(bool isLeft, ArrayRef<Value> read) {
  Registers packed;
  for (size_t number = 0; number < factorRegisters; ++number) {
    size_t inner = number % 2, outer = number / 2, begin = (isLeft ? outer : inner) * factorRegisters;
    packed.push_back(isLeft ? pack(read[begin + inner], read[begin + inner + 2])
                            : pack(read[begin + 2 * outer], read[begin + 2 * outer + 1]));
  }
  return packed;
}

MmaProduct::Factors MmaProduct::convert(bool isLeft, ArrayRef<Value> read) {
  if (shape.kind == TensorKind::Mma)
    return {Registers(read), {}};
  if (areHalves())
    return {roundToHalves(isLeft, read), {}};
  Factors factors;
  for (Value bits : read)
    addNumber(bits, factors);
  return factors;
}

MmaProduct::Factors MmaProduct::convertSums(ArrayRef<Value> sums) {
  Factors factors;
  if (!areHalves()) {
    for (size_t number : {0, 2, 1, 3})
      addNumber(sums[number], factors);
    return factors;
  }
  for (size_t number = 0; number < sums.size(); number += sumColumns)
    factors.numbers.push_back(pack(sums[number], sums[number + 1]));
  return factors;
}

/// Returns the element types of the operands if the register types do not imply them.
static std::optional<std::array<NVVM::MMATypes, 2>> typesOf(const TensorShape &shape, const LoopNest &nest,
                                                            const Contraction &contraction) {
  auto both = [](NVVM::MMATypes type) { return std::array{type, type}; };
  if (std::optional<std::pair<ByteFactor, ByteFactor>> bytes = matchByteProducts(nest)) {
    auto typeOf = [&](NodeId load) {
      bool isSigned = (bytes->first.load == load ? bytes->first : bytes->second).isSigned;
      return isSigned ? NVVM::MMATypes::s8 : NVVM::MMATypes::u8;
    };
    return std::array{typeOf(contraction.left), typeOf(contraction.right)};
  }
  Type number = nest.nodes[contraction.left].type;
  if (shape.kind == TensorKind::MmaTf32 || shape.kind == TensorKind::Mma3xTf32)
    return both(NVVM::MMATypes::tf32);
  if (shape.kind == TensorKind::MmaBf16 || number.isBF16())
    return both(NVVM::MMATypes::bf16);
  return std::nullopt;
}

/// Emits one instruction: returns `sums`, this thread's sums of 16 rows and 8 columns, plus the products of `a` and
/// `b`.
MmaProduct::Registers MmaProduct::multiply(ArrayRef<Value> a, ArrayRef<Value> b, ArrayRef<Value> sums) {
  Type sum = sums.front().getType();
  Value products = NVVM::MmaOp::create(
      builder, nest.loc, LLVM::LLVMStructType::getLiteral(builder.getContext(), {sum, sum, sum, sum}), a, b, sums,
      {shape.rows, shape.columns, shape.depth}, /*b1Op=*/std::nullopt,
      sum.isInteger() ? std::optional(NVVM::MMAIntOverflow::wrapped) : std::nullopt, typesOf(shape, nest, product),
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  Registers next;
  for (int64_t number = 0; number < sumsOfThread; ++number)
    next.push_back(LLVM::ExtractValueOp::create(builder, nest.loc, products, number));
  return next;
}

/// The products with a small part are added first, while the sums of the step are small. The product of two small parts
/// is omitted because it is below the precision of f32 sums.
MmaProduct::Registers MmaProduct::add(const Factors &row, const Factors &column, size_t half, Registers sums) {
  auto ofHalf = [&](const Registers &registers) { return ArrayRef(registers).slice(half, factorRegisters / 2); };
  if (!row.rest.empty()) {
    sums = multiply(row.rest, ofHalf(column.numbers), sums);
    sums = multiply(row.numbers, ofHalf(column.rest), sums);
  }
  return multiply(row.numbers, ofHalf(column.numbers), sums);
}

} // namespace cameo::schedule
