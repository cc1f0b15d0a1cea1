// The copies are made before LLVM optimises, because LLVM may hoist a load above a branch where it knows that the
// memory is dereferenceable. The kernel itself would not execute that load.
#include "passes/Codegen/Gpu/CheckAccesses.h"

#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Gpu/MemoryObjects.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace cameo {
namespace {

/// Same numbers as in utils/gpu/emulator/Check.h.
enum AccessKind { Read = 0, Write = 1, Atomic = 2, CopyFrom = 3, CopySource = 4, CopyTo = 5 };

struct Access {
  Instruction *before;
  Value *address, *bytes;
  AccessKind kind;
};

/// Whether `address` may point to device memory or to shared memory of a block. The sizes of the run are in host
/// memory; their argument is the only readonly one, because LLVM has not inferred attributes yet.
bool isOnDevice(Value *address) {
  const Value *object = objectOf(address);
  if (isa<AllocaInst>(object))
    return false;
  if (auto *argument = dyn_cast<Argument>(object))
    return !argument->hasAttribute(Attribute::ReadOnly);
  auto *global = dyn_cast<GlobalVariable>(object);
  return !global || global->getSection() == emulatedSharedName;
}

/// Whether `user` only converts a truth value from or to a byte.
bool isTruthValue(const User *user) {
  using namespace PatternMatch;
  return match(user, m_SpecificICmp(ICmpInst::ICMP_NE, m_Value(), m_Zero())) ||
         (isa<ZExtInst>(user) && user->getOperand(0)->getType()->isIntegerTy(1));
}

/// Whether the loaded `value` is only stored elsewhere, or not used at all. Such a load may read uninitialised memory
/// as long as nobody reads the copy. Plain loops copy tensors in this way before they write some of the elements.
bool isCopied(const Value &value) {
  return all_of(value.users(), [&](const User *user) {
    auto *store = dyn_cast<StoreInst>(user);
    return store ? store->getValueOperand() == &value : isTruthValue(user) && isCopied(*user);
  });
}

/// Returns the load whose value `store` stores unchanged, or null if there is none.
LoadInst *copiedBy(StoreInst &store) {
  Value *value = store.getValueOperand();
  while (auto *user = dyn_cast<User>(value)) {
    if (!isTruthValue(user))
      break;
    value = user->getOperand(0);
  }
  auto *load = dyn_cast<LoadInst>(value);
  return load && isCopied(*load) ? load : nullptr;
}

void findAccesses(Instruction &instruction, SmallVectorImpl<Access> &found) {
  const DataLayout &layout = instruction.getDataLayout();
  IRBuilder<> builder(&instruction);
  auto add = [&](Value *address, Value *bytes, AccessKind kind) {
    if (isOnDevice(address))
      found.push_back({&instruction, address, bytes, kind});
  };
  auto bytesOf = [&](Type *type) { return builder.getInt64(layout.getTypeStoreSize(type)); };
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    add(load->getPointerOperand(), bytesOf(load->getType()), isCopied(*load) ? CopyFrom : Read);
  else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    LoadInst *source = copiedBy(*store);
    bool isCopy = source && isOnDevice(source->getPointerOperand());
    if (isCopy)
      add(source->getPointerOperand(), bytesOf(source->getType()), CopySource);
    add(store->getPointerOperand(), bytesOf(store->getValueOperand()->getType()), isCopy ? CopyTo : Write);
  } else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    add(update->getPointerOperand(), bytesOf(update->getType()), Atomic);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    add(exchange->getPointerOperand(), bytesOf(exchange->getNewValOperand()->getType()), Atomic);
  else if (auto *set = dyn_cast<MemIntrinsic>(&instruction)) {
    auto *copy = dyn_cast<MemTransferInst>(set);
    bool isCopy = copy && isOnDevice(copy->getRawSource());
    if (isCopy)
      add(copy->getRawSource(), copy->getLength(), CopyFrom);
    if (isCopy)
      add(copy->getRawSource(), copy->getLength(), CopySource);
    add(set->getRawDest(), set->getLength(), isCopy ? CopyTo : Write);
  }
}

void reportAccesses(Function &function, GlobalVariable *hook) {
  SmallVector<Access> accesses;
  for (Instruction &instruction : instructions(function))
    findAccesses(instruction, accesses);
  for (const Access &access : accesses) {
    IRBuilder<> builder(access.before);
    Type *pointer = builder.getPtrTy(), *i64 = builder.getInt64Ty(), *i32 = builder.getInt32Ty();
    auto *type = FunctionType::get(builder.getVoidTy(), {pointer, i64, i32}, false);
    Value *address = builder.CreateAddrSpaceCast(access.address, pointer),
          *bytes = builder.CreateZExtOrTrunc(access.bytes, i64);
    builder.CreateCall(type, builder.CreateLoad(pointer, hook), {address, bytes, builder.getInt32(access.kind)});
  }
}

/// Whether `called` is a body of a persistent kernel. The functions of the emulator, which such a kernel calls itself,
/// are called through pointers.
bool isBody(const Function *called) { return called && !called->isDeclaration(); }

Function *copyOf(Function &function) {
  ValueToValueMapTy mapping;
  Function *copy = CloneFunction(&function, mapping);
  copy->setName(function.getName() + emulatedCheckedSuffix);
  return copy;
}

} // namespace

void addCheckedKernels(Module &module) {
  Type *pointer = PointerType::get(module.getContext(), 0);
  auto *hook = new GlobalVariable(module, pointer, /*isConstant=*/false, GlobalValue::ExternalLinkage,
                                  ConstantPointerNull::get(cast<PointerType>(pointer)), emulatedAccessName);
  SmallVector<Function *> kernels;
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasExternalLinkage())
      kernels.push_back(&function);
  for (Function *kernel : kernels) {
    Function *checked = copyOf(*kernel);
    for (Instruction &instruction : instructions(checked))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && isBody(call->getCalledFunction())) {
        Function *body = copyOf(*call->getCalledFunction());
        reportAccesses(*body, hook);
        call->setCalledFunction(body);
      }
  }
}

} // namespace cameo
