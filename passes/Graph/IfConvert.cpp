// --if-convert: computes both branches and selects elements, for targets that cannot skip a branch.
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
    // Branches of different sizes cannot be operands of one Where.
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
