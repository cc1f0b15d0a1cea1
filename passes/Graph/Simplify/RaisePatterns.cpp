// --raise-patterns. The patterns are in Raise<Kind>.cpp.
#include "passes/Graph/Simplify/RaisePatterns.h"
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Passes.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_RAISEPATTERNSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

struct RaisePatternsPass : impl::RaisePatternsPassBase<RaisePatternsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateRaiseActivationPatterns(patterns);
    populateRaiseNormalizationPatterns(patterns);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
