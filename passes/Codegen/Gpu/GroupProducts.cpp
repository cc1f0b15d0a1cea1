#include "passes/Codegen/Gpu/GroupProducts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace cameo {

static Value constant(OpBuilder &builder, Location loc, Type type, uint64_t value) {
  return LLVM::ConstantOp::create(builder, loc, type,
                                  builder.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), value)));
}

/// All addresses and distances are in units of 16 bytes. What depends on the address is in the low half, to which
/// constants are added: parts of a stage differ by a constant.
Value createDescriptor(OpBuilder &builder, Location loc, Value begin, const task::GroupMatrix &matrix) {
  constexpr uint64_t addressBits = 0x3ffff, unit = 4;
  constexpr uint64_t leadingPlace = 16, stridePlace = 32, permutationPlace = 62;
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  begin = LLVM::AndOp::create(builder, loc, begin, constant(builder, loc, i32, addressBits));
  begin = LLVM::LShrOp::create(builder, loc, begin, constant(builder, loc, i32, unit));
  uint64_t moved = static_cast<uint64_t>(matrix.offset) >> unit | (static_cast<uint64_t>(matrix.leading) >> unit)
                                                                      << leadingPlace;
  Value low = LLVM::AddOp::create(builder, loc, begin, constant(builder, loc, i32, moved));
  uint64_t permutation = matrix.row == 128 ? 1 : matrix.row == 64 ? 2 : matrix.row == 32 ? 3 : 0;
  uint64_t high = (static_cast<uint64_t>(matrix.stride) >> unit) << stridePlace | permutation << permutationPlace;
  return LLVM::OrOp::create(builder, loc, LLVM::ZExtOp::create(builder, loc, i64, low),
                            constant(builder, loc, i64, high));
}

/// Returns the values in registers that the code of `text` changes; the registers are its first operands. `others` are
/// 64 bits each.
static SmallVector<Value> createCode(OpBuilder &builder, Location loc, StringRef text, ValueRange changed,
                                     ValueRange others) {
  std::string constraints;
  for (size_t number = 0; number < changed.size(); ++number)
    constraints += number == 0 ? "=f" : ",=f";
  for (size_t number = 0; number < changed.size(); ++number)
    constraints += "," + std::to_string(number);
  for (size_t number = 0; number < others.size(); ++number)
    constraints += ",l";
  SmallVector<Value> operands(changed);
  llvm::append_range(operands, others);
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), llvm::to_vector(changed.getTypes()));
  Value all = LLVM::InlineAsmOp::create(builder, loc, type, operands, text, constraints, /*has_side_effects=*/true,
                                        /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                        /*asm_dialect=*/nullptr, /*operand_attrs=*/nullptr)
                  .getRes();
  return llvm::map_to_vector(llvm::seq<int64_t>(changed.size()), [&](int64_t number) -> Value {
    return LLVM::ExtractValueOp::create(builder, loc, all, number);
  });
}

SmallVector<Value> createGroupProduct(OpBuilder &builder, task::MultiplyGroupOp product) {
  size_t count = product.getSums().size();
  std::string sums;
  for (size_t number = 0; number < count; ++number)
    sums += (number == 0 ? "$" : ", $") + std::to_string(number);
  auto leftMatrix = task::GroupMatrix::of(product.getLeftMatrix()),
       rightMatrix = task::GroupMatrix::of(product.getRightMatrix());
  StringRef element = product.getElement().isBF16() ? "bf16" : "f16";
  std::string text = llvm::formatv(
      "wgmma.mma_async.sync.aligned.m64n{0}k16.f32.{1}.{1} {{{2}}, ${3}, ${4}, 1, 1, 1, {5}, {6};", 2 * count, element,
      sums, 2 * count, 2 * count + 1, leftMatrix.isTurned ? 1 : 0, rightMatrix.isTurned ? 1 : 0);
  Location loc = product.getLoc();
  auto descriptorOf = [&](Value address, const task::GroupMatrix &matrix) {
    return createDescriptor(builder, loc, LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), address),
                            matrix);
  };
  Value left = descriptorOf(product.getLeft(), leftMatrix), right = descriptorOf(product.getRight(), rightMatrix);
  return createCode(builder, loc, text, product.getSums(), {left, right});
}

/// LLVM does not know that the wait concerns the registers of the sums. So code without an instruction changes them
/// behind it, and nothing that reads them can move before it.
SmallVector<Value> createWait(OpBuilder &builder, task::AwaitProductsOp wait) {
  NVVM::WgmmaWaitGroupSyncOp::create(builder, wait.getLoc(), wait.getPending());
  return wait.getSums().empty() ? SmallVector<Value>() : createCode(builder, wait.getLoc(), "", wait.getSums(), {});
}

} // namespace cameo
