// --simplify-graph. The patterns are in Simplify<Kind>.cpp; dead ops go with the rewrite driver.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Passes.h"
#include "passes/Graph/Simplify/SimplifyPatterns.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_SIMPLIFYGRAPHPASS
#include "passes/Graph/Passes.h.inc"

namespace {

struct SimplifyGraphPass : impl::SimplifyGraphPassBase<SimplifyGraphPass> {
  void runOnOperation() override {
    // Equal values first: the patterns see that two operands are one.
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(getOperation());
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());

    RewritePatternSet patterns(&getContext());
    populateSimplifyArithmeticPatterns(patterns);
    populateSimplifyMovementPatterns(patterns);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      return signalPassFailure();

    DominanceInfo dominanceAfter(getOperation());
    eliminateCommonSubExpressions(rewriter, dominanceAfter, getOperation());
  }
};

} // namespace
} // namespace cameo
