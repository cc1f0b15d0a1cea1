// Emits the constant texts of a model as data of the object.
#include "passes/Codegen/Entry/EmitEntry.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

GlobalVariable *emitTextTable(Module &module, ArrayRef<std::string> texts, StringRef prefix) {
  IRBuilder<> builder(module.getContext());
  StringMap<GlobalVariable *> globals;
  SmallVector<Constant *> addresses;
  for (const std::string &text : texts) {
    GlobalVariable *&global = globals[text];
    if (!global)
      global = builder.CreateGlobalString(text, prefix + ".text", 0, &module);
    addresses.push_back(global);
  }
  // The addresses are relocations, which the linker or the loader resolves.
  auto *type = ArrayType::get(builder.getPtrTy(), addresses.size());
  return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                            ConstantArray::get(type, addresses), prefix + ".texts");
}

} // namespace cameo
