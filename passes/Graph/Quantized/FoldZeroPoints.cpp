// --fold-zero-points: sum (x - zx) (w - zw) = sum x w - zx sum w - zw sum x + n zx zw.
#include "passes/Graph/ApplyPatterns.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Passes.h"
#include "passes/Graph/Quantized/IntegerPatterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/MakeReshape.h"
#include "dialects/Onnx/OnnxOps.h"

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
    Value number = onnx::makeReshape(rewriter, loc, widen(factor), {});
    return apply<onnx::MulOp>(constant, constant, number);
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

struct FoldConvZeroPoint : OpRewritePattern<onnx::ConvIntegerOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::ConvIntegerOp op, PatternRewriter &rewriter) const override {
    bool isGiven = !onnx::isAbsent(op.getXZeroPoint()) || !onnx::isAbsent(op.getWZeroPoint()),
         hasZero = isZero(op.getXZeroPoint());
    bool isPadded = op.getAutoPad().starts_with("SAME") ||
                    (op.getPads() && llvm::any_of(*op.getPads(), [](int64_t pad) { return pad != 0; }));
    if (!isGiven || !isZero(op.getWZeroPoint()) || (!hasZero && (isPadded || !isOneNumber(op.getXZeroPoint()))))
      return failure();
    std::optional<SmallVector<int32_t>> sums = hasZero ? SmallVector<int32_t>() : sumConstant(op.getW(), 0);
    if (!sums)
      return failure();
    Location loc = op.getLoc();
    Value none = onnx::makeNone(rewriter, loc);
    Value plain = onnx::ConvIntegerOp::create(rewriter, loc, TypeRange(op.getY().getType()),
                                              ValueRange{op.getX(), op.getW(), none, none}, op->getAttrs());
    if (!hasZero) {
      int64_t rank = cast<RankedTensorType>(plain.getType()).getRank();
      Arithmetic arithmetic(rewriter, loc);
      Value correction = arithmetic.correction(op.getXZeroPoint(), *sums, plain, op.getChannelsLast() ? rank - 1 : 1);
      plain = arithmetic.apply<onnx::AddOp>(plain, plain, correction);
    }
    rewriter.replaceOp(op, plain);
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
    if ((!isZero(aZero) && !isOneNumber(aZero)) || (!isZero(bZero) && !isOneNumber(bZero)))
      return failure();
    // If both have a zero point, the length of the reduction is a factor and must be static.
    if (!isZero(aZero) && !isZero(bZero) && a.isDynamicDim(a.getRank() - 1))
      return failure();
    Location loc = op.getLoc();
    Arithmetic arithmetic(rewriter, loc);
    Value none = onnx::makeNone(rewriter, loc);
    Value sum = onnx::MatMulIntegerOp::create(rewriter, loc, TypeRange(op.getY().getType()),
                                              ValueRange{op.getA(), op.getB(), none, none}, ArrayRef<NamedAttribute>{});
    auto number = [&](Value zero) { return onnx::makeReshape(rewriter, loc, arithmetic.widen(zero), {}); };
    if (!isZero(aZero)) {
      std::optional<SmallVector<int32_t>> sums = b.getRank() == 2 ? sumConstant(op.getB(), 1) : std::nullopt;
      if (sums) {
        int64_t rank = cast<RankedTensorType>(sum.getType()).getRank();
        sum = arithmetic.apply<onnx::AddOp>(sum, sum, arithmetic.correction(aZero, *sums, sum, rank - 1));
      } else {
        Value columns = arithmetic.sumAlong(op.getB(), b.getRank() - 2);
        sum = arithmetic.apply<onnx::SubOp>(sum, sum, arithmetic.apply<onnx::MulOp>(columns, columns, number(aZero)));
      }
    }
    if (!isZero(bZero)) {
      Value rows = arithmetic.sumAlong(op.getA(), a.getRank() - 1);
      if (!isZero(aZero)) {
        // n zx zw - zw sum x = -zw (sum x - n zx)
        Value length = createScalar(rewriter, loc, rewriter.getI32Type(), static_cast<double>(a.getShape().back()));
        Value aNumber = number(aZero);
        rows = arithmetic.apply<onnx::SubOp>(rows, rows, arithmetic.apply<onnx::MulOp>(aNumber, aNumber, length));
      }
      sum = arithmetic.apply<onnx::SubOp>(sum, sum, arithmetic.apply<onnx::MulOp>(rows, rows, number(bZero)));
    }
    rewriter.replaceOp(op, sum);
    return success();
  }
};

struct FoldZeroPointsPass : impl::FoldZeroPointsPassBase<FoldZeroPointsPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldConvZeroPoint, FoldMatMulZeroPoints>(&getContext());
    if (failed(applyPatterns(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
