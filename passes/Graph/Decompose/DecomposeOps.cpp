// --decompose-ops. The patterns are in Decompose<Family>.cpp.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/Passes.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_DECOMPOSEOPSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

struct DecomposeOpsPass : impl::DecomposeOpsPassBase<DecomposeOpsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeAttentionPatterns(patterns);
    populateDecomposeBoundsPatterns(patterns);
    populateDecomposeConvTransposePatterns(patterns);
    populateDecomposeCountedPatterns(patterns);
    populateDecomposeEinsumPatterns(patterns);
    populateDecomposeGemmPatterns(patterns);
    populateDecomposeHardmaxPatterns(patterns);
    populateDecomposePaddingPatterns(patterns);
    populateDecomposePositionPatterns(patterns);
    populateDecomposeShapePatterns(patterns);
    populateDecomposeTransformPatterns(patterns);
    populateDecomposeUnpoolPatterns(patterns);
    populateDecomposeWindowPatterns(patterns);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
