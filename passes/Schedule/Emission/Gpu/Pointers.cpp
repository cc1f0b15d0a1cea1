#include "passes/Schedule/Emission/Gpu/Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace cameo::schedule {

Value pointerTo(OpBuilder &builder, Location loc, Value memory, Value at, int64_t bytes, NVVM::NVVMMemorySpace space) {
  Type i64 = builder.getI64Type();
  Value begin = arith::IndexCastOp::create(builder, loc, i64,
                                           memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory));
  Value offset = arith::MulIOp::create(builder, loc, at, arith::ConstantIndexOp::create(builder, loc, bytes));
  Value address = arith::AddIOp::create(builder, loc, begin, arith::IndexCastOp::create(builder, loc, i64, offset));
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), static_cast<unsigned>(space)), address);
}

Value pointerBehind(OpBuilder &builder, Location loc, Value pointer, Value moved, int64_t further) {
  auto behind = [&](Value from, LLVM::GEPArg bytes) -> Value {
    return LLVM::GEPOp::create(builder, loc, from.getType(), builder.getI8Type(), from, ArrayRef<LLVM::GEPArg>{bytes});
  };
  if (moved)
    pointer = behind(pointer, arith::IndexCastOp::create(builder, loc, builder.getI64Type(), moved).getResult());
  if (further == 0)
    return pointer;
  if (llvm::isInt<32>(further))
    return behind(pointer, static_cast<int32_t>(further));
  return behind(pointer, arith::ConstantIntOp::create(builder, loc, further, 64).getResult());
}

Value bytesIf(OpBuilder &builder, Location loc, Value exists, uint32_t bytes) {
  auto number = [&](uint32_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32).getResult(); };
  return exists ? arith::SelectOp::create(builder, loc, exists, number(bytes), number(0)).getResult() : Value();
}

void createAsyncCopy(OpBuilder &builder, Location loc, Value to, Value from, uint32_t bytes, Value copied) {
  constexpr uint32_t lineBytes = 16; // only copies of whole lines can bypass the first-level cache
  auto cache = bytes == lineBytes ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(builder, loc, to, from, bytes, cache, copied);
}

} // namespace cameo::schedule
