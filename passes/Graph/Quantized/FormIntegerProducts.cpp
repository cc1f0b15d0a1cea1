// --form-integer-products. The patterns are in Quantized<Kind>.cpp, MoveDequantize.cpp and BlockedProducts.cpp.
#include "dialects/Target/TargetDialect.h"
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Passes.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_FORMINTEGERPRODUCTSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

struct FormIntegerProductsPass : impl::FormIntegerProductsPassBase<FormIntegerProductsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateIntegerProductPatterns(patterns);
    populateQLinearPatterns(patterns);
    populateMoveDequantizePatterns(patterns);
    populateBlockedProductPatterns(patterns);
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      return signalPassFailure();
    ByteProducts products = machineOf(getOperation()->getParentOfType<ModuleOp>()).byteProducts;
    chooseSigns(getOperation(), /*isSigned=*/products == ByteProducts::SameSign);
    chooseWeightSigns(getOperation(), products);
  }
};

} // namespace
} // namespace cameo
