// --fold-zero-points: sum (x - zx) (w - zw) = sum x w - zx sum w - zw sum x + n zx zw.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/OnnxBuilder.h"
#include "passes/Graph/Passes.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

#include <limits>

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_FOLDZEROPOINTSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

constexpr int64_t numberOfInt32 = 6; // TensorProto.INT32

/// Creates i32 arithmetic for the corrections of a product.
class Arithmetic {
public:
  Arithmetic(PatternRewriter &rewriter, Location loc) : rewriter(rewriter), loc(loc) {}

  Value widen(Value value) {
    auto type = cast<RankedTensorType>(value.getType()).clone(rewriter.getI32Type());
    auto to = rewriter.getNamedAttr("to", rewriter.getI64IntegerAttr(numberOfInt32));
    return onnx::CastOp::create(rewriter, loc, TypeRange(type), ValueRange(value), ArrayRef<NamedAttribute>(to));
  }
  /// Creates `a` op `b` with the type of `like`.
  template <typename OpTy> Value apply(Value like, Value a, Value b) {
    return OpTy::create(rewriter, loc, TypeRange(like.getType()), ValueRange{a, b}, ArrayRef<NamedAttribute>{});
  }
  /// Creates the sum of `value` along an axis, which is kept with size 1.
  Value sumAlong(Value value, int64_t axis) {
    Value wide = widen(value);
    onnx::DimList shape = *onnx::getDims(wide);
    shape[axis] = Dim(1);
    RankedTensorType type = onnx::makeTensorType(shape, rewriter.getI32Type());
    auto keep = rewriter.getNamedAttr("keepdims", rewriter.getI64IntegerAttr(1));
    return onnx::ReduceSumOp::create(rewriter, loc, TypeRange(type),
                                     ValueRange{wide, onnx::makeIntsConstant(rewriter, loc, axis)},
                                     ArrayRef<NamedAttribute>(keep));
  }
  /// Creates sums - n * zero for sums of `n` elements whose zero point is a single number.
  Value centre(Value sums, Value zero, int64_t n) {
    Value count = createScalar(rewriter, loc, rewriter.getI32Type(), static_cast<double>(n)), number = along(zero, 0);
    return apply<onnx::SubOp>(sums, sums, apply<onnx::MulOp>(number, number, count));
  }
  /// Returns a zero point as i32: a single number without dimensions, several along the first of `rank` dimensions.
  Value along(Value zero, int64_t rank) {
    SmallVector<int64_t> shape;
    if (!isOneNumber(zero)) {
      shape.resize(rank, 1);
      shape.front() = getStaticType(zero).getNumElements();
    }
    return onnx::makeReshape(rewriter, loc, widen(zero), shape);
  }
  /// Creates -factor * sum for constant sums, one per index of `axis` of `like`. The factor is a single number.
  Value correction(Value factor, ArrayRef<int32_t> sums, Value like, int64_t axis) {
    int64_t rank = cast<RankedTensorType>(like.getType()).getRank();
    SmallVector<int32_t> numbers;
    std::optional<double> known = getSplatNumber(factor);
    for (int32_t sum : sums)
      numbers.push_back(known ? -static_cast<int32_t>(*known) * sum : -sum);
    Value constant = createAlong(rewriter, loc, numbers, rank, axis);
    if (known)
      return constant;
    return apply<onnx::MulOp>(constant, constant, along(factor, 0));
  }

private:
  PatternRewriter &rewriter;
  Location loc;
};

/// Returns the sums of the bytes of a constant over all dimensions except `kept`.
std::optional<SmallVector<int32_t>> sumConstant(Value value, int64_t kept) {
  RankedTensorType type = getStaticType(value);
  std::optional<SmallVector<int64_t>> numbers = type ? onnx::getConstantInts(value) : std::nullopt;
  if (!numbers)
    return std::nullopt;
  int64_t inner = 1;
  for (int64_t size : type.getShape().drop_front(kept + 1))
    inner *= size;
  SmallVector<int32_t> sums(type.getDimSize(kept), 0);
  for (auto [place, number] : llvm::enumerate(*numbers))
    sums[place / inner % type.getDimSize(kept)] += static_cast<int32_t>(number);
  return sums;
}

/// Returns the sums of the elements in the windows of a convolution without padding and groups. One after the other
/// along each dimension, they are few additions beside the products.
Value sumWindows(OnnxBuilder &b, onnx::ConvIntegerOp op, Value channelSums) {
  ArrayRef<int64_t> kernel = cast<RankedTensorType>(op.getW().getType()).getShape().drop_front(2);
  Value sums = channelSums;
  for (auto [i, count] : llvm::enumerate(kernel)) {
    int64_t axis = i + (op.getChannelsLast() ? 1 : 2), stride = op.getStrides() ? (*op.getStrides())[i] : 1,
            dilation = op.getDilations() ? (*op.getDilations())[i] : 1;
    Value all;
    for (int64_t tap = 0; tap < count; ++tap) {
      int64_t behind = (count - 1 - tap) * dilation;
      int64_t end = behind == 0 ? std::numeric_limits<int64_t>::max() : -behind;
      Value operands[] = {sums, b.ints(tap * dilation), b.ints(end), b.ints(axis), b.ints(stride)};
      Value part = count == 1 && stride == 1 ? sums : b.make<onnx::SliceOp>(operands);
      all = all ? b.make<onnx::AddOp>({all, part}) : part;
    }
    sums = all;
  }
  return sums;
}

