// Emits the constant strings of a model as data of the object.
#include "passes/Codegen/Entry/EmitEntry.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

GlobalVariable *emitStringTable(Module &module, ArrayRef<std::string> strings, StringRef prefix) {
  IRBuilder<> builder(module.getContext());
  StringMap<GlobalVariable *> globals;
  SmallVector<Constant *> addresses;
  for (const std::string &string : strings) {
    GlobalVariable *&global = globals[string];
    if (!global)
      global = builder.CreateGlobalString(string, prefix + ".string", 0, &module);
    addresses.push_back(global);
  }
  // The addresses are relocations, which the linker or the loader resolves.
  auto *type = ArrayType::get(builder.getPtrTy(), addresses.size());
  return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                            ConstantArray::get(type, addresses), prefix + ".strings");
}

} // namespace cameo
