#include "passes/Codegen/Gpu/DependentLaunch.h"

#include "passes/Codegen/Gpu/MemoryObjects.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace cameo {
namespace {

/// The intrinsic says that it accesses no memory, so LLVM could move accesses across it.
void makeBarrier(IntrinsicInst &wait) {
  IRBuilder<> builder(&wait);
  auto *type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(InlineAsm::get(type, "griddepcontrol.wait;", "~{memory}", /*hasSideEffects=*/true));
}

/// Replaces `noalias` of the arguments that may change by scopes of their loads and stores. A wait has no scope, so it
/// may change them all. It also keeps LLVM from loads that are cached as if nobody wrote the memory (ld.global.nc).
void scopeAccesses(Function &kernel, const BitVector &constants) {
  LLVMContext &context = kernel.getContext();
  MDBuilder builder(context);
  MDNode *domain = builder.createAnonymousAliasScopeDomain();
  MapVector<const Value *, MDNode *> scopes;
  for (Argument &argument : kernel.args()) {
    unsigned number = argument.getArgNo();
    if (!argument.hasNoAliasAttr() || (number < constants.size() && constants[number]))
      continue;
    scopes[&argument] = builder.createAnonymousAliasScope(domain);
    argument.removeAttr(Attribute::NoAlias);
  }
  for (Instruction &instruction : instructions(kernel)) {
    Value *pointer = getLoadStorePointerOperand(&instruction);
    const Value *object = pointer ? objectOf(pointer) : nullptr;
    if (!object || !isa<Argument, GlobalVariable, AllocaInst>(object))
      continue;
    SmallVector<Metadata *> others;
    for (auto [argument, scope] : scopes)
      if (argument != object)
        others.push_back(scope);
    if (MDNode *own = scopes.lookup(object))
      instruction.setMetadata(LLVMContext::MD_alias_scope, MDNode::get(context, {own}));
    if (!others.empty())
      instruction.setMetadata(LLVMContext::MD_noalias, MDNode::get(context, others));
  }
}

} // namespace

void orderLaunches(mlir::func::FuncOp kernel, bool areDependent) {
  using namespace mlir;
  if (!areDependent) {
    kernel.walk([](Operation *op) {
      if (isa<NVVM::GriddepcontrolOp, NVVM::PrefetchOp>(op))
        op->erase();
    });
    return;
  }
  mlir::Block &entry = kernel.getBody().front();
  bool hasWait =
      kernel
          .walk([](NVVM::GriddepcontrolOp op) {
            return op.getKind() == NVVM::GridDepActionKind::wait ? WalkResult::interrupt() : WalkResult::advance();
          })
          .wasInterrupted();
  Operation *first = &*llvm::find_if(entry, [](Operation &op) {
    return op.hasTrait<OpTrait::IsTerminator>() || op.getNumRegions() > 0 || !isMemoryEffectFree(&op);
  });
  if (!hasWait) {
    OpBuilder builder(first);
    NVVM::GriddepcontrolOp::create(builder, kernel.getLoc(), NVVM::GridDepActionKind::wait);
  }
  OpBuilder begin = OpBuilder::atBlockBegin(&entry);
  NVVM::GriddepcontrolOp::create(begin, kernel.getLoc(), NVVM::GridDepActionKind::launch_dependents);
}

Function *functionOf(Module &module, const DeviceKernel &kernel, bool forHost) {
  return module.getFunction(forHost ? kernel.name + ".body" : kernel.name);
}

void orderLaunches(Module &module, ArrayRef<DeviceKernel> kernels, bool areDependent, bool forHost) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      if (!intrinsic)
        continue;
      Intrinsic::ID id = intrinsic->getIntrinsicID();
      bool isWait = id == Intrinsic::nvvm_griddepcontrol_wait,
           isEarly = id == Intrinsic::nvvm_griddepcontrol_launch_dependents || id == Intrinsic::nvvm_prefetch_global_L2;
      if (areDependent && isWait)
        makeBarrier(*intrinsic);
      if (isWait || (isEarly && !areDependent))
        intrinsic->eraseFromParent();
    }
  for (const DeviceKernel &kernel : kernels)
    if (areDependent)
      scopeAccesses(*functionOf(module, kernel, forHost), kernel.constants);
}

} // namespace cameo
