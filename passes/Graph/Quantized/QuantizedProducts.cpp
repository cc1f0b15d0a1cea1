// Products of dequantized values: sum (x - zx) sx (w - zw) sw = sx sw sum (x - zx) (w - zw). The integer sum is exact
// in 32 bits.
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo::graph {
namespace {

SmallVector<float> multiply(float factor, ArrayRef<float> scales) {
  SmallVector<float> products;
  for (float scale : scales)
    products.push_back(factor * scale);
  return products;
}

/// Returns the integers of a bias that was quantized with `scales`; nothing for other biases.
std::optional<SmallVector<int32_t>> getIntegerBias(Value bias, ArrayRef<float> scales) {
  auto op = bias.getDefiningOp<onnx::DequantizeLinearOp>();
  if (!op || op.getBlockSize() != 0 || !cast<RankedTensorType>(op.getX().getType()).getElementType().isInteger(32))
    return std::nullopt;
  std::optional<SmallVector<int64_t>> numbers = onnx::getConstantInts(op.getX());
  std::optional<SmallVector<double>> own = onnx::getConstantFloats(op.getXScale());
  std::optional<SmallVector<int64_t>> zeros =
      onnx::isAbsent(op.getXZeroPoint()) ? SmallVector<int64_t>() : onnx::getConstantInts(op.getXZeroPoint());
  if (!numbers || !own || !zeros || llvm::any_of(*zeros, [](int64_t zero) { return zero != 0; }))
    return std::nullopt;
  size_t count = std::max(own->size(), scales.size());
  for (size_t i = 0; i < count; ++i)
    if (static_cast<float>((*own)[own->size() == 1 ? 0 : i]) != scales[scales.size() == 1 ? 0 : i])
      return std::nullopt;
  return SmallVector<int32_t>(numbers->begin(), numbers->end());
}

/// Multiplies `sums` by `scales` and adds `bias`, which may be absent; its last dimension, if any, is along `axis`.
Value finish(PatternRewriter &rewriter, Location loc, Value sums, ArrayRef<float> scales, Value bias, int64_t axis,
             int64_t length) {
  auto type = cast<RankedTensorType>(sums.getType());
  bool isGiven = bias && !onnx::isAbsent(bias);
  if (std::optional<SmallVector<int32_t>> numbers = isGiven ? getIntegerBias(bias, scales) : std::nullopt) {
    int64_t largest = 0;
    for (int32_t number : *numbers)
      largest = std::max(largest, std::abs(int64_t(number)));
    bool isPerChannel = numbers->size() == 1 || static_cast<int64_t>(numbers->size()) == type.getDimSize(axis);
    if (isPerChannel && fitsSum(length, largest)) {
      Value addend = createAlong(rewriter, loc, *numbers, type.getRank(), axis);
      sums = onnx::AddOp::create(rewriter, loc, TypeRange(type), ValueRange{sums, addend}, ArrayRef<NamedAttribute>{});
      isGiven = false;
    }
  }
  Value result = scaleSums(rewriter, loc, sums, scales, axis);
  if (!isGiven)
    return result;
  auto biasType = cast<RankedTensorType>(bias.getType());
  if (biasType.getRank() == 1 && biasType.getDimSize(0) != 1) {
    SmallVector<int64_t> shape(type.getRank() - axis, 1);
    shape.front() = biasType.getDimSize(0);
    bias = onnx::makeReshape(rewriter, loc, bias, shape);
  }
  return onnx::AddOp::create(rewriter, loc, TypeRange(result.getType()), ValueRange{result, bias},
                             ArrayRef<NamedAttribute>{});
}

struct ConvOfIntegers : OpRewritePattern<onnx::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvOp op, PatternRewriter &rewriter) const override {
    std::optional<Quantized> x = getQuantized(op.getX()), w = getQuantized(op.getW());
    auto type = dyn_cast<RankedTensorType>(op.getY().getType());
    if (!x || !w || !type || !x->isPerTensor() || !onnx::getConstantAttr(w->integers) ||
        (!w->isPerTensor() && w->axis != 0))
      return failure();
    auto weights = cast<RankedTensorType>(w->integers.getType());
    int64_t length = weights.getNumElements() / std::max<int64_t>(weights.getDimSize(0), 1);
    if (!fitsSum(length, 0))
      return failure();
    *w = centre(rewriter, op.getLoc(), *w);
    // FoldZeroPoints takes zero points of grouped weights as they are, and bytes would be multiplied as 32 bits.
    if (w->zeroPoint && (op.getGroup() != 1 || !onnx::getConstantAttr(w->zeroPoint)))
      return failure();
    Value xZero = zeroPointOperand(rewriter, op.getLoc(), x->zeroPoint),
          wZero = zeroPointOperand(rewriter, op.getLoc(), w->zeroPoint);
    Value sums = onnx::ConvIntegerOp::create(rewriter, op.getLoc(), TypeRange(type.clone(rewriter.getI32Type())),
                                             ValueRange{x->integers, w->integers, xZero, wZero}, op->getAttrs());
    int64_t axis = op.getChannelsLast() ? type.getRank() - 1 : 1;
    rewriter.replaceOp(op,
                       finish(rewriter, op.getLoc(), sums, multiply(x->scales[0], w->scales), op.getB(), axis, length));
    return success();
  }
};

