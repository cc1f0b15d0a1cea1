#include "passes/Codegen/Gpu/HostKernels.h"

#include "dialects/Task/TaskStringOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace cameo {

OwningOpRef<ModuleOp> takeHostKernels(ModuleOp source) {
  OwningOpRef<ModuleOp> host;
  SymbolTable symbols(source);
  auto take = [&](Operation *op) { op->moveBefore(host->getBody(), host->getBody()->end()); };
  for (auto kernel : llvm::make_early_inc_range(source.getOps<func::FuncOp>())) {
    if (!kernel->hasAttr(task::hostName))
      continue;
    if (!host)
      host = ModuleOp::create(source.getLoc());
    kernel.walk([&](memref::GetGlobalOp op) {
      Operation *table = symbols.lookup(op.getName());
      if (table && table->getParentOp() == source)
        take(table);
    });
    take(kernel);
  }
  return host;
}

} // namespace cameo
