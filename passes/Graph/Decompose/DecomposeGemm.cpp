// Moves the factors of Gemm, and the transposition of constant operands, into ops of their own, which --fold-constants
// evaluates.
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Decompose/DecomposePatterns.h"

#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

bool isConstantValue(Value value) { return isa_and_nonnull<onnx::ConstantOp>(value.getDefiningOp()); }

Value scale(OpBuilder &builder, Location loc, Value value, double factor) {
  auto type = cast<RankedTensorType>(value.getType());
  Value number = createScalar(builder, loc, type.getElementType(), factor);
  return onnx::MulOp::create(builder, loc, type, {value, number}, ArrayRef<NamedAttribute>{});
}

struct FoldGemmFactors : OpRewritePattern<onnx::GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::GemmOp op, PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getY().getType());
    bool foldsAlpha = op.getAlpha() != 1.0f && isConstantValue(op.getB());
    bool foldsBeta = op.getBeta() != 1.0f && isConstantValue(op.getC());
    bool dropsBeta = op.getBeta() != 1.0f && isa<NoneType>(op.getC().getType());
    if (!isa<FloatType>(type.getElementType()) || (!foldsAlpha && !foldsBeta && !dropsBeta))
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      if (foldsAlpha) {
        op.getBMutable().assign(scale(rewriter, op.getLoc(), op.getB(), op.getAlpha()));
        op.setAlpha(1.0f);
      }
      if (foldsBeta)
        op.getCMutable().assign(scale(rewriter, op.getLoc(), op.getC(), op.getBeta()));
      if (foldsBeta || dropsBeta)
        op.setBeta(1.0f);
    });
    return success();
  }
};

struct TransposeGemmConstant : OpRewritePattern<onnx::GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::GemmOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = getStaticType(op.getB());
    if (!op.getTransB() || !isConstantValue(op.getB()) || !type)
      return failure();
    auto transposed = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
    NamedAttribute perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr({1, 0}));
    Value b = onnx::TransposeOp::create(rewriter, op.getLoc(), transposed, op.getB(), perm);
    rewriter.modifyOpInPlace(op, [&] {
      op.getBMutable().assign(b);
      op.setTransB(0);
    });
    return success();
  }
};

} // namespace

void populateDecomposeGemmPatterns(RewritePatternSet &patterns) {
  patterns.add<FoldGemmFactors, TransposeGemmConstant>(patterns.getContext());
}

} // namespace cameo::graph
