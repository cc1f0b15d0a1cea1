// Polynomials for the transcendental functions of kernels: a call into the C library per lane would cost far more than
// the rest of a nest.
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_APPROXIMATEMATHPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// What replaces `op`, or null when VectorMath has no such function.
Value approximate(Operation *op, OpBuilder &builder, bool hasFma) {
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type || type.getRank() != 1 || !type.getElementType().isF32())
    return {};
  schedule::VectorMath math(builder, op->getLoc(), type, hasFma);
  Value x = op->getOperand(0);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::ExpOp) { return math.exp(x); })
      .Case([&](math::LogOp) { return math.log(x); })
      .Case([&](math::TanhOp) { return math.tanh(x); })
      .Case([&](math::ErfOp) { return math.erf(x); })
      .Case([&](math::SinOp) { return math.sin(x); })
      .Case([&](math::CosOp) { return math.cos(x); })
      .Case([&](math::AtanOp) { return math.atan(x); })
      .Case([&](math::AsinOp) { return math.asin(x); })
      .Case([&](math::AcosOp) { return math.acos(x); })
      .Default([](Operation *) { return Value(); });
}

struct ApproximateMath : impl::ApproximateMathPassBase<ApproximateMath> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> transcendental;
    getOperation().walk([&](Operation *op) {
      bool inVector = llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
      if (inVector && isa_and_present<math::MathDialect>(op->getDialect()))
        transcendental.push_back(op);
    });
    llvm::erase_if(transcendental, [&](Operation *op) {
      OpBuilder builder(op);
      Value replacement = approximate(op, builder, fusedMultiplyAdd);
      if (!replacement)
        return false;
      op->getResult(0).replaceAllUsesWith(replacement);
      op->erase();
      return true;
    });
    // Upstream has the rest: roots, and what is made of the others.
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns);
    if (failed(applyOpPatternsGreedily(transcendental, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
