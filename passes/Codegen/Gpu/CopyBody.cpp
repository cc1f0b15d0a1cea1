#include "passes/Codegen/Gpu/CopyBody.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

Function *addCopyBody(Module &module, int64_t threads) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, i64, i64, i64}, false);
  constexpr uint64_t vectorBytes = 16;
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, "copy", module);
  Value *from = function->getArg(0), *to = function->getArg(1), *bytes = function->getArg(2),
        *number = function->getArg(3), *own = function->getArg(4);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  Value *begin = builder.CreateShl(number, copyBodyShift);
  Value *end = builder.CreateBinaryIntrinsic(Intrinsic::umin, bytes,
                                             builder.CreateAdd(begin, builder.getInt64(1 << copyBodyShift)));
  Value *bits =
      builder.CreateOr(bytes, builder.CreateOr(builder.CreatePtrToInt(from, i64), builder.CreatePtrToInt(to, i64)));
  auto block = [&](StringRef name) { return BasicBlock::Create(context, name, function); };
  BasicBlock *apart = block("apart"), *vectors = block("vectors"), *single = block("bytes"), *done = block("done");
  auto loop = [&](BasicBlock *entry, Type *unit, uint64_t unitBytes) {
    builder.SetInsertPoint(entry);
    Value *first = builder.CreateAdd(begin, builder.CreateMul(own, builder.getInt64(unitBytes)));
    BasicBlock *head = block("head"), *body = block("body");
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    PHINode *at = builder.CreatePHI(i64, 2);
    at->addIncoming(first, entry);
    builder.CreateCondBr(builder.CreateICmpULT(at, end), body, done);
    builder.SetInsertPoint(body);
    Type *byte = builder.getInt8Ty();
    Value *value = builder.CreateAlignedLoad(unit, builder.CreateInBoundsGEP(byte, from, at), Align(unitBytes));
    builder.CreateAlignedStore(value, builder.CreateInBoundsGEP(byte, to, at), Align(unitBytes));
    at->addIncoming(builder.CreateAdd(at, builder.getInt64(static_cast<uint64_t>(threads) * unitBytes)), body);
    builder.CreateBr(head);
  };
  Value *isAligned =
      builder.CreateICmpEQ(builder.CreateAnd(bits, builder.getInt64(vectorBytes - 1)), builder.getInt64(0));
  builder.CreateCondBr(builder.CreateICmpEQ(from, to), done, apart);
  builder.SetInsertPoint(apart);
  builder.CreateCondBr(isAligned, vectors, single);
  loop(vectors, FixedVectorType::get(i32, vectorBytes / sizeof(uint32_t)), vectorBytes);
  loop(single, builder.getInt8Ty(), 1);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

} // namespace cameo
