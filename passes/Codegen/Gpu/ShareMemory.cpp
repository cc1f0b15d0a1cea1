#include "passes/Codegen/Gpu/ShareMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cameo {
namespace {

constexpr auto sharedSpace = static_cast<unsigned>(mlir::NVVM::NVVMMemorySpace::Shared);

/// Returns the only function that uses `memory`, or null if there are several or none.
Function *userOf(GlobalVariable &memory) {
  Function *only = nullptr;
  SmallVector<User *> left(memory.users());
  while (!left.empty()) {
    User *user = left.pop_back_val();
    auto *instruction = dyn_cast<Instruction>(user);
    if (!instruction) {
      append_range(left, user->users());
      continue;
    }
    if (only && only != instruction->getFunction())
      return nullptr;
    only = instruction->getFunction();
  }
  return only;
}

/// The offset of a variable in the common one. Variables of the same function follow each other.
struct Place {
  GlobalVariable *memory;
  uint64_t offset;
};

} // namespace

void shareMemory(Module &module, ArrayRef<Function *> functions) {
  const DataLayout &layout = module.getDataLayout();
  MapVector<Function *, uint64_t> ends;
  SmallVector<Place> places;
  Align alignment;
  uint64_t most = 0;
  for (GlobalVariable &memory : module.globals()) {
    if (memory.getAddressSpace() != sharedSpace)
      continue;
    Function *user = userOf(memory);
    if (!is_contained(functions, user))
      continue;
    Align own = memory.getAlign().valueOrOne();
    alignment = std::max(alignment, own);
    uint64_t offset = alignTo(ends[user], own);
    places.push_back({&memory, offset});
    ends[user] = offset + layout.getTypeAllocSize(memory.getValueType());
    most = std::max(most, ends[user]);
  }
  if (places.empty())
    return;
  Type *byte = Type::getInt8Ty(module.getContext());
  auto *type = ArrayType::get(byte, most);
  auto *all = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                 UndefValue::get(type), "shared", nullptr, GlobalValue::NotThreadLocal, sharedSpace);
  all->setAlignment(alignment);
  all->setSection(places.front().memory->getSection());
  for (const Place &place : places) {
    Constant *offset = ConstantInt::get(Type::getInt64Ty(module.getContext()), place.offset);
    place.memory->replaceAllUsesWith(ConstantExpr::getInBoundsGetElementPtr(byte, all, offset));
    place.memory->eraseFromParent();
  }
}

} // namespace cameo
