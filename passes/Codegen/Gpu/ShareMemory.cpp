#include "passes/Codegen/Gpu/ShareMemory.h"

#include "dialects/Target/GpuMachine.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace cameo {
namespace {

constexpr auto sharedSpace = static_cast<unsigned>(mlir::NVVM::NVVMMemorySpace::Shared);

/// The least alignment of dynamic shared memory, that of its lines of banks.
constexpr uint64_t dynamicAlignment = 128;

/// Returns the functions that use `memory`.
SmallPtrSet<Function *, 4> usersOf(GlobalVariable &memory) {
  SmallPtrSet<Function *, 4> functions;
  SmallVector<User *> left(memory.users());
  while (!left.empty()) {
    User *user = left.pop_back_val();
    if (auto *instruction = dyn_cast<Instruction>(user))
      functions.insert(instruction->getFunction());
    else
      append_range(left, user->users());
  }
  return functions;
}

/// Variables of shared memory that follow each other in a common one.
class Places {
public:
  explicit Places(const DataLayout &layout) : layout(layout) {}

  void add(GlobalVariable &memory) {
    Align own = memory.getAlign().valueOrOne();
    alignment = std::max(alignment, own);
    uint64_t offset = alignTo(end, own);
    all.push_back({&memory, offset});
    end = offset + layout.getTypeAllocSize(memory.getValueType());
  }

  bool empty() const { return all.empty(); }
  uint64_t bytes() const { return end; }
  Align getAlign() const { return alignment; }
  StringRef getSection() const { return all.front().first->getSection(); }

  /// Replaces the variables by parts of `common`.
  void moveTo(GlobalVariable *common) {
    LLVMContext &context = common->getContext();
    for (auto [memory, offset] : all) {
      Constant *at = ConstantInt::get(Type::getInt64Ty(context), offset);
      memory->replaceAllUsesWith(ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(context), common, at));
      memory->eraseFromParent();
    }
  }

private:
  const DataLayout &layout;
  SmallVector<std::pair<GlobalVariable *, uint64_t>> all;
  uint64_t end = 0;
  Align alignment;
};

SmallVector<GlobalVariable *> sharedVariables(Module &module) {
  SmallVector<GlobalVariable *> found;
  for (GlobalVariable &memory : module.globals())
    if (memory.getAddressSpace() == sharedSpace)
      found.push_back(&memory);
  return found;
}

/// Returns a variable of `bytes` bytes of shared memory; its size and contents are of the image, or without
/// `isInternal` those of the launch.
GlobalVariable *makeVariable(Module &module, uint64_t bytes, StringRef name, bool isInternal) {
  auto *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  return new GlobalVariable(
      module, type, /*isConstant=*/false, isInternal ? GlobalValue::InternalLinkage : GlobalValue::ExternalLinkage,
      isInternal ? UndefValue::get(type) : nullptr, name, nullptr, GlobalValue::NotThreadLocal, sharedSpace);
}

} // namespace

void shareMemory(Module &module, ArrayRef<Function *> functions) {
  MapVector<Function *, Places> ofFunction;
  for (GlobalVariable *memory : sharedVariables(module)) {
    SmallPtrSet<Function *, 4> users = usersOf(*memory);
    if (users.size() == 1 && is_contained(functions, *users.begin()))
      ofFunction.try_emplace(*users.begin(), module.getDataLayout()).first->second.add(*memory);
  }
  if (ofFunction.empty())
    return;
  uint64_t most = 0;
  Align alignment;
  for (const auto &[function, places] : ofFunction) {
    most = std::max(most, places.bytes());
    alignment = std::max(alignment, places.getAlign());
  }
  GlobalVariable *all = makeVariable(module, most, "shared", /*isInternal=*/true);
  all->setAlignment(alignment);
  all->setSection(ofFunction.front().second.getSection());
  for (auto &[function, places] : ofFunction)
    places.moveTo(all);
}

SmallVector<uint64_t> makeMemoryDynamic(Module &module, ArrayRef<KernelCode> kernels, bool forHost) {
  std::vector<Places> ofKernel(kernels.size(), Places(module.getDataLayout()));
  for (GlobalVariable *memory : sharedVariables(module)) {
    SmallPtrSet<Function *, 4> users = usersOf(*memory);
    const KernelCode *owner = find_if(kernels, [&](const KernelCode &code) {
      return all_of(users, [&](Function *user) { return is_contained(code, user); });
    });
    if (!users.empty() && owner != kernels.end())
      ofKernel[owner - kernels.begin()].add(*memory);
  }
  SmallVector<uint64_t> bytes = map_to_vector(ofKernel, [](const Places &places) {
    return places.bytes() > GpuMachine::staticSharedBytes ? places.bytes() : 0;
  });
  // On the host all kernels have their memory in one place, so that an address in it has as few bits as on a device.
  uint64_t most = 0;
  for (auto [places, own] : zip_equal(ofKernel, bytes))
    most = std::max(most, forHost ? places.bytes() : own);
  if (most == 0)
    return bytes;
  GlobalVariable *dynamic = makeVariable(module, forHost ? most : 0, "dynamic_shared", /*isInternal=*/forHost);
  Align alignment(dynamicAlignment);
  for (auto [places, own] : zip_equal(ofKernel, bytes))
    if (own > 0 || (forHost && !places.empty())) {
      alignment = std::max(alignment, places.getAlign());
      dynamic->setSection(places.getSection());
      places.moveTo(dynamic);
    }
  dynamic->setAlignment(alignment);
  return bytes;
}

} // namespace cameo
