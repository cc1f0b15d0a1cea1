#include "passes/Codegen/Gpu/EmitHostFunctions.h"

#include "passes/Codegen/Entry/EmitExterns.h"
#include "passes/Codegen/Entry/EmitSteps.h"
#include "runtime/include/cameo/gpu.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

/// Creates an empty cameo_gpu_host_function of gpu.h.
static Function *createHostFunction(Module &module, const Twine &name) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(i32, {pointer, i64, pointer}, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  BasicBlock::Create(context, "entry", function);
  return function;
}

Function *emitHostKernel(Function *kernel, unsigned bufferCount) {
  Function *function = createHostFunction(*kernel->getParent(), kernel->getName() + ".host");
  IRBuilder<> builder(&function->getEntryBlock());
  builder.CreateCall(emitKernelWrapper(kernel, bufferCount),
                     {function->getArg(0), builder.getInt64(0), function->getArg(1)});
  builder.CreateRet(builder.getInt32(CAMEO_OK));
  return function;
}

Function *emitHostExtern(Module &module, const ModelPlan &plan, StringRef prefix, const PlannedStep &step,
                         const GpuNumbers &numbers) {
  Function *function = createHostFunction(module, prefix + "." + step.call->function + ".host");
  IRBuilder<> builder(&function->getEntryBlock());
  Type *pointer = builder.getPtrTy(), *i64 = builder.getInt64Ty();
  SmallVector<Value *> buffers;
  for (size_t number = 0; number < step.buffers.size(); ++number)
    buffers.push_back(
        builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, function->getArg(0), number)));
  auto sizeOf = [&](const Dim &dim) -> Value * {
    if (dim.isStatic())
      return builder.getInt64(dim.getSize());
    Value *place = builder.CreateConstInBoundsGEP1_64(i64, function->getArg(2), numbers.counts.at(dim.getExpr()));
    return builder.CreateLoad(i64, place);
  };
  ExternEmitter externs(module, builder, plan, prefix, sizeOf);
  // The host has one thread for a run on a GPU, so there is no context.
  Value *status = externs.call(*step.call, buffers, ConstantPointerNull::get(builder.getPtrTy()));
  builder.CreateRet(builder.CreateSelect(builder.CreateIsNull(status), builder.getInt32(CAMEO_OK),
                                         builder.getInt32(CAMEO_EXTERN_FAILED)));
  return function;
}

} // namespace cameo
