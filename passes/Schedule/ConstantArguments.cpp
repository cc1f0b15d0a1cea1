// Collects the arguments in one walk over the calls of a module.
#include "passes/Schedule/ConstantArguments.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace cameo::schedule {

ConstantArguments::ConstantArguments(ModuleOp module) {
  module.walk([&](task::CallOp call) {
    auto [it, added] = constant.try_emplace(call.getCallee(), call.getInputs().size(), true);
    for (auto [flag, input] : llvm::zip(it->second, call.getInputs()))
      flag &= matchPattern(input, m_Constant());
  });
}

SmallVector<bool> ConstantArguments::of(task::DefOp def) const {
  auto it = constant.find(def.getSymName());
  return it == constant.end() ? SmallVector<bool>(def.getArgumentTypes().size(), false) : it->second;
}

} // namespace cameo::schedule
