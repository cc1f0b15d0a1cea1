// --if-convert: both branches, and a selection of elements, for targets that cannot leave one out.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_IFCONVERTPASS
#include "passes/Graph/Passes.h.inc"

namespace {

struct SelectElements : OpRewritePattern<onnx::ChooseOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ChooseOp op, PatternRewriter &rewriter) const override {
    // Branches of different sizes are no operands of one selection.
    if (!op.getCounts().empty())
      return failure();
    rewriter.replaceOpWithNewOp<onnx::WhereOp>(op, TypeRange(op.getChosen().getType()), op.getOperands(),
                                               ArrayRef<NamedAttribute>{});
    return success();
  }
};

struct IfConvertPass : impl::IfConvertPassBase<IfConvertPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SelectElements>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
