// --update-caches: finds caches for which the caller may pass one buffer as input and output.
#include "passes/Partition/Passes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_UPDATECACHESPASS
#include "passes/Partition/Passes.h.inc"

namespace {

/// Whether the cache is an input that no other op reads, which could otherwise read rows after their update, and is
/// returned exactly once.
bool belongsToCaller(onnx::TensorScatterOp op) {
  auto past = dyn_cast<BlockArgument>(op.getPastCache());
  auto isReturn = [](OpOperand &use) { return use.getOwner()->hasTrait<OpTrait::IsTerminator>(); };
  return past && past.hasOneUse() && past.getType() == op.getPresentCache().getType() &&
         llvm::count_if(op.getPresentCache().getUses(), isReturn) == 1;
}

struct UpdateCachesPass : impl::UpdateCachesPassBase<UpdateCachesPass> {
  void runOnOperation() override {
    if (getOperation().getSymName() != "main")
      return;
    for (auto op : llvm::make_early_inc_range(getOperation().getOps<onnx::TensorScatterOp>())) {
      auto dims = onnx::getDims(op.getPastCache()), rows = onnx::getDims(op.getUpdate());
      if (op.getMode() != "linear" || onnx::isAbsent(op.getWriteIndices()) || !dims || !rows ||
          !onnx::areKnown(*dims) || !onnx::areKnown(*rows) || !belongsToCaller(op))
        continue;
      int64_t axis = op.getAxis() < 0 ? op.getAxis() + int64_t(dims->size()) : op.getAxis();
      IRRewriter rewriter(op);
      rewriter.replaceOpWithNewOp<task::UpdateOp>(op, op.getPresentCache().getType(), op.getPastCache(), op.getUpdate(),
                                                  op.getWriteIndices(), rewriter.getI64IntegerAttr(axis));
    }
    checkAliases();
  }

  /// Reports an error for each output that shall share a buffer with an input but is no update of it.
  void checkAliases() {
    func::FuncOp main = getOperation();
    for (OpOperand &result : main.getBody().front().getTerminator()->getOpOperands()) {
      auto alias = main.getResultAttrOfType<StringAttr>(result.getOperandNumber(), "onnx.alias");
      auto update = result.get().getDefiningOp<task::UpdateOp>();
      auto past = update ? cast<BlockArgument>(update.getPast()) : BlockArgument();
      if (!alias || (past && main.getArgAttrOfType<StringAttr>(past.getArgNumber(), "onnx.name") == alias))
        continue;
      auto name = main.getResultAttrOfType<StringAttr>(result.getOperandNumber(), "onnx.name");
      main.emitError("expected output '")
          << name.strref() << "' to be input '" << alias.strref()
          << "' with new rows (TensorScatter, attention over a cache), which nothing else reads, for --alias";
      signalPassFailure();
    }
  }
};

} // namespace
} // namespace cameo
