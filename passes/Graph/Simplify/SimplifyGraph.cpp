// --simplify-graph. The patterns are in Simplify<Kind>.cpp; the rewrite driver erases dead ops.
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
    // Merges equal values first, because patterns compare operands.
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
