#include "utils/Driver/ReleaseConstants.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

void cameo::releaseUnusedConstants(ArrayRef<ModuleOp> modules) {
  llvm::StringSet<> used;
  for (ModuleOp module : modules)
    module->walk([&](Operation *op) {
      op->getAttrDictionary().walk(
          [&](DenseResourceElementsAttr constant) { used.insert(constant.getRawHandle().getKey()); });
    });
  DialectResourceBlobManager &manager =
      DenseResourceElementsHandle::getManagerInterface(modules.front()->getContext()).getBlobManager();
  SmallVector<std::string> unused;
  manager.getBlobMap([&](const auto &resources) {
    for (const auto &resource : resources)
      if (resource.second.getBlob() && !resource.second.getBlob()->getData().empty() &&
          !used.contains(resource.first()))
        unused.push_back(resource.first().str());
  });
  for (const std::string &name : unused)
    manager.update(name, AsmResourceBlob());
}
