// Ops that move or select elements work on bytes as well as on the floats that they represent, with a quarter of the
// memory traffic.
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"

#include <cmath>

using namespace mlir;

namespace cameo::graph {
namespace {

/// Rewrites op(DequantizeLinear(x)) to DequantizeLinear(op(x)), for one positive scale.
template <typename OpTy> struct MoveDequantize : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    Value source = op->getOperand(0);
    std::optional<Quantized> x = getQuantized(source);
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    bool othersUnused = llvm::all_of(op->getResults().drop_front(), [](Value value) { return value.use_empty(); });
    if (!x || !x->isPerTensor() || !(x->scales[0] > 0) || !type || !othersUnused)
      return failure();
    Operation *moved = rewriter.clone(*op);
    moved->setOperand(0, x->integers);
    moved->getResult(0).setType(type.clone(cast<RankedTensorType>(x->integers.getType()).getElementType()));
    Operation *dequantize = rewriter.clone(*source.getDefiningOp());
    dequantize->setOperand(0, moved->getResult(0));
    dequantize->getResult(0).setType(type);
    rewriter.replaceAllUsesWith(op->getResult(0), dequantize->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }
};

/// QuantizeLinear cancels DequantizeLinear with the same scale s: round((x - z) s / s) is x - z, because the relative
/// error of both roundings is below a millionth.
struct CancelQuantization : OpRewritePattern<onnx::QuantizeLinearOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::QuantizeLinearOp op, PatternRewriter &rewriter) const override {
    std::optional<Quantized> x = getQuantized(op.getX());
    if (!x || !x->isPerTensor() || !std::isnormal(x->scales[0]) || x->integers.getType() != op.getY().getType())
      return failure();
    auto dequantize = op.getX().getDefiningOp<onnx::DequantizeLinearOp>();
    auto equal = [](Value a, Value b) {
      return a == b || (onnx::getConstantAttr(a) && onnx::getConstantAttr(a) == onnx::getConstantAttr(b)) ||
             (onnx::isAbsent(a) && onnx::isAbsent(b));
    };
    if (!equal(dequantize.getXScale(), op.getYScale()) || !equal(dequantize.getXZeroPoint(), op.getYZeroPoint()))
      return failure();
    rewriter.replaceOp(op, x->integers);
    return success();
  }
};

} // namespace

void populateMoveDequantizePatterns(RewritePatternSet &patterns) {
  patterns.add<MoveDequantize<onnx::MaxPoolOp>, MoveDequantize<onnx::ReshapeOp>, MoveDequantize<onnx::FlattenOp>,
               MoveDequantize<onnx::TransposeOp>, MoveDequantize<onnx::SqueezeOp>, MoveDequantize<onnx::UnsqueezeOp>,
               CancelQuantization>(patterns.getContext());
}

} // namespace cameo::graph
