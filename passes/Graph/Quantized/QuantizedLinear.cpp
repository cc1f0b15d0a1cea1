// Rewrites QLinearConv and QLinearMatMul to integer sums, one multiplication, and rounding.
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

/// Returns constant f32 scales; nothing for other values.
std::optional<SmallVector<float>> getScales(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  std::optional<SmallVector<double>> numbers = onnx::getConstantFloats(value);
  if (!type || !type.getElementType().isF32() || !numbers || numbers->empty())
    return std::nullopt;
  return SmallVector<float>(numbers->begin(), numbers->end());
}

/// Returns x * w / y for every scale of w, with each operation rounded to f32.
std::optional<SmallVector<float>> getFactors(Value xScale, Value wScale, Value yScale) {
  std::optional<SmallVector<float>> x = getScales(xScale), w = getScales(wScale), y = getScales(yScale);
  if (!x || !w || !y || x->size() != 1 || y->size() != 1)
    return std::nullopt;
  for (float &scale : *w) {
    float product = x->front() * scale;
    scale = product / y->front();
  }
  return w;
}

/// Multiplies sums by factors, rounds half to even, adds the zero point and saturates.
Value requantize(PatternRewriter &rewriter, Location loc, Value sums, ArrayRef<float> factors, int64_t axis,
                 Value zeroPoint, Type type) {
  Value scaled = scaleSums(rewriter, loc, sums, factors, axis);
  if (cast<RankedTensorType>(zeroPoint.getType()).getRank() != 0)
    zeroPoint = onnx::makeReshape(rewriter, loc, zeroPoint, {});
  Value one = onnx::makeFloatConstant(rewriter, loc, 1.0f);
  return onnx::QuantizeLinearOp::create(rewriter, loc, TypeRange(type), ValueRange{scaled, one, zeroPoint},
                                        ArrayRef<NamedAttribute>{});
}

struct DecomposeQLinearConv : OpRewritePattern<onnx::QLinearConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::QLinearConvOp op, PatternRewriter &rewriter) const override {
    std::optional<SmallVector<float>> factors = getFactors(op.getXScale(), op.getWScale(), op.getYScale());
    auto type = dyn_cast<RankedTensorType>(op.getY().getType());
    if (!factors || !type || !isOneNumber(op.getYZeroPoint()))
      return failure();
    Location loc = op.getLoc();
    auto sumType = cast<RankedTensorType>(type.clone(rewriter.getI32Type()));
    Value sums = onnx::ConvIntegerOp::create(rewriter, loc, TypeRange(sumType),
                                             ValueRange{op.getX(), op.getW(), op.getXZeroPoint(), op.getWZeroPoint()},
                                             op->getAttrs());
    int64_t axis = op.getChannelsLast() ? type.getRank() - 1 : 1;
    if (op.getB() && !onnx::isAbsent(op.getB())) {
      SmallVector<int64_t> shape(type.getRank() - axis, 1);
      shape.front() = cast<RankedTensorType>(op.getB().getType()).getDimSize(0);
      Value bias = onnx::makeReshape(rewriter, loc, op.getB(), shape);
      sums = onnx::AddOp::create(rewriter, loc, TypeRange(sumType), ValueRange{sums, bias}, ArrayRef<NamedAttribute>{});
    }
    rewriter.replaceOp(op, requantize(rewriter, loc, sums, *factors, axis, op.getYZeroPoint(), type));
    return success();
  }
};

struct DecomposeQLinearMatMul : OpRewritePattern<onnx::QLinearMatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::QLinearMatMulOp op, PatternRewriter &rewriter) const override {
    std::optional<SmallVector<float>> factors = getFactors(op.getAScale(), op.getBScale(), op.getYScale());
    auto type = dyn_cast<RankedTensorType>(op.getY().getType());
    auto a = dyn_cast<RankedTensorType>(op.getA().getType()), b = dyn_cast<RankedTensorType>(op.getB().getType());
    if (!factors || !type || !a || !b || !isOneNumber(op.getYZeroPoint()) || !a.getElementType().isInteger(8) ||
        a.getRank() < 2 || b.getRank() < 2 ||
        (factors->size() != 1 && cast<RankedTensorType>(op.getBScale().getType()).getRank() != 1))
      return failure();
    Value sums = onnx::MatMulIntegerOp::create(rewriter, op.getLoc(), TypeRange(type.clone(rewriter.getI32Type())),
                                               ValueRange{op.getA(), op.getB(), op.getAZeroPoint(), op.getBZeroPoint()},
                                               ArrayRef<NamedAttribute>{});
    rewriter.replaceOp(op,
                       requantize(rewriter, op.getLoc(), sums, *factors, type.getRank() - 1, op.getYZeroPoint(), type));
    return success();
  }
};

} // namespace

void populateQLinearPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeQLinearConv, DecomposeQLinearMatMul>(patterns.getContext());
}

} // namespace cameo::graph
