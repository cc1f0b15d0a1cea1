// Two faults of the optimised path: a pass on the graph takes differences for sums, and scheduled code of Softmax
// multiplies where it should divide.
#include "utils/Plugin/PluginRegistry.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace cameo;

namespace {

struct TakeDifferencesForSums : PassWrapper<TakeDifferencesForSums, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakeDifferencesForSums)

  StringRef getArgument() const override { return "take-differences-for-sums"; }
  void runOnOperation() override {
    getOperation().walk([](onnx::SubOp op) {
      OpBuilder builder(op);
      Value sum = onnx::AddOp::create(builder, op.getLoc(), TypeRange(op.getType()), op->getOperands());
      op.replaceAllUsesWith(sum);
      op.erase();
    });
  }
};

} // namespace

/// In the kernels of Softmax, behind the pass that emits them.
static void multiplyForDivide(Operation *module) {
  module->walk([](func::FuncOp kernel) {
    if (!kernel.getSymName().starts_with("softmax"))
      return;
    kernel.walk([](arith::DivFOp op) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(arith::MulFOp::create(builder, op.getLoc(), op.getLhs(), op.getRhs()).getResult());
      op.erase();
    });
  });
}

static void spoil(llvm::function_ref<void()> act, const tracing::Action &action) {
  act();
  if (auto *execution = llvm::dyn_cast<PassExecutionAction>(&action);
      execution && execution->getPass().getArgument() == "emit-kernels")
    multiplyForDivide(execution->getOp());
}

extern "C" const char *cameoPluginVersion() { return CAMEO_PLUGIN_VERSION; }

extern "C" void cameoRegisterPlugin(PluginRegistry &registry) {
  registry.addGraphPass([] { return std::make_unique<TakeDifferencesForSums>(); }, GraphPassUse::Optimized);
  registry.getDialects().addExtension(
      +[](MLIRContext *context, task::TaskDialect *) { context->registerActionHandler(spoil); });
}
