// Polynomials for the transcendental functions of kernels: a call into the C library per lane would cost far more than
// the rest of a nest.
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

struct ApproximateMath : impl::ApproximateMathPassBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    FrozenRewritePatternSet frozen(std::move(patterns));
    SmallVector<Operation *> transcendental;
    getOperation().walk([&](Operation *op) {
      bool inVector = llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
      if (inVector && isa_and_present<math::MathDialect>(op->getDialect()))
        transcendental.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(transcendental, frozen)))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
