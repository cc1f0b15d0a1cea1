// --raise-softclip: c * tanh(x / c), written with operators of ONNX, becomes one Softclip.
#include "Plugin.h"

#include "AcmeOps.h"

#include "dialects/Onnx/ConstantData.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

struct Raise : OpRewritePattern<cameo::onnx::MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(cameo::onnx::MulOp mul, PatternRewriter &rewriter) const override {
    auto tanh = mul.getA().getDefiningOp<cameo::onnx::TanhOp>();
    auto div = tanh ? tanh->getOperand(0).getDefiningOp<cameo::onnx::DivOp>() : nullptr;
    if (!div || div.getB() != mul.getB() || div.getA().getType() != mul.getType())
      return failure();
    std::optional<SmallVector<double>> limit = cameo::onnx::getConstantFloats(mul.getB());
    if (!limit || limit->size() != 1)
      return failure();
    rewriter.replaceOpWithNewOp<acme::SoftclipOp>(mul, TypeRange(mul.getType()), div.getA(),
                                                  rewriter.getF32FloatAttr(limit->front()));
    return success();
  }
};

struct RaiseSoftclip : PassWrapper<RaiseSoftclip, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RaiseSoftclip)

  StringRef getArgument() const override { return "raise-softclip"; }
  StringRef getDescription() const override { return "Make one Softclip of a division, a Tanh and a product"; }
  void getDependentDialects(DialectRegistry &registry) const override { registry.insert<acme::AcmeDialect>(); }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<Raise>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> acme::createRaiseSoftclipPass() { return std::make_unique<RaiseSoftclip>(); }
