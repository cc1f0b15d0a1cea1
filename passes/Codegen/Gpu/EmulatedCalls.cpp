#include "passes/Codegen/Gpu/EmulatedCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace cameo {

Value readEmulated(OpBuilder &builder, Location loc, StringRef name, Type type) {
  Value address = LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), name);
  return LLVM::LoadOp::create(builder, loc, type, address, /*alignment=*/0, /*isVolatile=*/true);
}

Value callEmulator(OpBuilder &builder, Location loc, StringRef name, ValueRange arguments, Type result) {
  SmallVector<Value> operands = {readEmulated(builder, loc, name, LLVM::LLVMPointerType::get(builder.getContext()))};
  llvm::append_range(operands, arguments);
  auto made =
      LLVM::CallOp::create(builder, loc,
                           LLVM::LLVMFunctionType::get(result ? result : LLVM::LLVMVoidType::get(builder.getContext()),
                                                       llvm::to_vector(arguments.getTypes())),
                           operands);
  return result ? made.getResult() : Value();
}

EmulatedRegisters::EmulatedRegisters(OpBuilder &builder, Operation *op, unsigned most)
    : builder(builder), loc(op->getLoc()) {
  OpBuilder begin = OpBuilder::atBlockBegin(&op->getParentOfType<func::FuncOp>().getBody().front());
  Value count = LLVM::ConstantOp::create(begin, loc, begin.getI32Type(), begin.getI32IntegerAttr(most));
  address =
      LLVM::AllocaOp::create(begin, loc, LLVM::LLVMPointerType::get(builder.getContext()), builder.getI32Type(), count);
}

Value EmulatedRegisters::at(unsigned place) {
  return LLVM::GEPOp::create(builder, loc, address.getType(), builder.getI32Type(), address,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(place)});
}

void EmulatedRegisters::write(unsigned place, Value value) { LLVM::StoreOp::create(builder, loc, value, at(place)); }

void EmulatedRegisters::writeAll(ValueRange values) {
  for (auto [place, value] : llvm::enumerate(values))
    write(static_cast<unsigned>(place), value);
}

Value EmulatedRegisters::read(unsigned place, Type type) {
  auto fields = cast<LLVM::LLVMStructType>(type);
  Value all = LLVM::PoisonOp::create(builder, loc, type);
  for (auto [number, field] : llvm::enumerate(fields.getBody()))
    all = LLVM::InsertValueOp::create(builder, loc, all, LLVM::LoadOp::create(builder, loc, field, at(place++)),
                                      static_cast<int64_t>(number));
  return all;
}

SmallVector<Value> EmulatedRegisters::readAll(Type type, unsigned count) {
  return llvm::map_to_vector(
      llvm::seq(count), [&](unsigned place) -> Value { return LLVM::LoadOp::create(builder, loc, type, at(place)); });
}

} // namespace cameo