struct FoldConvZeroPoints : OpRewritePattern<onnx::ConvIntegerOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvIntegerOp op, PatternRewriter &rewriter) const override {
    bool isGiven = !onnx::isAbsent(op.getXZeroPoint()) || !onnx::isAbsent(op.getWZeroPoint()),
         hasX = !isZero(op.getXZeroPoint()), hasW = !isZero(op.getWZeroPoint());
    bool isPadded = op.getAutoPad().starts_with("SAME") ||
                    (op.getPads() && llvm::any_of(*op.getPads(), [](int64_t pad) { return pad != 0; }));
    RankedTensorType weights = getStaticType(op.getW());
    if (!isGiven || ((hasX || hasW) && isPadded) || (hasX && !isOneNumber(op.getXZeroPoint())) ||
        (hasW && (op.getGroup() != 1 || !weights || weights.getNumElements() == 0)))
      return failure();
    std::optional<SmallVector<int32_t>> sums = hasX ? sumConstant(op.getW(), 0) : SmallVector<int32_t>();
    if (!sums)
      return failure();
    Location loc = op.getLoc();
    Value none = onnx::makeNone(rewriter, loc);
    Value sum = onnx::ConvIntegerOp::create(rewriter, loc, TypeRange(op.getY().getType()),
                                            ValueRange{op.getX(), op.getW(), none, none}, op->getAttrs());
    int64_t rank = cast<RankedTensorType>(sum.getType()).getRank(), channels = op.getChannelsLast() ? rank - 1 : 1;
    Arithmetic arithmetic(rewriter, loc);
    if (hasX)
      sum = arithmetic.apply<onnx::AddOp>(sum, sum, arithmetic.correction(op.getXZeroPoint(), *sums, sum, channels));
    if (hasW) {
      OnnxBuilder b(rewriter, loc);
      Value windows = sumWindows(b, op, arithmetic.sumAlong(op.getX(), channels));
      if (hasX)
        windows = arithmetic.centre(windows, op.getXZeroPoint(), weights.getNumElements() / weights.getDimSize(0));
      Value factor = arithmetic.along(op.getWZeroPoint(), rank - channels);
      sum = arithmetic.apply<onnx::SubOp>(sum, sum, b.make<onnx::MulOp>({windows, factor}));
    }
    rewriter.replaceOp(op, sum);
    return success();
  }
};

struct FoldMatMulZeroPoints : OpRewritePattern<onnx::MatMulIntegerOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::MatMulIntegerOp op, PatternRewriter &rewriter) const override {
    Value aZero = op.getAZeroPoint(), bZero = op.getBZeroPoint();
    auto a = dyn_cast<RankedTensorType>(op.getA().getType()), b = dyn_cast<RankedTensorType>(op.getB().getType());
    if ((onnx::isAbsent(aZero) && onnx::isAbsent(bZero)) || !a || !b || a.getRank() < 2 || b.getRank() < 2)
      return failure();
    RankedTensorType columnZeros = onnx::isAbsent(bZero) ? RankedTensorType() : getStaticType(bZero);
    bool isPerColumn = columnZeros && columnZeros.getRank() == 1;
    if ((!isZero(aZero) && !isOneNumber(aZero)) || (!isZero(bZero) && !isOneNumber(bZero) && !isPerColumn))
      return failure();
    // If both have a zero point, the length of the reduction is a factor and must be static.
    if (!isZero(aZero) && !isZero(bZero) && a.isDynamicDim(a.getRank() - 1))
      return failure();
    Location loc = op.getLoc();
    Arithmetic arithmetic(rewriter, loc);
    Value none = onnx::makeNone(rewriter, loc);
    Value sum = onnx::MatMulIntegerOp::create(rewriter, loc, TypeRange(op.getY().getType()),
                                              ValueRange{op.getA(), op.getB(), none, none}, ArrayRef<NamedAttribute>{});
    if (!isZero(aZero)) {
      std::optional<SmallVector<int32_t>> sums = b.getRank() == 2 ? sumConstant(op.getB(), 1) : std::nullopt;
      if (sums) {
        int64_t rank = cast<RankedTensorType>(sum.getType()).getRank();
        sum = arithmetic.apply<onnx::AddOp>(sum, sum, arithmetic.correction(aZero, *sums, sum, rank - 1));
      } else {
        Value columns = arithmetic.sumAlong(op.getB(), b.getRank() - 2);
        sum = arithmetic.apply<onnx::SubOp>(
            sum, sum, arithmetic.apply<onnx::MulOp>(columns, columns, arithmetic.along(aZero, 0)));
      }
    }
    if (!isZero(bZero)) {
      Value rows = arithmetic.sumAlong(op.getA(), a.getRank() - 1);
      if (!isZero(aZero)) // n zx zw - zw sum x = -zw (sum x - n zx)
        rows = arithmetic.centre(rows, aZero, a.getShape().back());
      OnnxBuilder builder(rewriter, loc);
      sum = arithmetic.apply<onnx::SubOp>(sum, sum, builder.make<onnx::MulOp>({rows, arithmetic.along(bZero, 1)}));
    }
    rewriter.replaceOp(op, sum);
    return success();
  }
};

struct FoldZeroPointsPass : impl::FoldZeroPointsPassBase<FoldZeroPointsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldConvZeroPoints, FoldMatMulZeroPoints>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
