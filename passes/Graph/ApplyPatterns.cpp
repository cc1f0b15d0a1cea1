#include "passes/Graph/ApplyPatterns.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace cameo::graph {

/// The driver's default limit of ten is too small for chains in which one op changes per iteration.
constexpr int64_t kMaxIterations = 1 << 14;

static bool hasRanks(Operation *op) {
  auto isRanked = [](Type type) { return !isa<UnrankedTensorType>(type); };
  return llvm::all_of(op->getOperandTypes(), isRanked) && llvm::all_of(op->getResultTypes(), isRanked);
}

LogicalResult applyPatterns(func::FuncOp function, RewritePatternSet &&patterns) {
  GreedyRewriteConfig config;
  config.setMaxIterations(kMaxIterations);
  SmallVector<Operation *> ranked;
  bool isWhole = true;
  function.walk([&](Operation *op) { hasRanks(op) ? ranked.push_back(op) : void(isWhole = false); });
  FrozenRewritePatternSet frozen(std::move(patterns));
  config.setStrictness(isWhole ? GreedyRewriteStrictness::AnyOp : GreedyRewriteStrictness::ExistingAndNewOps);
  if (succeeded(isWhole ? applyPatternsGreedily(function, frozen, config)
                        : applyOpPatternsGreedily(ranked, frozen, config)))
    return success();
  return function.emitError() << "expected rewriting to end within " << kMaxIterations
                              << " iterations, got changes in the last one";
}

} // namespace cameo::graph
