// --form-integer-products. The patterns are in Quantized<Kind>.cpp and MoveDequantize.cpp.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/IntegerPatterns.h"
#include "passes/Graph/Passes.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_FORMINTEGERPRODUCTSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

struct FormIntegerProductsPass : impl::FormIntegerProductsPassBase<FormIntegerProductsPass> {
  using FormIntegerProductsPassBase::FormIntegerProductsPassBase;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateIntegerProductPatterns(patterns);
    populateQLinearPatterns(patterns);
    populateMoveDequantizePatterns(patterns);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      return signalPassFailure();
    chooseSigns(getOperation(), signedActivations);
  }
};

} // namespace
} // namespace cameo
