#include "passes/Graph/ApplyPatterns.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace cameo::graph {

/// The driver's own limit is ten, which a chain that changes link by link needs more than.
constexpr int64_t kMaxRounds = 1 << 14;

LogicalResult applyPatterns(func::FuncOp function, RewritePatternSet &&patterns) {
  GreedyRewriteConfig config;
  config.setMaxIterations(kMaxRounds);
  if (succeeded(applyPatternsGreedily(function, std::move(patterns), config)))
    return success();
  return function.emitError() << "expected rewriting to end within " << kMaxRounds << " rounds, got changes in the last one";
}

} // namespace cameo::graph