/// Whether the sums of a product with the left operand `a` fit into 32 bits.
bool fitsProduct(const Quantized &a) {
  int64_t length = cast<RankedTensorType>(a.integers.getType()).getShape().back();
  return !ShapedType::isDynamic(length) && fitsSum(length, 0);
}

/// Creates a product of matrices. The right one has one scale, or one per column.
Value multiplyMatrices(PatternRewriter &rewriter, Location loc, RankedTensorType type, const Quantized &a, Quantized b,
                       Value bias) {
  int64_t length = cast<RankedTensorType>(a.integers.getType()).getShape().back();
  b = centre(rewriter, loc, b);
  Value aZero = zeroPointOperand(rewriter, loc, a.zeroPoint), bZero = zeroPointOperand(rewriter, loc, b.zeroPoint);
  Value sums =
      onnx::MatMulIntegerOp::create(rewriter, loc, TypeRange(type.clone(rewriter.getI32Type())),
                                    ValueRange{a.integers, b.integers, aZero, bZero}, ArrayRef<NamedAttribute>{});
  return finish(rewriter, loc, sums, multiply(a.scales[0], b.scales), bias, type.getRank() - 1, length);
}

struct MatMulOfIntegers : OpRewritePattern<onnx::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MatMulOp op, PatternRewriter &rewriter) const override {
    std::optional<Quantized> a = getQuantized(op.getA()), b = getQuantized(op.getB());
    auto type = dyn_cast<RankedTensorType>(op.getY().getType());
    if (!a || !b || !type || !a->isPerTensor())
      return failure();
    auto left = cast<RankedTensorType>(a->integers.getType()), right = cast<RankedTensorType>(b->integers.getType());
    if (left.getRank() < 2 || right.getRank() < 2 || !fitsProduct(*a) ||
        (!b->isPerTensor() && (right.getRank() != 2 || b->axis != 1)))
      return failure();
    rewriter.replaceOp(op, multiplyMatrices(rewriter, op.getLoc(), type, *a, *b, Value()));
    return success();
  }
};

struct GemmOfIntegers : OpRewritePattern<onnx::GemmOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::GemmOp op, PatternRewriter &rewriter) const override {
    std::optional<Quantized> a = getQuantized(op.getA()), b = getQuantized(op.getB());
    auto type = dyn_cast<RankedTensorType>(op.getY().getType());
    bool isPlain = op.getAlpha() == 1.0f && op.getBeta() == 1.0f && op.getTransA() == 0;
    if (!a || !b || !type || !isPlain || !a->isPerTensor() || !fitsProduct(*a) ||
        (!b->isPerTensor() && b->axis != (op.getTransB() ? 0 : 1)))
      return failure();
    // Runs before transposing, because only constants are centred.
    *b = centre(rewriter, op.getLoc(), *b);
    if (op.getTransB()) {
      auto matrix = cast<RankedTensorType>(b->integers.getType());
      auto turned = RankedTensorType::get({matrix.getDimSize(1), matrix.getDimSize(0)}, matrix.getElementType());
      auto perm = rewriter.getNamedAttr("perm", rewriter.getDenseI64ArrayAttr({1, 0}));
      b->integers = onnx::TransposeOp::create(rewriter, op.getLoc(), TypeRange(turned), ValueRange(b->integers),
                                              ArrayRef<NamedAttribute>(perm));
    }
    rewriter.replaceOp(op, multiplyMatrices(rewriter, op.getLoc(), type, *a, *b, op.getC()));
    return success();
  }
};

} // namespace

void populateIntegerProductPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvOfIntegers, MatMulOfIntegers, GemmOfIntegers>(patterns.getContext());
}

} // namespace cameo::graph
