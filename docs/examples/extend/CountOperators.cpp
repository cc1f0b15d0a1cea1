// A pass of one's own, outside the tree of Cameo: says of which operators a model has how many.
//
//   cameo compile net.onnx --emit=onnx |
//     cameo-opt --load-pass-plugin=./libcount-operators.so --pass-pipeline='builtin.module(count-operators)'
#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include <map>

namespace {

struct CountOperators : mlir::PassWrapper<CountOperators, mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountOperators)

  llvm::StringRef getArgument() const final { return "count-operators"; }
  llvm::StringRef getDescription() const final { return "Say of which operators a model has how many"; }

  void runOnOperation() override {
    std::map<llvm::StringRef, unsigned> counts;
    getOperation().walk([&](mlir::Operation *operation) {
      if (llvm::isa_and_nonnull<cameo::onnx::OnnxDialect>(operation->getDialect()))
        ++counts[operation->getName().getStringRef()];
    });
    for (auto [name, count] : counts)
      llvm::outs() << "// " << name << ": " << count << '\n';
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "count-operators", "1", [] { mlir::PassRegistration<CountOperators>(); }};
}
